#ifndef FORMD_CUNISTRING_SHIM_H
#define FORMD_CUNISTRING_SHIM_H

#include <uninorm.h>
#include <uniwidth.h>

// The forms are macros around types that Swift cannot see.
static inline uninorm_t formd_uninorm_nfc(void) { return UNINORM_NFC; }
static inline uninorm_t formd_uninorm_nfkc(void) { return UNINORM_NFKC; }

#endif

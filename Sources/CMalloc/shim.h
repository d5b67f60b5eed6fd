#ifndef FORMD_CMALLOC_SHIM_H
#define FORMD_CMALLOC_SHIM_H

#include <stddef.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Gives free memory back to the system, where the C library does not do so by itself (malloc_trim(3)).
static inline void formd_malloc_trim(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

#endif

#ifndef FORMD_CPCRE2_SHIM_H
#define FORMD_CPCRE2_SHIM_H

// The 8-bit library: texts are UTF-8 everywhere in this project.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#endif

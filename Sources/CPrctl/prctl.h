#ifndef FORMD_PRCTL_H
#define FORMD_PRCTL_H

#include <sys/prctl.h>

// prctl(2) has a variable number of arguments, which Swift does not call.

/// From now on the process's memory is nobody's business but its own: no debugger may attach, and no core is dumped.
static inline int formd_prctl_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

#endif

#ifndef FORMD_CMALLOC_SHIM_H
#define FORMD_CMALLOC_SHIM_H

// It says whether this is glibc.
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>
#endif

// Sets how many free bytes the end of each thread's heap may keep, and from which size on a piece for which a heap has no room is mapped by
// itself (mallopt(3)); the C library changes neither from then on. Where there is no such thing, nothing is done.
static inline void formd_malloc_set_limits(int end_max, int mapped_min) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, end_max);
  mallopt(M_MMAP_THRESHOLD, mapped_min);
#else
  (void)end_max;
  (void)mapped_min;
#endif
}

// Gives free memory back to the system where the C library does not do so by itself (malloc_trim(3)), if the process has more than so
// many bytes that nobody uses. What was given back before still counts as free in the allocator's books (mallinfo2(3)), so they are
// compared with what the process has (proc_pid_statm(5)).
static inline void formd_malloc_trim(size_t unused_max) {
#ifdef __GLIBC__
  unsigned long resident = 0, shared = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL) return;
  int count = fscanf(file, "%*u %lu %lu", &resident, &shared);
  fclose(file);
  if (count != 2 || resident < shared) return;
  struct mallinfo2 info = mallinfo2();
  size_t anonymous = (resident - shared) * (size_t)sysconf(_SC_PAGESIZE);
  if (anonymous > info.uordblks + info.hblkhd + unused_max) malloc_trim(0);
#endif
}

#endif

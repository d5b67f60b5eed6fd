#ifndef FORMD_CMALLOC_SHIM_H
#define FORMD_CMALLOC_SHIM_H

// It defines __GLIBC__ if the C library is glibc.
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>
#endif

// Sets two limits (mallopt(3)), which the C library does not change afterwards: how many free bytes the end of each
// thread's heap may keep, and the size from which an allocation that fits into no heap is mapped by itself. Without
// glibc, nothing is done.
static inline void formd_malloc_set_limits(int end_max, int mapped_min) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, end_max);
  mallopt(M_MMAP_THRESHOLD, mapped_min);
#else
  (void)end_max;
  (void)mapped_min;
#endif
}

// Returns free memory that the C library does not return to the system by itself (malloc_trim(3)), if the process has
// more than this number of unused bytes. The allocator's figures (mallinfo2(3)) still count memory that was returned
// before as free. So they are compared with the memory that the process has (proc_pid_statm(5)).
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

#ifndef ENGINE_BENCH_ALLOCATED_BYTES_SHIM_H
#define ENGINE_BENCH_ALLOCATED_BYTES_SHIM_H

#include <malloc.h>

// The bytes that the program has from the allocator and has not given back, mapped ones included (mallinfo2(3)). What the process has
// from the system says less: memory that was free before does not show there.
static inline size_t engine_bench_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#endif

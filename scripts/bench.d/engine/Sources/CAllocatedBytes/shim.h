#ifndef ENGINE_BENCH_ALLOCATED_BYTES_SHIM_H
#define ENGINE_BENCH_ALLOCATED_BYTES_SHIM_H

#include <malloc.h>

// The bytes that the program has from the allocator and has not freed, including mapped ones (mallinfo2(3)). The memory
// that the process has from the system shows less: it does not grow when memory is used that was free before.
static inline size_t engine_bench_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#endif

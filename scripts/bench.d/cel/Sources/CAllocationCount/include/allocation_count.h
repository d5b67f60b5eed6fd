#pragma once

/// How often malloc, calloc, realloc and aligned_alloc were called in this process.
long allocation_count(void);

// This source file is part of swift-effects. License: Apache-2.0.

#include "HeapSize.h"

#if defined(__APPLE__)

#include <malloc/malloc.h>

unsigned long heap_size_in_use(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}

#elif defined(__linux__)

// Also defines `__GLIBC__`, which shows which C library this is.
#include <malloc.h>

#if defined(__GLIBC__)
#define TELLS 1

unsigned long heap_size_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#endif
#endif

#if !defined(__APPLE__) && !defined(TELLS)

unsigned long heap_size_in_use(void) { return 0; }

#endif

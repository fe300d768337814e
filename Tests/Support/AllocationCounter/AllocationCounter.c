// This source file is part of swift-effects. License: Apache-2.0.

#include "AllocationCounter.h"

#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

#include <malloc.h>

// A function of the executable replaces the same function in the C library, for every library of the process. The
// originals are called by their second names and not looked up with `dlsym(RTLD_NEXT, ...)`, because `dlsym` allocates.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local unsigned long allocations;

void *malloc(size_t size) {
  allocations += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  allocations += 1;
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  allocations += 1;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *allocated = memalign(alignment, size);
  if (allocated == NULL) return ENOMEM;
  *block = allocated;
  return 0;
}

bool allocation_counter_is_available(void) { return true; }
unsigned long allocation_counter_value(void) { return allocations; }

unsigned long allocation_heap_bytes(void) {
  malloc_trim(0);
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

#else

bool allocation_counter_is_available(void) { return false; }
unsigned long allocation_counter_value(void) { return 0; }
unsigned long allocation_heap_bytes(void) { return 0; }

#endif

unsigned long allocation_peak_bytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
  return usage.ru_maxrss;
#else
  return usage.ru_maxrss * 1024ul;
#endif
}

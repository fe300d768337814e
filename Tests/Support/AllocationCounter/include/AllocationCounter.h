// This source file is part of swift-effects. License: Apache-2.0.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>

/// Whether this build counts: it must replace `malloc`, which is possible for glibc only, and which a sanitizer does
/// too.
bool allocation_counter_is_available(void);

/// How many blocks the calling thread has allocated so far.
unsigned long allocation_counter_value(void);

/// The used bytes of the heap, after unused memory was given back; 0 if this build cannot report them.
unsigned long allocation_heap_bytes(void);

/// The peak of the memory of the process so far, in bytes.
unsigned long allocation_peak_bytes(void);

#endif

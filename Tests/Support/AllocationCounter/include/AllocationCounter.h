// This source file is part of swift-effects. License: Apache-2.0.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>

/// Whether this build counts: it must replace `malloc`, which is done for glibc only, and which a sanitizer does too.
bool allocation_counter_is_available(void);

/// How many blocks the calling thread has allocated so far.
unsigned long allocation_counter_value(void);

/// The bytes in use on the heap, when what can be given back has been; 0 if this build cannot tell.
unsigned long allocation_heap_bytes(void);

/// The most memory that the process had so far, in bytes.
unsigned long allocation_peak_bytes(void);

#endif

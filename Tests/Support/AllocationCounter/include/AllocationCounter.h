// This source file is part of swift-effects. License: Apache-2.0.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>

/// Whether this build counts: it must replace `malloc`, which is done for glibc only, and which a sanitizer does too.
bool allocation_counter_is_available(void);

/// How many blocks the calling thread has allocated so far.
unsigned long allocation_counter_value(void);

#endif

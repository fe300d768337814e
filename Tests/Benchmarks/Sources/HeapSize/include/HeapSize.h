// This source file is part of swift-effects. License: Apache-2.0.

#ifndef HEAP_SIZE_H
#define HEAP_SIZE_H

/// How many bytes of the heap are allocated now, in all threads; 0 if the C library does not report them.
unsigned long heap_size_in_use(void);

#endif

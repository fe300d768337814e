// This source file is part of swift-effects. License: Apache-2.0.

#ifndef HEAP_SIZE_H
#define HEAP_SIZE_H

/// How many bytes of the heap are handed out now, in all threads; 0 where the C library does not tell.
unsigned long heap_size_in_use(void);

#endif

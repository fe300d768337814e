// This source file is part of swift-effects. License: Apache-2.0.

#ifndef JOB_CAPTURE_H
#define JOB_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

/// From now on, jobs that the calling thread hands to the global executor stay with it. Calls may be nested.
void job_capture_begin(void);

/// The end of that; what is captured stays until it is run.
void job_capture_end(void);

/// How many jobs the calling thread has captured and not run.
size_t job_capture_count(void);

/// Takes one of them, by its place among those, in the order they came.
void *job_capture_take(size_t place);

/// Adds one that did not come by the global executor.
void job_capture_add(void *job);

#endif

// This source file is part of swift-effects. License: Apache-2.0.

#ifndef JOB_CAPTURE_H
#define JOB_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

/// From now on, jobs that the calling thread passes to the global executor stay on this thread. Calls may be nested.
void job_capture_begin(void);

/// Ends the capture. Captured jobs stay until they are run.
void job_capture_end(void);

/// The number of jobs that the calling thread has captured and not run.
size_t job_capture_count(void);

/// Takes one of them, by its index in the order in which they came.
void *job_capture_take(size_t place);

/// Adds a job that did not come through the global executor.
void job_capture_add(void *job);

#endif

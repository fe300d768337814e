// This source file is part of swift-effects. License: Apache-2.0.

#include "JobCapture.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// If this hook is set the Swift runtime passes each job of the global executor to it; see
// `stdlib/public/Concurrency/GlobalExecutor.cpp` and `ConcurrencyHooks.h`.
typedef struct Job Job;
typedef __attribute__((swiftcall)) void (*Original)(Job *job);
typedef __attribute__((swiftcall)) void (*Hook)(Job *job, Original original);
extern Hook swift_task_enqueueGlobal_hook;

static _Thread_local int depth;
static _Thread_local Job **jobs;
static _Thread_local size_t count;
static _Thread_local size_t capacity;

void job_capture_add(void *job) {
  if (count == capacity) {
    capacity = capacity == 0 ? 64 : 2 * capacity;
    jobs = realloc(jobs, capacity * sizeof(Job *));
    if (jobs == NULL) abort();
  }
  jobs[count] = job;
  count += 1;
}

// A hook that the explorer has set before.
static Hook former;

static __attribute__((swiftcall)) void capture(Job *job, Original original) {
  Hook next = __atomic_load_n(&former, __ATOMIC_ACQUIRE);
  if (depth > 0) {
    job_capture_add(job);
  } else if (next != NULL) {
    next(job, original);
  } else {
    original(job);
  }
}

static void install(void) {
  Hook before = __atomic_load_n(&swift_task_enqueueGlobal_hook, __ATOMIC_ACQUIRE);
  do {
    __atomic_store_n(&former, before, __ATOMIC_RELEASE);
  } while (!__atomic_compare_exchange_n(
      &swift_task_enqueueGlobal_hook, &before, capture, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

void job_capture_begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  depth += 1;
}

// The memory belongs to the thread, which may end. So nothing is kept between two captures.
void job_capture_end(void) {
  depth -= 1;
  if (depth > 0 || count > 0) return;
  free(jobs);
  jobs = NULL;
  capacity = 0;
}

size_t job_capture_count(void) { return count; }

void *job_capture_take(size_t place) {
  Job *job = jobs[place];
  count -= 1;
  memmove(jobs + place, jobs + place + 1, (count - place) * sizeof(Job *));
  return job;
}

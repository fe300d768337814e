// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
public import Synchronization

/// Executes runs in tasks that continue with the next run when one has ended.
///
/// To make a task, wake a thread for it and end it costs several times as much as the rest of a short run. So a run
/// that is ready waits in a queue, and a task takes one run after another. It is not known how long a closure takes or
/// whether it suspends. So a task that is about to call a closure makes sure that another task will take the runs
/// behind it. While any run is ready there is a **scout**, a task that calls no closure at the moment and will check
/// the queue (or a task that drains, see ``leave(_:)``). A run starts as soon as a thread is free, as if it had a task
/// of its own. A run that suspends does have a task of its own.
///
/// It has no reference to the store, and may outlive it (rule E7).
///
/// - Isolation: usable from any thread. Closures are called without the lock.
@usableFromInline
final class RunPool<Action: Sendable>: Sendable {
  /// What the lock protects.
  @usableFromInline
  struct Queue {
    /// The runs that are ready, in the order in which they start. A run that was taken is replaced by `nil`, so that
    /// the queue does not keep it alive.
    @usableFromInline var ready: [RunBody<Action>?] = []
    /// The index of the first run that was not taken.
    @usableFromInline var head = 0
    /// How many scouts there are.
    @usableFromInline var scouts = 0
    /// How many runs have been taken so far, by all tasks.
    @usableFromInline var taken = 0
    /// What every task of the pool does. It keeps the pool until the pool is closed.
    @usableFromInline var work: TaskWork<Void>?
    /// Whether the store has been released.
    @usableFromInline var isClosed = false

    @inlinable
    init() {}

    /// Whether no run is ready.
    @inlinable
    var isEmpty: Bool { head == ready.count }

    /// Takes the first run; `nil` if there is none. O(1) amortised.
    @inlinable
    mutating func popFirst() -> RunBody<Action>? {
      guard head < ready.count else { return nil }
      let first = ready[head]
      ready[head] = nil
      head += 1
      taken &+= 1
      if head == ready.count {
        // After a burst the memory is released.
        ready.removeAll(keepingCapacity: head <= 1_024)
        head = 0
      } else if head >= 1_024, head * 2 > ready.count {
        ready.removeSubrange(..<head)
        head = 0
      }
      return first
    }

    /// Whether a task that has executed runs should end and let a new task continue: after every 64th run of the pool.
    @inlinable
    var isTimeToLeave: Bool { taken & 63 == 0 }

    /// Adds runs, and empties the given list. If no run is ready, the two lists change places, so that nothing is copied.
    @inlinable
    mutating func append(_ bodies: inout [RunBody<Action>?]) {
      if isEmpty { swap(&ready, &bodies) } else { ready.append(contentsOf: bodies) }
    }

    /// Whether the caller must make a scout, which counts from now on.
    @inlinable
    mutating func needsScout() -> Bool {
      guard scouts == 0, !isEmpty else { return false }
      scouts = 1
      return true
    }
  }

  @usableFromInline let queue = Lock(Queue())
  /// Whether runs are ready, for a task that only decides who drains. Written under the lock.
  @usableFromInline let hasReady = Atomic(false)

  @inlinable
  init() {}

  /// Adds runs that are ready, and empties the given list.
  @inlinable
  func add(_ bodies: inout [RunBody<Action>?]) {
    let mustSpawn = queue.withLock { queue in
      queue.append(&bodies)
      hasReady.store(!queue.isEmpty, ordering: .relaxed)
      return queue.needsScout()
    }
    bodies.removeAll(keepingCapacity: true)
    if mustSpawn { spawn() }
  }

  /// The same, for a task of this pool that drains and then takes the next run. No scout is made.
  @inlinable
  func leave(_ bodies: inout [RunBody<Action>?]) {
    queue.withLock { queue in
      queue.append(&bodies)
      hasReady.store(!queue.isEmpty, ordering: .relaxed)
    }
    bodies.removeAll(keepingCapacity: true)
  }

  /// Makes a task that begins as a scout. The scout has been counted before.
  @inlinable
  func spawn() {
    let kept = queue.withLock { $0.work }
    // Detached: a run does not inherit the priority or the task-locals of the code that triggered the drain (rule L6).
    startDetached(kept ?? makeWork())
  }

  /// Makes what the tasks do, and keeps it unless the pool is closed.
  @inlinable @inline(never)
  func makeWork() -> TaskWork<Void> {
    let work = TaskWork { await self.work() }
    queue.withLock { queue in
      if !queue.isClosed { queue.work = work }
    }
    return work
  }

  /// Closes the pool when the store has been released: releases what keeps the pool. Runs that are ready have been
  /// cancelled, and end without a call of their closures.
  func close() {
    let work = queue.withLock { queue in
      defer { queue.work = nil }
      queue.isClosed = true
      return queue.work
    }
    withExtendedLifetime(work) {}
  }

  /// What a task does next.
  @usableFromInline
  enum Next {
    /// Calls the closure of a run, which the task has begun.
    case call(RunBody<Action>)
    /// Drains the mailbox of the run that has ended.
    case drain(Mailbox<Action>)
    /// Takes the next run, after everything from the previous step has been released.
    case take
    /// Ends the task.
    case end
  }

  /// What a task does that begins as a scout: it executes one run after another, and drains if no other task does.
  @inlinable @inline(__always)
  func work() async {
    var next = first()
    while true {
      switch next {
      case .call(let body): next = ended(body, await body.call())
      case .drain(let mailbox):
        await mailbox.drainHere()
        next = .take
      case .take: next = take(asScout: false)
      case .end: return
      }
    }
  }

  /// What a task does first.
  // `first`, `ended` and `take` are not inlined: their local values would stay in the frame of every suspended run.
  @inlinable @inline(never)
  func first() -> Next { take(asScout: true) }

  /// Whether a task whose run has ended may drain. While other runs are ready, it goes on with them, and another thread drains: a
  /// drain after each run would take its messages one by one.
  @inlinable
  var mayDrain: Bool {
    #if canImport(Darwin)
      // A drain has a higher priority than such a task (rule L6).
      false
    #else
      !hasReady.load(ordering: .relaxed)
    #endif
  }

  /// Reports that the closure of a run has returned or thrown. Returns what the task does next.
  @inlinable @inline(never)
  func ended(_ body: RunBody<Action>, _ failure: (any Error)?) -> Next {
    let mayGoOn = body.endOfClosure()
    if mayGoOn, mayDrain, RunTask.isTaskFresh {
      if body.mailbox.postEnd(.ended(body.token, failure)) { return .drain(body.mailbox) }
    } else {
      body.mailbox.post(.ended(body.token, failure))
    }
    guard mayGoOn else {
      leaveToOthers()
      return .end
    }
    // Not taken here: the release of the run that has ended may call user code, which still has this task as its
    // current task.
    return .take
  }

  /// Called in a task that takes no further run: makes a scout if runs are ready and there is none.
  @inlinable
  func leaveToOthers() {
    if queue.withLock({ $0.needsScout() }) { spawn() }
  }

  /// Takes the next run whose closure is to be called. Reports the end of each cancelled run before it.
  ///
  /// - Parameter asScout: whether the current task counts as a scout. Then it does so no longer.
  /// - Returns: the run, or the end of the task.
  @inlinable @inline(never)
  func take(asScout: Bool) -> Next {
    var isScout = asScout
    while true {
      // A scout has called no user code, and must check the queue in any case.
      guard isScout || RunTask.isTaskFresh else {
        leaveToOthers()
        return .end
      }
      let (next, mustSpawn): (RunBody<Action>?, Bool) = queue.withLock { queue in
        if isScout { queue.scouts -= 1 }
        // The task ends now and then, so that other tasks get a thread.
        let next = isScout || !queue.isTimeToLeave ? queue.popFirst() : nil
        if queue.isEmpty { hasReady.store(false, ordering: .relaxed) }
        return (next, queue.needsScout())
      }
      if mustSpawn { spawn() }
      guard let next else { return .end }
      if next.begin() {
        next.reportCall()
        return .call(next)
      }
      isScout = false
      next.neverCalled()
    }
  }
}

/// The function of a task in the form from which tasks are made. Keeping it saves each task two allocations.
@usableFromInline
struct TaskWork<Success: Sendable>: Sendable {
  /// The function.
  @usableFromInline let body: @isolated(any) @Sendable () async throws -> Success

  @inlinable
  init(_ body: @escaping @isolated(any) @Sendable () async throws -> Success) {
    self.body = body
  }
}

/// Makes a detached task with the default priority, which does this work.
// Neither inlined nor specialised: while the type of the result is generic, the function is used as it is, without a
// wrapper.
@usableFromInline
func startDetached<Success>(_ work: TaskWork<Success>) {
  Task<Success, any Error>.detached(operation: work.body)
}

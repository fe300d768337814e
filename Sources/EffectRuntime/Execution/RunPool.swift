// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Executes runs in tasks that go on with the next run when one has ended.
///
/// To make a task, wake a thread for it and end it costs several times as much as the rest of a short run. So a run that
/// is ready stands in a queue, and a task takes one after another. Nobody knows how long a closure takes or whether it
/// suspends, so a task that is about to call one sees to it that another task will come for those behind: as long as
/// anything is ready there is a **scout**, a task that calls no closure at the moment and will look into the queue. A run
/// starts as soon as a thread is free, just as if it had a task of its own, and one that suspends has.
///
/// Knows nothing of the store, which it may outlive (rule E7).
@usableFromInline
final class RunPool<Action: Sendable>: Sendable {
  @usableFromInline
  struct Queue {
    /// In the order they are to start; taken ones are gaps, so that the queue keeps none of them alive.
    @usableFromInline var ready: [RunBody<Action>?] = []
    @usableFromInline var head = 0
    @usableFromInline var scouts = 0
    @usableFromInline var taken = 0
    /// What every task of the pool does; holds the pool, until that is closed.
    @usableFromInline var work: TaskWork<Void>?
    @usableFromInline var isClosed = false

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { head == ready.count }

    @inlinable
    mutating func popFirst() -> RunBody<Action>? {
      guard head < ready.count else { return nil }
      let first = ready[head]
      ready[head] = nil
      head += 1
      taken &+= 1
      if head == ready.count {
        // After a burst the memory is given back.
        ready.removeAll(keepingCapacity: head <= 1_024)
        head = 0
      } else if head >= 1_024, head * 2 > ready.count {
        ready.removeSubrange(..<head)
        head = 0
      }
      return first
    }

    /// Whether a task that has executed runs is to make way for a new one.
    @inlinable
    var isTimeToLeave: Bool { taken & 63 == 0 }

    /// Whether somebody has to make a scout; it counts from now on.
    @inlinable
    mutating func needsScout() -> Bool {
      guard scouts == 0, !isEmpty else { return false }
      scouts = 1
      return true
    }
  }

  @usableFromInline let queue = Lock(Queue())

  @inlinable
  init() {}

  /// Takes over runs that are ready, and leaves none.
  @inlinable
  func add(_ bodies: inout [RunBody<Action>]) {
    let mustSpawn = queue.withLock { queue in
      for body in bodies { queue.ready.append(body) }
      return queue.needsScout()
    }
    bodies.removeAll(keepingCapacity: true)
    if mustSpawn { spawn() }
  }

  /// The same, for a task that drains and will take the next run at once.
  @inlinable
  func leave(_ bodies: inout [RunBody<Action>]) {
    queue.withLock { queue in
      for body in bodies { queue.ready.append(body) }
    }
    bodies.removeAll(keepingCapacity: true)
  }

  @inlinable
  func spawn() {
    let kept = queue.withLock { $0.work }
    // Detached: a run inherits neither priority nor task-locals of whoever triggered the drain (rule L6).
    startDetached(kept ?? makeWork())
  }

  @inlinable @inline(never)
  func makeWork() -> TaskWork<Void> {
    let work = TaskWork { await self.work() }
    queue.withLock { queue in
      if !queue.isClosed { queue.work = work }
    }
    return work
  }

  /// The store is gone: lets go of what holds the pool. What is ready has been cancelled, and is over soon.
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
    case call(RunBody<Action>)
    case drain(Mailbox<Action>, MailboxDrain)
    /// Takes the next run, when what was done before has been released.
    case take
    case end
  }

  /// What a task does that begins as a scout: executes run after run, and drains where nobody else does.
  @inlinable @inline(__always)
  func work() async {
    var next = first()
    while true {
      switch next {
      case .call(let body): next = ended(body, await body.call())
      case .drain(let mailbox, let drain):
        await mailbox.drainHere(drain)
        next = .take
      case .take: next = take(asScout: false)
      case .end: return
      }
    }
  }

  // Neither this nor the next two are inlined: what they need in between would stay in the frame of every suspended run.
  @inlinable @inline(never)
  func first() -> Next { take(asScout: true) }

  /// The closure of one run has returned.
  @inlinable @inline(never)
  func ended(_ body: RunBody<Action>, _ failure: (any Error)?) -> Next {
    guard body.end() else {
      body.mailbox.post(.ended(body.token, failure))
      leaveToOthers()
      return .end
    }
    #if canImport(Darwin)
      // A drain has a higher priority than this task (rule L6).
      body.mailbox.post(.ended(body.token, failure))
    #else
      let drain = body.mailbox.postEnd(.ended(body.token, failure))
      if drain != .others { return .drain(body.mailbox, drain) }
    #endif
    // Not taken here: the release of the run that is over may call user code, which has this task as its own.
    return .take
  }

  /// The current task takes no further run.
  @inlinable
  func leaveToOthers() {
    if queue.withLock({ $0.needsScout() }) { spawn() }
  }

  /// Takes the next run whose closure is to be called.
  @inlinable @inline(never)
  func take(asScout: Bool) -> Next {
    var isScout = asScout
    while true {
      // A scout has called no user code, and must come to the queue in any case.
      guard isScout || RunTask.isTaskFresh else {
        leaveToOthers()
        return .end
      }
      let (next, mustSpawn): (RunBody<Action>?, Bool) = queue.withLock { queue in
        if isScout { queue.scouts -= 1 }
        // Others that use the threads get their turn.
        let next = isScout || !queue.isTimeToLeave ? queue.popFirst() : nil
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

/// The function of a task in the form that tasks are made of. Kept, it spares each of them two allocations.
@usableFromInline
struct TaskWork<Success: Sendable>: Sendable {
  @usableFromInline let body: @isolated(any) @Sendable () async throws -> Success

  @inlinable
  init(_ body: @escaping @isolated(any) @Sendable () async throws -> Success) {
    self.body = body
  }
}

// Neither inlined nor specialised: where the result has no type yet, the function is taken as it is, not wrapped.
@usableFromInline
func startDetached<Success>(_ work: TaskWork<Success>) {
  Task<Success, any Error>.detached(operation: work.body)
}

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

  /// A run is ready.
  @inlinable
  func add(_ body: RunBody<Action>) {
    let mustSpawn = queue.withLock { queue in
      queue.ready.append(body)
      return queue.needsScout()
    }
    if mustSpawn { spawn() }
  }

  @inlinable
  func spawn() {
    // Detached: a run inherits neither priority nor task-locals of whoever triggered the drain (rule L6).
    Task.detached { await self.work() }
  }

  /// What a task does that begins as a scout: executes run after run.
  @inlinable @inline(__always)
  func work() async {
    var next = first()
    while let body = next { next = self.next(after: body, await body.call()) }
  }

  /// The first run of a task.
  // Neither this nor the next is inlined: what they need in between would stay in the frame of every suspended run.
  @inlinable @inline(never)
  func first() -> RunBody<Action>? { take(asScout: true) }

  /// The closure of one run has returned. The next one, or `nil` if the task is at its end.
  @inlinable @inline(never)
  func next(after body: RunBody<Action>, _ failure: (any Error)?) -> RunBody<Action>? {
    if body.finish(failure) { return take(asScout: false) }
    // It has been cancelled for the run it executed.
    if queue.withLock({ $0.needsScout() }) { spawn() }
    return nil
  }

  /// Takes the next run whose closure is to be called.
  @inlinable
  func take(asScout: Bool) -> RunBody<Action>? {
    var isScout = asScout
    while true {
      let (next, mustSpawn): (RunBody<Action>?, Bool) = queue.withLock { queue in
        if isScout { queue.scouts -= 1 }
        // Others that use the threads get their turn.
        let next = isScout || !queue.isTimeToLeave ? queue.popFirst() : nil
        return (next, queue.needsScout())
      }
      if mustSpawn { spawn() }
      guard let next, !next.begin() else { return next }
      isScout = false
      next.neverCalled()
    }
  }
}

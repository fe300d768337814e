// This source file is part of swift-effects. License: Apache-2.0.

/// What happens in a store, as typed events: which sender sent which action, what it caused, how each run ended and
/// why.
///
/// ```swift
/// let log = store.trace.log()                                // keeps the newest 10,000
/// await store.send(.queryChanged("swift")).finish()
/// print(Timeline.text(log.events))
///
/// store.trace.listen { event in logger.debug("\(event)") }   // called as it happens
/// for await event in store.trace { ... }                     // or at its own pace
/// ```
///
/// Without a listener, no events are made. What happened before the first listener is not reported. Runs that were
/// active then are reported from their next event on.
///
/// - Ordering: events come in the order of their numbers, the same for all listeners.
/// - Lifetime: it does not keep the store alive. Listeners end when the store has been shut down or released.
/// - Isolation: usable from any thread.
public struct Trace<Action: Sendable>: Sendable {
  @usableFromInline let hub: TraceHub<Action>

  /// Calls a closure with every event from now on, as it happens.
  ///
  /// All that is sent after this call returns is reported. If the store has ended, the closure is never called.
  ///
  /// - Parameters:
  ///   - timed: whether the events need their ``TraceEvent/time``. Reading a clock costs more than the rest of an
  ///     event. Without it, and if no other listener needs it, all times are zero.
  ///   - listener: called on the store's isolation, between two pieces of its work. Actions that it sends are only
  ///     enqueued. The store waits until it returns: if it takes long, use a ``log(newest:)`` or iterate instead.
  /// - Returns: an object to end it with. If you discard it, the closure is called until the store ends.
  /// - Complexity: O(1) for each event.
  @discardableResult
  public func listen(timed: Bool = true, _ listener: @escaping @Sendable (TraceEvent<Action>) -> Void) -> TraceListening
  {
    add(TraceListener(isTimed: timed, tell: listener))
  }

  /// Keeps the newest events from now on, until the log is released.
  ///
  /// - Parameter limit: how many events to keep; older ones are discarded. A limit below one counts as one.
  /// - Returns: the log. Keep it: it listens as long as it exists.
  /// - Complexity: O(1) for each event; the memory of at most `limit` events.
  @inlinable
  public func log(newest limit: Int = 10_000) -> TraceLog<Action> {
    let ring = TraceRing<Action>(limit: limit)
    return TraceLog(ring, add(TraceListener(ring)))
  }

  @usableFromInline
  func add(_ listener: TraceListener<Action>) -> TraceListening {
    let number = hub.add(listener)
    return TraceListening { [weak hub] in hub?.remove(number) }
  }
}

/// A listener of a trace, which you can end.
public struct TraceListening: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  /// Ends it: the closure is not called any more, and the store releases it with its next slice of work.
  ///
  /// The closure may be called once more if the store reports an event at this moment on another thread. Called twice, or
  /// when the store has ended, this does nothing.
  public func cancel() { end() }
}

/// The newest events of a trace; made by ``Trace/log(newest:)``. Ends when it is released.
///
/// - Isolation: usable from any thread.
public final class TraceLog<Action: Sendable>: Sendable {
  private let ring: TraceRing<Action>
  private let listening: TraceListening

  @usableFromInline
  init(_ ring: TraceRing<Action>, _ listening: TraceListening) {
    self.ring = ring
    self.listening = listening
  }

  deinit { listening.cancel() }

  /// The events, oldest first. If older events were removed, the first event is ``TraceEvent/Kind/lost(_:)`` with their
  /// number.
  ///
  /// - Complexity: O(number of events).
  public var events: [TraceEvent<Action>] { ring.events }

  /// Removes all events so far. They do not count as lost.
  ///
  /// - Complexity: O(number of events).
  public func clear() { ring.clear() }
}

// MARK: - Iterating

extension Trace: AsyncSequence {
  /// Begins to listen at once, where `for await` would begin too late: `await events.next(isolation: #isolation)`.
  ///
  /// Up to 10,000 events wait for a slow iteration. If there are more, the oldest are lost, which
  /// ``TraceEvent/Kind/lost(_:)`` reports. `next` returns `nil` when the store has ended and all its events were
  /// returned, or when the task is cancelled.
  ///
  /// - Returns: an iteration of its own. Copies of it share the events: each event is returned by one of them.
  @inlinable
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<TraceEvent<Action>, Never> & Sendable {
    let queue = TraceRing<Action>(limit: 10_000)
    let listener = TraceListener(queue)
    return TraceIterator(TraceLog(queue, add(listener)), queue)
  }
}

/// One iteration of a trace.
@usableFromInline
struct TraceIterator<Action: Sendable>: AsyncIteratorProtocol, Sendable {
  private let log: TraceLog<Action>
  private let queue: TraceRing<Action>

  @usableFromInline
  init(_ log: TraceLog<Action>, _ queue: TraceRing<Action>) {
    self.log = log
    self.queue = queue
  }

  @usableFromInline
  mutating func next(isolation actor: isolated (any Actor)?) async -> TraceEvent<Action>? {
    while true {
      if Task.isCancelled { return nil }
      switch queue.takeFirst() {
      case .event(let event): return event
      case .ended: return nil
      case .nothing(let arrival):
        let hasArrived = await withTaskCancellationHandler {
          await arrival.wait()
        } onCancel: {
          arrival.answer(false)
        }
        if !hasArrived { queue.forget(arrival) }
      }
    }
  }
}

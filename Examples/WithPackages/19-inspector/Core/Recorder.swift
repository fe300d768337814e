// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime
public import Synchronization

/// Records a store into a ``History``, as long as it exists.
public final class Recorder<State: Sendable, Action: Sendable>: Sendable {
  private let log: RecorderLog<State, Action>
  private let listening: TraceListening

  @usableFromInline
  init(_ log: RecorderLog<State, Action>, _ listening: TraceListening) {
    self.log = log
    self.listening = listening
  }

  deinit { stop() }

  /// Everything so far. While it is kept, the next action copies at most the events since the last checkpoint.
  var present: RecorderLog<State, Action>.Book { log.present }

  /// The history so far.
  var history: History<State, Action> { present.history }

  /// Ends it. Called twice or late it does nothing.
  public func stop() { listening.cancel() }
}

/// What a ``Recorder`` has recorded. A listener of the store's trace writes it.
///
/// Nothing is encoded or described here: that is done when a page reads.
// Apart from the recorder, so that the listener may keep it. A weak reference to the recorder would be loaded for each
// event, and would make every retain of it more expensive.
@usableFromInline
final class RecorderLog<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline
  struct Book: Sendable {
    @usableFromInline var history: History<State, Action>
    var active = ActiveWork()
    var hasEnded = false
  }

  @usableFromInline let book: Mutex<Book>

  @usableFromInline
  init(_ history: History<State, Action>) {
    book = Mutex(Book(history: history))
  }

  var present: Book { book.withLock { $0 } }

  /// Adds an event; called on the store's isolation.
  // Inlinable, so that it is compiled for the action of the store.
  @inlinable
  func add(_ event: TraceEvent<Action>, state: () -> State?) {
    switch event.kind {
    case .accepted: break
    case .reduced(let action, let source):
      // Released outside the lock: the release of an action may run user code.
      let entry = Entry(action, source, of: event)
      let folded = book.withLock { $0.history.append(entry, state: state) }
      withExtendedLifetime(folded) {}
    default: add(other: event)
    }
  }

  @usableFromInline
  func add(other event: TraceEvent<Action>) {
    switch event.kind {
    case .accepted, .reduced, .status: break
    case .run(let run, let change): keep(event, of: run, change)
    case .shutdown(.ended): end(event)
    case .dropped, .refused, .unmatched, .dispatchCancelled, .turnSuspended, .budgetExceeded, .shutdown, .lost:
      book.withLock { $0.history.append(other: event) }
    }
  }

  private func keep(_ event: TraceEvent<Action>, of run: TraceRun, _ change: TraceRun.Event) {
    book.withLock { book in
      book.history.append(other: event)
      book.active.follow(run, change, at: event.time)
    }
  }

  private func end(_ event: TraceEvent<Action>) {
    book.withLock { book in
      book.history.append(other: event)
      book.active.removeAll()
      book.hasEnded = true
    }
  }
}

extension Store where R.State: Sendable {
  /// Records from now on. The recorder does not keep the store alive.
  ///
  /// - Parameters:
  ///   - capacity: how many of the newest actions to keep.
  ///   - distance: how many actions to have between two checkpoints.
  /// - Returns: the recorder. It records as long as it exists.
  /// - Ordering: what was accepted before is reduced first. No action is reduced between that and the first event.
  /// - Isolation: the store's.
  /// - Complexity: O(1) an action, and a copy of the state at each checkpoint.
  @inlinable
  public func recordHistory(
    capacity: Int = 100_000, distance: Int = 500
  ) -> Recorder<R.State, R.Action> {
    let log = RecorderLog<R.State, R.Action>(History(state: state, capacity: capacity, distance: distance))
    // Unowned, because the store exists while it notifies its listeners, and a weak reference would make every retain of
    // the store more expensive.
    let listening = trace.listen { [unowned self] event in
      log.add(event) { self.assumeIsolated { $0.state } }
    }
    return Recorder(log, listening)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// What the newest actions of a store changed in its state; made by ``Store/logChanges(newest:)``. Ends when it is released.
///
/// - Isolation: usable from any thread.
public final class ChangeLog: Sendable {
  private struct Book {
    var differences: [UInt64: StateDifference] = [:]
    /// The numbers of the events. The differences of those before the index `first` have been removed.
    var numbers: [UInt64] = []
    var first = 0
    var listening: TraceListening?
  }

  private let book = Lock(Book())
  private let limit: Int

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  deinit { book.withLock { $0.listening }?.cancel() }

  /// The differences, by the ``TraceEvent/number`` of the event that reports the action as reduced. An action that changed
  /// nothing has none.
  ///
  /// - Complexity: O(1). If you keep the result, the log copies its differences with the next change.
  public var differences: [UInt64: StateDifference] { book.withLock { $0.differences } }

  func began(_ listening: TraceListening) { book.withLock { $0.listening = listening } }

  func add(_ difference: StateDifference, of number: UInt64) {
    guard !difference.isEmpty else { return }
    book.withLock { book in
      book.differences[number] = difference
      book.numbers.append(number)
      if book.numbers.count - book.first > limit {
        book.differences[book.numbers[book.first]] = nil
        book.first += 1
      }
      if book.first > limit {
        book.numbers.removeFirst(book.first)
        book.first = 0
      }
    }
  }
}

extension Store {
  /// Keeps what the newest actions change in the state from now on, until the log is released.
  ///
  /// ```swift
  /// let (log, changes) = (store.trace.log(), await store.logChanges())
  /// await store.send(.queryChanged("swift")).finish()
  /// print(Timeline.text(log.events, changes: changes.differences))
  /// ```
  ///
  /// - Parameter limit: how many differences to keep; older ones are discarded. A limit below one counts as one.
  /// - Returns: the log. Keep it: it listens as long as it exists. It does not keep the store alive.
  /// - Ordering: begins with the state at the time of the call; what was accepted before and not reduced is compared.
  /// - Isolation: the store's. Inside `reduce` it traps.
  /// - Complexity: each action costs a comparison of the state before and after; see ``StateDifference``.
  public func logChanges(newest limit: Int = 10_000) -> ChangeLog {
    let log = ChangeLog(limit: limit)
    let follower = ListenerState(present)
    let listening = trace.listen(timed: false) { [weak self, weak log] event in
      guard case .reduced = event.kind, let self, let log else { return }
      log.add(self.assumeIsolated { follower.difference(to: $0.core.value.engine.state) }, of: event.number)
    }
    log.began(listening)
    refreshListeners()
    return log
  }
}

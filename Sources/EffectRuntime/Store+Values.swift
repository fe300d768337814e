// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Observing

extension Store {
  /// The values of a part of the state: the present one, then each newest one that differs.
  ///
  /// ```swift
  /// for await results in store.values(\.results) { ... }
  /// ```
  ///
  /// - Ordering: a value is shown when the store has finished a turn, or a budget's worth of work; a slow iteration
  ///   skips to the newest.
  /// - Cancellation: ends with the iterating task, behind the last value when the store has been shut down, or with the
  ///   store, which it does not keep alive. One that is begun after that yields nothing.
  /// - Isolation: usable from anywhere; only the part itself crosses.
  /// - Complexity: a store compares the part once for every slice of work while somebody iterates.
  public nonisolated func values<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<R.State, Value> & Sendable
  ) -> StateValues<Value> {
    StateValues { [observers, mailbox] channel in
      observers.add(KeyPathObserver(keyPath: keyPath, channel: channel))
      mailbox.post(.observe)
    }
  }
}

private final class KeyPathObserver<State, Value: Equatable & Sendable>: StateObserver {
  private let keyPath: any KeyPath<State, Value> & Sendable
  private let channel: ValueChannel<Value>

  init(keyPath: any KeyPath<State, Value> & Sendable, channel: ValueChannel<Value>) {
    self.keyPath = keyPath
    self.channel = channel
  }

  var isWatched: Bool { channel.isWatched }
  func offer(_ state: State) -> Bool { channel.offer(state[keyPath: keyPath]) }
  func finish() { channel.end() }
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Observing

extension Store {
  /// The values of a part of the state: first the present one, then the newest whenever it has changed.
  ///
  /// ```swift
  /// for await results in store.values(\.results) { ... }
  /// ```
  ///
  /// Usually iterated by `for await`. An iterator of your own is asked by `await values.next(isolation: #isolation)`.
  ///
  /// - Parameters:
  ///   - keyPath: the path to the part. Values that are equal to the one before are not shown.
  ///   - buffering: what a slow iteration gets: the newest value, or all values.
  /// - Returns: a sequence that may be iterated several times, each from the present value on.
  /// - Ordering: a value is shown when the store has finished a turn, or a budget's worth of work. A slow iteration
  ///   skips to the newest value, or is shown every value if `buffering` says so. It never holds back a sender or a run.
  /// - Cancellation: ends with the iterating task, with the release of the store, or after the last value of a store
  ///   that was shut down. It does not keep the store alive. An iteration that begins after the store has ended or was
  ///   released yields nothing.
  /// - Isolation: usable from anywhere; only the part itself crosses isolations.
  /// - Complexity: while an iteration exists, a store compares the part once for every slice of work, or for every turn
  ///   if `buffering` is `unbounded`. A stored part is compared in place. Nothing else happens as long as the part is the
  ///   same.
  public nonisolated func values<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<R.State, Value> & Sendable, buffering: StateBuffering = .newest
  ) -> some AsyncSequence<Value, Never> & Sendable {
    StateValues { [observers, mailbox] in
      let channel = ValueChannel<Value>(buffering)
      let list = buffering == .newest ? observers.slices : observers.turns
      list.add(KeyPathObserver(keyPath: keyPath, channel: channel))
      mailbox.post(.observe)
      return channel
    }
  }
}

extension Store where R.State: Equatable & Sendable {
  /// The whole store over time: state and effects, as they are at the same moment.
  ///
  /// ```swift
  /// for await change in store.changes { draw(change.state, isBusy: !change.effects.byID.isEmpty) }
  /// ```
  ///
  /// - Ordering: as `values(_:)`; there is also an element when only an effect has started, ended or failed.
  /// - Cancellation: as `values(_:)`.
  /// - Isolation: usable from anywhere.
  /// - Complexity: O(active work), and a comparison of the states, for every slice of work and each iteration. If you need
  ///   only a part, `values(_:)` and ``statuses(of:)`` cost far less.
  public nonisolated var changes: some AsyncSequence<StoreChange<R.State>, Never> & Sendable {
    StateValues { [observers, mailbox] in
      let channel = ValueChannel<StoreChange<R.State>>()
      observers.add(ChangeObserver(channel))
      mailbox.post(.observe)
      return channel
    }
  }
}

/// A store at the end of a turn or budget slice; see ``Store/changes``.
public struct StoreChange<State: Equatable & Sendable>: Equatable, Sendable {
  /// The feature's state.
  public let state: State
  /// The work that runs or waits, or that was cancelled and has not returned.
  public let effects: LiveEffects
}

private final class ChangeObserver<State: Equatable & Sendable>: StateObserver {
  private let channel: ValueChannel<StoreChange<State>>

  init(_ channel: ValueChannel<StoreChange<State>>) {
    self.channel = channel
  }

  var isWatched: Bool { channel.isWatched }

  func offer(_ state: StateInPlace, _ effects: () -> LiveEffects) -> Bool {
    channel.isWatched && channel.offer(StoreChange(state: state.value(), effects: effects()))
  }

  func finish() { channel.end() }
}

/// One iteration of a part of the state.
// SAFETY: `last` is used on the store's isolation only, or when the object is released; the rest is constant.
private final class KeyPathObserver<State, Value: Equatable & Sendable>: StateObserver, @unchecked Sendable {
  private let keyPath: any KeyPath<State, Value> & Sendable
  private let channel: ValueChannel<Value>
  /// The offset of the part, if it is stored.
  private let offset: Int?
  /// The value that was offered last. It saves the channel and its lock for most changes of other parts.
  private var last: Last?

  /// A value in an object, because unwrapping an optional of a generic type costs more than everything else here.
  private final class Last {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  init(keyPath: any KeyPath<State, Value> & Sendable, channel: ValueChannel<Value>) {
    self.keyPath = keyPath
    self.channel = channel
    offset = MemoryLayout<State>.offset(of: keyPath)
  }

  var isWatched: Bool { channel.isWatched }

  func offer(_ state: StateInPlace, _ effects: () -> LiveEffects) -> Bool {
    if let last, let offset, state.holds(last.value, at: offset) { return channel.isWatched }
    let value = state.part(keyPath)
    if offset == nil, let last, Sameness.areSame(last.value, value) { return channel.isWatched }
    let former = last
    last = Last(value)
    withExtendedLifetime(former) {}
    return channel.offer(value)
  }

  func finish() { channel.end() }
}

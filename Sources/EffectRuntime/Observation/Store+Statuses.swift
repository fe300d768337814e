// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Store {
  /// The statuses of an id: first the present one, then the newest whenever it has changed, also when nothing else
  /// changed.
  ///
  /// ```swift
  /// for await save in store.statuses(of: "save") { print(save.isRunning) }
  /// ```
  ///
  /// - Ordering: a status is shown together with the state, when the store has finished a turn or a budget's worth of
  ///   work. A slow iteration skips to the newest status, so it may never see a short run as running.
  /// - Cancellation: ends with the iterating task, with the release of the store, or after the last status of a store
  ///   that was shut down. It does not keep the store alive. An iteration that begins after the store has ended or was
  ///   released yields nothing.
  /// - Isolation: usable from anywhere.
  /// - Complexity: while an iteration exists, each change of a status is noted in O(1). Changes of other ids are not
  ///   delivered.
  /// - Parameter id: the id, with the scopes around it: `EffectID("load").scoped(by: EffectID(row))`. An optional id means the
  ///   id in it; with `nil` the status is idle and stays so.
  /// - Returns: a sequence that may be iterated several times, each from the present status on.
  public nonisolated func statuses(of id: some Hashable & Sendable) -> some AsyncSequence<EffectStatus, Never>
    & Sendable
  {
    let id = EffectID.unwrapping(id) ?? EffectID(Absent())
    return StateValues { [observers, mailbox] in
      let channel = ValueChannel<EffectStatus>()
      observers.statuses.add(ChannelObserver(channel), of: id)
      mailbox.post(.observe)
      return channel
    }
  }
}

/// An id that no work has.
private struct Absent: Hashable {}

private final class ChannelObserver: StatusObserver {
  private let channel: ValueChannel<EffectStatus>

  init(_ channel: ValueChannel<EffectStatus>) {
    self.channel = channel
  }

  var isWatched: Bool { channel.isWatched }
  func offer(_ id: EffectID, before: EffectStatus, now: EffectStatus) { _ = channel.offer(now) }
  func finish() { channel.end() }
}

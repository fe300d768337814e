// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Synchronization

/// The values of a part of a store's state over time; each iteration observes by itself.
struct StateValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  let subscribe: @Sendable () -> ValueChannel<Value>

  func makeAsyncIterator() -> Iterator {
    Iterator(subscribe: subscribe)
  }

  struct Iterator: AsyncIteratorProtocol {
    private let subscribe: @Sendable () -> ValueChannel<Value>
    private var subscription: Subscription?

    init(subscribe: @escaping @Sendable () -> ValueChannel<Value>) {
      self.subscribe = subscribe
    }

    /// Its release ends the observation: only the iterator holds it.
    private final class Subscription: Sendable {
      let channel: ValueChannel<Value>
      init(_ channel: ValueChannel<Value>) { self.channel = channel }
      deinit { channel.finish() }
    }

    /// Waits for the next value that differs from the last one returned. The first call begins to observe.
    ///
    /// - Returns: the value; `nil` at the end, and when the task is cancelled, which ends this iteration for good.
    mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      let channel: ValueChannel<Value>
      if let subscription {
        channel = subscription.channel
      } else {
        channel = subscribe()
        subscription = Subscription(channel)
      }
      return await withTaskCancellationHandler {
        await channel.next()
      } onCancel: {
        channel.finish()
      }
    }
  }
}

/// Which of the values a slow iteration is shown. In no case does it hold back the store.
public enum StateBuffering: Hashable, Sendable {
  /// The newest. Nothing else is kept.
  case newest
  /// Every one, in order: the value at the end of each turn, if it differs from the one before.
  ///
  /// What has not been read is kept without a limit. A reader that may be slower than the store for long should use
  /// ``newest``, or keep what it needs in the state.
  case unbounded
}

/// Holds what its reader has not read: the newest value, or all values.
///
/// Values are released outside the lock, because the release of a value may run user code, and that code may end the
/// iteration.
final class ValueChannel<Value: Equatable & Sendable>: Sendable {
  private struct Inbox {
    /// The newest value, if it has not been read.
    var newest: Value?
    /// The values before it that have not been read, behind the places of those that have been.
    var earlier: [Value?] = []
    var readOfEarlier = 0
    /// Usually one; more if an iterator was copied.
    var readers: [CheckedContinuation<Value?, Never>] = []
    /// The value that the reader was shown last, so that it is not shown twice.
    var seen: Value?
    /// How often `seen` has changed.
    var reads = 0
    /// The reader has ended.
    var isFinished = false
    /// No further value will come.
    var hasEnded = false

    /// Takes the first value that has not been read.
    mutating func takeFirst() -> Value? {
      guard readOfEarlier < earlier.count else {
        defer { newest = nil }
        return newest
      }
      defer {
        earlier[readOfEarlier] = nil
        readOfEarlier += 1
        // Read values leave when they are half of the list, so reading is amortized O(1).
        if readOfEarlier * 2 >= earlier.count {
          earlier.removeFirst(readOfEarlier)
          readOfEarlier = 0
        }
      }
      return earlier[readOfEarlier]
    }
  }

  private let buffering: StateBuffering
  private let inbox = Lock(Inbox())
  /// The same as `isFinished`, without the lock: a store checks it after every slice.
  private let hasLeft = Atomic<Bool>(false)

  init(_ buffering: StateBuffering = .newest) {
    self.buffering = buffering
  }

  /// Whether the reader has not ended.
  var isWatched: Bool { !hasLeft.load(ordering: .relaxed) }

  /// Whether there is a value that the reader has not read.
  var hasUnseen: Bool { inbox.withLock { $0.newest != nil } }

  /// Waits for a value that differs from the last one.
  func next() async -> Value? {
    await withCheckedContinuation { continuation in
      var former: Value?
      let answer: Value?? = inbox.withLock { inbox in
        if inbox.isFinished { return .some(nil) }
        guard let value = inbox.takeFirst() else {
          if inbox.hasEnded { return .some(nil) }
          inbox.readers.append(continuation)
          return nil
        }
        former = inbox.seen
        inbox.seen = value
        inbox.reads += 1
        return value
      }
      withExtendedLifetime(former) {}
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Shows a value to the reader; `false` if it has ended.
  func offer(_ value: Value) -> Bool {
    while true {
      let (seen, reads, isFinished) = inbox.withLock { ($0.seen, $0.reads, $0.isFinished) }
      if isFinished { return false }
      // `==` is user code, so it is called without the lock. If a value is read meanwhile, `reads` has changed.
      let isSeen = buffering == .newest && Sameness.areSame(seen, value)
      var readers: [CheckedContinuation<Value?, Never>] = []
      var former: Value?
      let isCurrent = inbox.withLock { inbox in
        guard inbox.reads == reads, !inbox.isFinished else { return false }
        former = inbox.newest
        if isSeen {
          // The value has changed and changed back before it was read. The reader has seen it already.
          inbox.newest = nil
        } else if inbox.readers.isEmpty {
          if buffering == .unbounded, let newest = inbox.newest { inbox.earlier.append(newest) }
          inbox.newest = value
        } else {
          swap(&readers, &inbox.readers)
          // `seen` above still holds the value that this replaces.
          inbox.seen = value
          inbox.reads += 1
        }
        return true
      }
      withExtendedLifetime((former, seen)) {}
      guard isCurrent else { continue }
      for reader in readers { reader.resume(returning: value) }
      return true
    }
  }

  /// No further value will come; those before can still be read.
  func end() {
    let readers = inbox.withLock { inbox in
      inbox.hasEnded = true
      defer { inbox.readers = [] }
      return inbox.readers
    }
    for reader in readers { reader.resume(returning: nil) }
  }

  /// The reader has ended: its waiting calls return `nil`.
  func finish() {
    hasLeft.store(true, ordering: .relaxed)
    let former = inbox.withLock { inbox in
      defer { inbox = Inbox(isFinished: true) }
      return inbox
    }
    for reader in former.readers { reader.resume(returning: nil) }
  }
}

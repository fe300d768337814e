// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// The values of a part of a store's state over time; made by ``Store/values(_:buffering:)``.
///
/// The first element is the value when the iteration begins, then one whenever it has changed. A slow iteration skips
/// to the newest value: nothing is buffered but that, unless ``StateBuffering/every(limit:)`` was asked for.
///
/// - Isolation: iterate anywhere; each iteration watches by itself.
/// - Cancellation: ends when the iterating task is cancelled, and, behind the newest value, when the store has been shut
///   down or is gone. It does not keep the store alive.
public struct StateValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// What the sequence yields.
  public typealias Element = Value
  /// It ends, it does not fail.
  public typealias Failure = Never

  let subscribe: @Sendable () -> any ValueSource<Value>

  /// Begins to watch at the first call of `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscribe: subscribe)
  }

  /// One iteration.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscribe: @Sendable () -> any ValueSource<Value>
    private var subscription: Subscription?

    /// Its release ends the watch: nobody holds it but the iterator.
    private final class Subscription: Sendable {
      let channel: any ValueSource<Value>
      init(_ channel: any ValueSource<Value>) { self.channel = channel }
      deinit { channel.finish() }
    }

    init(subscribe: @escaping @Sendable () -> any ValueSource<Value>) {
      self.subscribe = subscribe
    }

    /// The next value that differs from the last one returned; `nil` at the end.
    public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }

    /// The next value that differs from the last one returned; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      let channel: any ValueSource<Value>
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

/// What a slow iteration is shown of the values that came meanwhile.
public enum StateBuffering: Hashable, Sendable {
  /// The newest. Nothing else is kept, and nobody waits.
  case newest
  /// Every one, in order: the value at the end of each turn, if it differs from the one before.
  ///
  /// While more than `limit` (at least 1) of them have not been read, `await send.delivered(_:)` does not return, and so neither does a
  /// stream or a timer go on: those who produce go at the pace of those who look. Whoever sends without waiting is not held
  /// back, nothing is lost, and the buffer grows beyond the limit. Do not wait inside such a loop for an effect that waits for
  /// delivery.
  case every(limit: Int)
}

/// What an iteration reads from, and a store writes into.
protocol ValueSource<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable
  var isWatched: Bool { get }
  /// Waits for the next value; `nil` at the end.
  func next() async -> Value?
  /// Shows a value; `false` if nobody reads any more.
  func offer(_ value: Value) -> Bool
  /// No further value will come.
  func end()
  /// Nobody reads any more.
  func finish()
}

/// Holds the newest value that its reader has not seen.
///
/// Values are let go of outside the lock, here as everywhere: the release of one may run user code, and that may end the
/// very iteration it was for.
final class ValueChannel<Value: Equatable & Sendable>: ValueSource {
  private struct Inbox {
    var newest: Value?
    /// Usually one; more if an iterator was copied.
    var readers: [CheckedContinuation<Value?, Never>] = []
    /// What the reader saw last, so that it is not shown twice.
    var seen: Value?
    /// How often `seen` has changed.
    var reads = 0
    /// Nobody reads any more.
    var isFinished = false
    /// No further value will come.
    var hasEnded = false
  }

  private let inbox = Lock(Inbox())
  /// As in the inbox, for a store that asks after every slice.
  private let hasLeft = Atomic<Bool>(false)

  var isWatched: Bool { !hasLeft.load(ordering: .relaxed) }

  /// Whether there is a value the reader has not seen.
  var hasUnseen: Bool { inbox.withLock { $0.newest != nil } }

  /// Waits for a value that differs from the last one.
  func next() async -> Value? {
    await withCheckedContinuation { continuation in
      var former: Value?
      let answer: Value?? = inbox.withLock { inbox in
        if inbox.isFinished { return .some(nil) }
        guard let value = inbox.newest else {
          if inbox.hasEnded { return .some(nil) }
          inbox.readers.append(continuation)
          return nil
        }
        former = inbox.seen
        inbox.newest = nil
        inbox.seen = value
        inbox.reads += 1
        return value
      }
      withExtendedLifetime(former) {}
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Puts a value in place of the newest; `false` if nobody listens any more.
  func offer(_ value: Value) -> Bool {
    while true {
      let (seen, reads, isFinished) = inbox.withLock { ($0.seen, $0.reads, $0.isFinished) }
      if isFinished { return false }
      // `==` is user code, so it is called without the lock; who reads meanwhile has seen something else.
      let isSeen = seen == value
      var readers: [CheckedContinuation<Value?, Never>] = []
      var former: Value?
      let isCurrent = inbox.withLock { inbox in
        guard inbox.reads == reads else { return false }
        former = inbox.newest
        if isSeen {
          // There and back again while nobody looked: nothing has changed for the reader.
          inbox.newest = nil
        } else if inbox.readers.isEmpty {
          inbox.newest = value
        } else {
          swap(&readers, &inbox.readers)
          // `seen` above still holds the one this replaces.
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

  /// No further value will come; the newest can still be read.
  func end() {
    let readers = inbox.withLock { inbox in
      inbox.hasEnded = true
      defer { inbox.readers = [] }
      return inbox.readers
    }
    for reader in readers { reader.resume(returning: nil) }
  }

  func finish() {
    hasLeft.store(true, ordering: .relaxed)
    let readers = inbox.withLock { inbox in
      inbox.isFinished = true
      defer { inbox.readers = [] }
      return inbox.readers
    }
    for reader in readers { reader.resume(returning: nil) }
  }
}

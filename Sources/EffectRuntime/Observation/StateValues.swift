// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// The values of a part of a store's state over time; made by ``Store/values(_:buffering:)``.
///
/// The first element is the value when the iteration begins. One more follows whenever the value has changed. A slow
/// iteration skips to the newest value: only that value is buffered, unless you chose ``StateBuffering/every(limit:)``.
///
/// - Isolation: iterate anywhere; each iteration observes by itself.
/// - Cancellation: ends when the iterating task is cancelled, and, after the newest value, when the store has been shut
///   down or released. It does not keep the store alive.
public struct StateValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// The value of the part of the state.
  public typealias Element = Value
  /// It ends without an error.
  public typealias Failure = Never

  let subscribe: @Sendable () -> any ValueSource<Value>

  /// Begins to observe at the first call of `next()`.
  ///
  /// - Returns: an iteration that observes by itself.
  public func makeAsyncIterator() -> Iterator {
    Iterator(subscribe: subscribe)
  }

  /// One iteration.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscribe: @Sendable () -> any ValueSource<Value>
    private var subscription: Subscription?

    /// Its release ends the observation: only the iterator holds it.
    private final class Subscription: Sendable {
      let channel: any ValueSource<Value>
      init(_ channel: any ValueSource<Value>) { self.channel = channel }
      deinit { channel.finish() }
    }

    init(subscribe: @escaping @Sendable () -> any ValueSource<Value>) {
      self.subscribe = subscribe
    }

    /// Waits for the next value that differs from the last one returned.
    ///
    /// - Returns: the value; `nil` at the end, and when the task is cancelled, which ends this iteration for good.
    public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }

    /// Waits for the next value that differs from the last one returned.
    ///
    /// - Parameter actor: the isolation of the caller.
    /// - Returns: the value; `nil` at the end, and when the task is cancelled, which ends this iteration for good.
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

/// Which of the values a slow iteration is shown.
public enum StateBuffering: Hashable, Sendable {
  /// The newest. Nothing else is kept, and no sender waits.
  case newest
  /// Every one, in order: the value at the end of each turn, if it differs from the one before.
  ///
  /// While more than `limit` (at least 1) of them have not been read, `await send.delivered(_:)` does not return. So a
  /// stream or a timer does not continue either: producers go at the pace of the readers. Sends that do not wait are
  /// not held back: the buffer grows beyond the limit, and no value is lost. Inside the loop over the values, do not wait
  /// for an effect that waits for delivery: neither could continue.
  case every(limit: Int)
}

/// The buffer between a store and an iteration.
protocol ValueSource<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable
  /// Whether the reader has not ended.
  var isWatched: Bool { get }
  /// Waits for the next value; returns `nil` at the end.
  func next() async -> Value?
  /// Shows a value; returns `false` if the reader has ended.
  func offer(_ value: Value) -> Bool
  /// No further value will come.
  func end()
  /// The reader has ended.
  func finish()
}

/// Holds the newest value that its reader has not read.
///
/// Values are released outside the lock, because the release of a value may run user code, and that code may end the
/// iteration.
final class ValueChannel<Value: Equatable & Sendable>: ValueSource {
  private struct Inbox {
    var newest: Value?
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
  }

  private let inbox = Lock(Inbox())
  /// The same as `isFinished`, without the lock: a store checks it after every slice.
  private let hasLeft = Atomic<Bool>(false)

  var isWatched: Bool { !hasLeft.load(ordering: .relaxed) }

  /// Whether there is a value that the reader has not read.
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

  /// Replaces the newest value; `false` if the reader has ended.
  func offer(_ value: Value) -> Bool {
    while true {
      let (seen, reads, isFinished) = inbox.withLock { ($0.seen, $0.reads, $0.isFinished) }
      if isFinished { return false }
      // `==` is user code, so it is called without the lock. If a value is read meanwhile, `reads` has changed.
      let isSeen = seen == value
      var readers: [CheckedContinuation<Value?, Never>] = []
      var former: Value?
      let isCurrent = inbox.withLock { inbox in
        guard inbox.reads == reads else { return false }
        former = inbox.newest
        if isSeen {
          // The value has changed and changed back before it was read. The reader has seen it already.
          inbox.newest = nil
        } else if inbox.readers.isEmpty {
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

  /// No further value will come; the newest can still be read.
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
    let readers = inbox.withLock { inbox in
      inbox.isFinished = true
      defer { inbox.readers = [] }
      return inbox.readers
    }
    for reader in readers { reader.resume(returning: nil) }
  }
}

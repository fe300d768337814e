// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The calls of a mock, as a value: those that wait, and those that ended last.
///
/// A call has a number and a reply, by which its task is resumed. ``end(_:_:)`` returns the reply once. So a call ends once:
/// by an answer or by a cancel, whichever comes first.
struct CallBook<Input: Sendable, Reply: Sendable>: Sendable {
  enum Ending: Sendable {
    case answered, failed, cancelled
  }

  struct Call: Sendable {
    let number: UInt64
    let input: Input
    let reply: Reply
  }

  struct EndedCall: Sendable {
    let number: UInt64
    let input: Input
    let ending: Ending
  }

  /// How many ended calls are kept for failure texts.
  static var endedLimit: Int { 10 }

  /// The calls that wait, in the order of their numbers.
  private(set) var pending: [Call] = []
  /// The calls that ended last, in the order of their ends.
  private(set) var ended: [EndedCall] = []
  /// How many calls have ended.
  private(set) var endedCount = 0
  /// The tasks that wait until a number of calls wait.
  private var watchers: [(count: Int, waiter: Waiter)] = []

  /// Adds a call that begins to wait.
  mutating func begin(_ number: UInt64, _ input: Input, _ reply: Reply) {
    // Two threads may take their numbers in one order and add their calls in the other order.
    var place = pending.count
    while place > 0, pending[place - 1].number > number { place -= 1 }
    pending.insert(Call(number: number, input: input, reply: reply), at: place)
  }

  /// Ends a call. Returns its reply, and the oldest ended call if that is removed now; `nil` if the call has ended before.
  ///
  /// Release the removed call when the lock is no longer held: its input may have a `deinit` that uses the mock.
  mutating func end(_ number: UInt64, _ ending: Ending) -> (reply: Reply, forgotten: EndedCall?)? {
    guard let index = position(of: number) else { return nil }
    let call = pending.remove(at: index)
    endedCount += 1
    let forgotten = ended.count == Self.endedLimit ? ended.removeFirst() : nil
    ended.append(EndedCall(number: number, input: call.input, ending: ending))
    return (call.reply, forgotten)
  }

  /// The position of a call among those that wait; `nil` if it does not wait.
  func position(of number: UInt64) -> Int? {
    var (low, high) = (0, pending.count)
    while low < high {
      let middle = (low + high) / 2
      if pending[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < pending.count && pending[low].number == number ? low : nil
  }

  // MARK: - Watchers

  /// Adds a task that waits until `count` calls wait; `false` if they do already.
  mutating func watch(_ count: Int, _ waiter: Waiter) -> Bool {
    guard pending.count < count else { return false }
    watchers.append((count, waiter))
    return true
  }

  /// Takes out the waiters for which enough calls wait now.
  mutating func takeWatchers() -> [Waiter] {
    if watchers.isEmpty { return [] }
    let count = pending.count
    defer { watchers.removeAll { $0.count <= count } }
    return watchers.filter { $0.count <= count }.map(\.waiter)
  }

  /// Takes out a waiter whose task was cancelled.
  mutating func removeWatcher(_ waiter: Waiter) {
    watchers.removeAll { $0.waiter === waiter }
  }
}

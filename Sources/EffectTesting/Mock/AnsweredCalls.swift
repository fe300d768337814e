// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Synchronization

/// The calls of mocks that answer by themselves, for a listener of the store whose run makes the call.
///
/// A mock has no reference to the store of its feature, so listeners are listed here by the number of their store's mailbox.
enum AnsweredCalls {
  private static let listeners = Lock<[UInt64: any AnsweredCallsListener]>([:])
  private static let count = Atomic<Int>(0)

  static func add(_ listener: any AnsweredCallsListener, for store: UInt64) {
    listeners.withLock { $0[store] = listener }
    count.add(1, ordering: .relaxed)
  }

  static func removeListener(of store: UInt64) {
    // Released when the lock is no longer held: a listener keeps inputs and answers of the user.
    let removed = listeners.withLock { $0.removeValue(forKey: store) }
    if removed != nil { count.subtract(1, ordering: .relaxed) }
  }

  /// A mock has determined the answer to a call of the current task.
  static func begin<Input: Sendable, Output: Sendable>(
    _ mock: any AnsweredMock, _ input: Input, _ result: Result<Output, any Error>
  ) {
    guard let (listener, run) = current else { return }
    listener.callBegins(of: mock, input, result.map { $0 as any Sendable }, in: run.token)
  }

  /// The call of the current task returns.
  static func end() {
    guard let (listener, run) = current else { return }
    listener.callEnds(in: run.token)
  }

  private static var current: (any AnsweredCallsListener, CurrentRun)? {
    // Nearly always there is no listener.
    guard count.load(ordering: .relaxed) > 0, let run = CurrentRun.identity,
      let listener = listeners.withLock({ $0[run.store] })
    else { return nil }
    return (listener, run)
  }
}

/// Called on the thread of the call.
protocol AnsweredCallsListener: Sendable {
  func callBegins(
    of mock: any AnsweredMock, _ input: any Sendable, _ result: Result<any Sendable, any Error>, in run: Token)
  func callEnds(in run: Token)
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime
internal import Synchronization

/// The calls of mocks that wait for an answer of the test, by the store whose run made them.
///
/// A mock does not know the store of the feature that it is given to, and a store does not know the mocks. But a step of a
/// test must know that a run waits for the test itself, because waiting for this run in real time would be of no use. So a
/// call is listed here while it waits.
enum AwaitedAnswers {
  /// A call of a run.
  struct Call: Sendable {
    let number: UInt64
    let token: Token
    let mock: any AnsweredMock

    /// For failure texts; `nil` if it has ended meanwhile.
    var answer: AwaitedAnswer? { mock.awaitedAnswer(to: number) }
  }

  /// The number of the newest call of all mocks; zero if there has never been one.
  private static let newest = Atomic<UInt64>(0)
  private static let book = Lock(Book())

  private struct Book {
    /// The calls by store and number.
    var calls: [UInt64: [UInt64: Call]] = [:]
    /// By store, what is notified when a run begins to wait.
    var observers: [UInt64: TestExecutor] = [:]
  }

  /// The number of a call that begins.
  static func nextNumber() -> UInt64 { newest.add(1, ordering: .relaxed).newValue }

  /// A call waits. Its mock lists it as pending before, so that a step that is woken here finds it there.
  static func begin(_ number: UInt64, of mock: any AnsweredMock, in run: CurrentRun?) {
    guard let run else { return }
    let observer = book.withLock { book in
      book.calls[run.store, default: [:]][number] = Call(number: number, token: run.token, mock: mock)
      return book.observers[run.store]
    }
    // Another thread may have answered it before it was listed here.
    if !mock.isPending(number) { end(number, in: run) }
    observer?.scheduleDrain()
  }

  /// A call has ended. Called before its task is resumed: from then on the task may do anything.
  static func end(_ number: UInt64, in run: CurrentRun?) {
    guard let run else { return }
    let ended = book.withLock { book in
      defer { if book.calls[run.store]?.isEmpty == true { book.calls[run.store] = nil } }
      return book.calls[run.store]?.removeValue(forKey: number)
    }
    // Released after the lock: it may be the last to hold the mock, and its inputs are of the user.
    withExtendedLifetime(ended) {}
  }

  /// The runs of a store that wait for an answer, each with its oldest call.
  static func of(_ store: UInt64) -> [Token: Call] {
    // Most tests use no mock.
    guard newest.load(ordering: .relaxed) > 0, let own = book.withLock({ $0.calls[store] }) else { return [:] }
    let pending = own.values.filter { $0.mock.isPending($0.number) }
    return Dictionary(pending.map { ($0.token, $0) }) { $0.number < $1.number ? $0 : $1 }
  }

  /// From now on a step of this store that waits in real time is woken when a run begins to wait for an answer.
  static func notify(_ executor: TestExecutor, of store: UInt64) {
    book.withLock { $0.observers[store] = executor }
  }

  /// The store is released.
  static func forget(_ store: UInt64) {
    book.withLock { $0.observers[store] = nil }
  }
}

/// A mock whose calls wait for a test.
protocol AnsweredMock: Sendable {
  /// Whether a call waits.
  func isPending(_ number: UInt64) -> Bool

  /// What a call waits for; `nil` if it has ended.
  func awaitedAnswer(to number: UInt64) -> AwaitedAnswer?
}

/// What a run waits for, in a failure text.
struct AwaitedAnswer {
  /// What it waits for: the mock and the input.
  let text: String
  /// The step that answers, as code.
  let code: String
}

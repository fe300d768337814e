// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime
internal import Synchronization

/// The calls of mocks that wait for an answer of the test, by the store whose run made them.
///
/// A step of a test must not wait in real time for a run that waits for an answer, because only the test can give the answer.
/// But a mock has no reference to the store of its feature, and a store has none to the mocks. So each call of a run is
/// listed here while it waits.
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
    /// By store, who is notified when a run begins to wait.
    var observers: [UInt64: any MailboxOwner] = [:]
  }

  /// The number of a call that begins.
  static func nextNumber() -> UInt64 { newest.add(1, ordering: .relaxed).newValue }

  /// Lists a call that waits. The mock lists it as pending before, so that a step that is woken here finds it there.
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

  /// Removes a call that has ended. Called before its task is resumed, so that a task that goes on is not listed any more.
  static func end(_ number: UInt64, in run: CurrentRun?) {
    guard let run else { return }
    let ended = book.withLock { book in
      defer { if book.calls[run.store]?.isEmpty == true { book.calls[run.store] = nil } }
      return book.calls[run.store]?.removeValue(forKey: number)
    }
    // Released when the lock is no longer held: this may release the mock, and then a `deinit` of a user's input runs.
    withExtendedLifetime(ended) {}
  }

  /// The runs of a store that wait for an answer, each with its oldest call.
  static func of(_ store: UInt64) -> [Token: Call] {
    // Most tests use no mock.
    guard newest.load(ordering: .relaxed) > 0, let own = book.withLock({ $0.calls[store] }) else { return [:] }
    let pending = own.values.filter { $0.mock.isPending($0.number) }
    return Dictionary(pending.map { ($0.token, $0) }) { $0.number < $1.number ? $0 : $1 }
  }

  /// Registers the executor of a store: a step that waits in real time is woken when a run begins to wait for an answer.
  static func notify(_ executor: any MailboxOwner, of store: UInt64) {
    book.withLock { $0.observers[store] = executor }
  }

  /// Removes the executor of a store that is released.
  static func forget(_ store: UInt64) {
    book.withLock { $0.observers[store] = nil }
  }
}

/// A mock, without its types.
protocol AnsweredMock: AnyObject, Sendable {
  var words: MockWords { get }

  /// Whether a call waits.
  func isPending(_ number: UInt64) -> Bool

  /// Answers a call with an answer that came too early, which was a failure. Returns `false` if there is none.
  func answerEarly(_ number: UInt64) -> Bool

  /// What a call waits for; `nil` if it has ended.
  func awaitedAnswer(to number: UInt64) -> AwaitedAnswer?
}

/// A mock in code.
struct MockWords {
  /// The name of the constant; `nil` if it is not known.
  let name: String?
  /// Its type: `Mock<Int, Array<Int>>`.
  let type: String
  /// The types of closures that call it.
  let calls: [Any.Type]

  func isCalled(by closure: Any.Type) -> Bool { calls.contains { $0 == closure } }
}

/// What a run waits for, in a failure text.
struct AwaitedAnswer {
  /// What it waits for: the mock and the input.
  let text: String
  /// The step that answers: as code, or described.
  let step: String
  /// A mock of the same type that answers by itself: as code, or described.
  let answering: String
}

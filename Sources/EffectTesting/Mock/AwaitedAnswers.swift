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
    private let describe: @Sendable (UInt64) -> AwaitedAnswer?

    init(number: UInt64, token: Token, _ describe: @escaping @Sendable (UInt64) -> AwaitedAnswer?) {
      self.number = number
      self.token = token
      self.describe = describe
    }

    /// For failure texts; `nil` if it has ended meanwhile.
    var answer: AwaitedAnswer? { describe(number) }
  }

  /// The number of the newest call of all mocks; zero if there has never been one.
  private static let newest = Atomic<UInt64>(0)
  /// The calls by store and number.
  private static let calls = Lock<[UInt64: [UInt64: Call]]>([:])

  /// A call of a run, or of no run, begins. Returns its number. Lists it if it is of a run.
  static func begin(in run: CurrentRun?, _ describe: @escaping @Sendable (UInt64) -> AwaitedAnswer?) -> UInt64 {
    let number = newest.add(1, ordering: .relaxed).newValue
    if let run {
      let call = Call(number: number, token: run.token, describe)
      calls.withLock { $0[run.store, default: [:]][number] = call }
    }
    return number
  }

  /// A call ends. Called before its task is resumed: from then on the task may do anything.
  static func end(_ number: UInt64, in run: CurrentRun?) {
    guard let run else { return }
    calls.withLock { calls in
      calls[run.store]?[number] = nil
      if calls[run.store]?.isEmpty == true { calls[run.store] = nil }
    }
  }

  /// The runs of a store that wait for an answer, each with its oldest call.
  static func of(_ store: UInt64) -> [Token: Call] {
    // Most tests use no mock.
    guard newest.load(ordering: .relaxed) > 0, let own = calls.withLock({ $0[store] }) else { return [:] }
    return Dictionary(own.values.map { ($0.token, $0) }) { $0.number < $1.number ? $0 : $1 }
  }
}

/// What a run waits for, in a failure text.
struct AwaitedAnswer {
  /// What it waits for: the mock and the input.
  let text: String
  /// The step that answers, as code.
  let code: String
}

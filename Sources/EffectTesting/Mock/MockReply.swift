// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// What the task of a call waits for. It is resumed once, by the code that has taken the call out of its ``CallBook``.
final class MockReply<Output: Sendable>: Sendable {
  /// The run that makes the call.
  let run: CurrentRun?
  private let waiter = Waiter()
  private let result = Lock<Result<Output, any Error>?>(nil)

  init(of run: CurrentRun?) {
    self.run = run
  }

  /// Resumes the task.
  func resume(with answer: Result<Output, any Error>) {
    result.withLock { $0 = answer }
    waiter.answer(true)
  }

  /// Suspends until the answer is given.
  func value() async throws -> Output {
    _ = await waiter.wait()
    guard let answer = result.withLock({ $0 }) else {
      fatalError("MockReply: resumed without an answer; bug in EffectTesting, please report")
    }
    return try answer.get()
  }
}

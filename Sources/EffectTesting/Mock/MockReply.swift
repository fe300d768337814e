// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// What the task of a call waits for. The task is resumed once, by the code that has ended the call in its ``CallBook``.
final class MockReply<Output: Sendable>: Sendable {
  /// The run that makes the call; `nil` if no run makes it.
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

  /// Suspends until the answer is given. Returns its value, or throws its error.
  func value() async throws -> Output {
    _ = await waiter.wait()
    guard let answer = result.withLock({ $0 }) else {
      fatalError("MockReply: resumed without an answer; bug in EffectTesting, please report")
    }
    return try answer.get()
  }
}

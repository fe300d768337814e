// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// What the task of a call waits for. The task is resumed once, by the code that has ended the call in its ``CallBook``.
final class MockReply<Output: Sendable>: Sendable {
  private struct State {
    var answer: Result<Output, any Error>?
    /// What executes the task that calls, also if a run has made this task: see ``GlobalJobs``.
    weak var receiver: (any GlobalJobReceiver)?
  }

  /// The run that makes the call; `nil` if no run makes it.
  let run: CurrentRun?
  private let waiter = Waiter()
  private let state = Lock(State(receiver: GlobalJobs.receiver))

  init(of run: CurrentRun?) {
    self.run = run
  }

  /// Resumes the task.
  func resume(with answer: Result<Output, any Error>) {
    let receiver = state.withLock { state in
      state.answer = answer
      return state.receiver
    }
    GlobalJobs.watching(receiver) { waiter.answer(true) }
  }

  /// Suspends until the answer is given. Returns its value, or throws its error.
  func value() async throws -> Output {
    _ = await waiter.wait()
    guard let answer = state.withLock({ $0.answer }) else {
      fatalError("MockReply: resumed without an answer; bug in EffectTesting, please report")
    }
    return try answer.get()
  }
}

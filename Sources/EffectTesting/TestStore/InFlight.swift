// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// Everything that has not ended, for failure texts.
@usableFromInline
struct InFlight {
  let runs: [Run]
  /// The deadlines of sleepers that belong to no run, such as detached tasks.
  let strangers: [TestClock.Instant]
  let now: TestClock.Instant

  var isEmpty: Bool { runs.isEmpty }

  /// A run whose closure has not returned, or that waits for its time.
  struct Run {
    let token: Token
    let run: EffectRun
    /// The action whose effect it is; `nil` if it waited for the end of another run.
    let cause: Any?
    /// When it wakes, if it sleeps on the test's clock.
    let wakes: TestClock.Instant?
    /// The call of a mock that it waits for.
    let awaited: AwaitedAnswers.Call?
    /// The time before the last move of the clock that happened while it was suspended outside.
    let missed: Duration?
    let isCancelled: Bool
    /// Whether it follows from an action that a failure has named.
    let isExcused: Bool
    /// What it waits for its time to do; `nil` if its closure executes.
    let postponed: Postponed?

    enum Postponed { case toStart, toTryAgain }

    /// Whether neither the test's clock nor an answer of a mock wakes it.
    var isOutside: Bool { wakes == nil && awaited == nil }
  }

  func only(_ isIncluded: (Run) -> Bool) -> InFlight {
    InFlight(runs: runs.filter(isIncluded), strangers: strangers, now: now)
  }
}

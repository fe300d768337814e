// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// How much of what can happen a search tries. Each level contains the one before; a search climbs them, as far as its
  /// budget goes.
  ///
  /// Use it to say how much must be proved: `result.expectComplete(.timers)`.
  public enum Level: Sendable, CaseIterable, Comparable {
    /// Every order of sent actions and answers. An action is reduced as soon as it is sent. A deadline (of a delay, debounce,
    /// timeout, retry, timer or sleep) fires when nothing else can happen.
    case answers
    /// The same, and deadlines may fire at any moment: also when an answer is late.
    case timers
    /// The same, and an action that was sent may wait before it is reduced: as when the store is busy, or on another thread.
    case deliveries
    /// The same, and each job of a run is a step of its own, so that runs take turns at every `await` and behind every
    /// action that they send.
    case steps

    /// Whether deadlines fire only when nothing else can happen.
    var holdsDeadlines: Bool { self < .timers }
    /// Whether messages are taken from the mailbox at once.
    var isEager: Bool { self < .deliveries }
    /// Whether a job runs together with all jobs that it makes ready. Then it never stops between two lines.
    var joinsJobs: Bool { self < .steps }
  }
}

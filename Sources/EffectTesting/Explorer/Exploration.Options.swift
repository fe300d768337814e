// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime

extension Exploration {
  /// What few explorations need to say.
  public struct Options: Sendable {
    let upTo: Exploration.Level
    let seed: UInt64
    let steps: Int
    let deadlines: Int
    let carrying: [CarriedValue]
    /// For tests of the explorer: what is tried instead of all levels.
    var search: Search?

    /// The usual options, except those that are named.
    ///
    /// - Parameters:
    ///   - upTo: the highest level that is tried.
    ///   - seed: the seed of all random choices.
    ///   - steps: how many steps a schedule may have. A schedule with more is cut, and proves nothing.
    ///   - deadlines: how many deadlines may fire in a schedule. A schedule with more is cut, and proves nothing.
    ///   - carrying: the task-locals that runs have as the script had them where their action was sent; see
    ///     ``/EffectRuntime/CarriedValue``.
    public init(
      upTo: Exploration.Level = .steps, seed: UInt64 = 1, steps: Int = 1_000, deadlines: Int = 20,
      carrying: [CarriedValue] = []
    ) {
      self.upTo = upTo
      self.seed = seed
      self.steps = steps
      self.deadlines = deadlines
      self.carrying = carrying
    }
  }
}

extension Exploration {
  /// How much of what can happen a search tries. Each level contains the one before; a search climbs them, as far as its
  /// budget goes.
  ///
  /// Use it to say how much must be proved: `result.expectComplete(.timers)`.
  public enum Level: Sendable, CaseIterable, Comparable {
    /// Every order of sent actions and answers. An action is reduced as soon as it is sent. A deadline (of a delay, debounce,
    /// timeout, retry, timer or sleep) fires when nothing else can happen.
    case answers
    /// The same, and deadlines may fire at any moment: also when an answer is late. What waits for no answer comes before later
    /// deadlines: a `catch` that is called, a tick of a timer, and an action whose delay is over.
    case timers
    /// The same, and an action that was sent may wait before it is reduced, and so may the end of a run: as when the store is busy,
    /// or on another thread. No time passes meanwhile.
    case deliveries
    /// The same, and each job of a run is a step of its own, so that runs take turns at every `await` and behind every
    /// action that they send. Time may pass while something waits.
    case steps

    /// Whether deadlines fire only when nothing else can happen.
    var holdsDeadlines: Bool { self < .timers }
    /// Whether messages are taken from the mailbox at once.
    var isEager: Bool { self < .deliveries }
    /// Whether a job runs together with all jobs that it makes ready. Then it never stops between two lines.
    var joinsJobs: Bool { self < .steps }
  }
}

extension Exploration {
  /// How long a search may go on. It ends earlier when every level is complete, or when a property is violated.
  public struct Budget: Sendable {
    /// How many schedules may be run; `nil` if only the time is limited.
    let schedules: Int?
    /// How much real time may pass; `nil` if only schedules are counted.
    let duration: Duration?

    /// Until this number of schedules has been run. The result is the same on every machine.
    ///
    /// - Parameter count: how many, at least 1.
    /// - Returns: the budget.
    public static func schedules(_ count: Int) -> Budget { Budget(schedules: count, duration: nil) }

    /// Until this much real time has passed. A schedule that has begun then is still run to its end. How far the search
    /// comes depends on the machine.
    ///
    /// - Parameter duration: how much, more than zero.
    /// - Returns: the budget.
    public static func duration(_ duration: Duration) -> Budget { Budget(schedules: nil, duration: duration) }
  }
}

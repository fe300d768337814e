// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// How finely the work of effects is interleaved.
  public enum Grain: String, Sendable, CustomStringConvertible {
    /// A job is chosen, and runs together with all jobs that it makes ready, until none of these is left. Fast, and
    /// enough for most bugs; but the work between two hops of one run to an actor is never interleaved with that of
    /// another run.
    case descend
    /// Every job is a choice. A job is the code between two suspensions that really give up the thread. It also stops between two
    /// actions that it sends, and behind an action where a cancel can reach its run.
    case everyJob

    /// As in code.
    public var description: String { rawValue }
  }

  /// When messages are taken from the mailbox.
  public enum Delivery: Sendable {
    /// At any time: a choice of its own, as with a store on another thread.
    case anyTime
    /// At once, as with a store that is never busy. This gives far fewer schedules.
    case eager
  }
}

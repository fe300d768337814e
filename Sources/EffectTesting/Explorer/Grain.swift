// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// How finely the work of effects is interleaved.
  public enum Grain: String, Sendable, CustomStringConvertible {
    /// A job is chosen and goes on, with all that it makes ready, until nothing of that is left. Fast, and enough for most
    /// bugs; but what happens between two hops of one run to an actor is never interleaved with another run's.
    case descend
    /// Every job is a choice: each stretch between two suspensions that really gives up the thread.
    case everyJob

    /// As in code.
    public var description: String { rawValue }
  }

  /// When messages are taken from the mailbox.
  public enum Delivery: Sendable {
    /// At any time: a choice of its own, as with a store on another thread.
    case anyTime
    /// At once, as with a store that is never busy. Far fewer schedules.
    case eager
  }
}

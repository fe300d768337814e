// This source file is part of swift-effects. License: Apache-2.0.

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

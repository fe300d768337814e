// This source file is part of swift-effects. License: Apache-2.0.

extension Exploration {
  /// Which schedules an exhaustive search leaves out, because they are equivalent to others.
  public enum Reduction: Sendable {
    /// None: every schedule is run.
    case none
    /// Of the schedules that differ only in the order of independent steps, one is run.
    ///
    /// Two steps are independent if nothing can observe their order: a line of the script and a job that posts nothing;
    /// a line of the script and a turn; a job and a turn that cancels no run and wakes none. Jobs are never independent
    /// of each other, so mocks may share memory. Faults, ends of runs, deadlines, and steps of a script that
    /// wait or let time pass are independent of hardly anything.
    ///
    /// This is right as long as no reducer, no property, and no `deinit` of what a run holds uses memory that the code
    /// of runs writes. When a search has tried everything, up to 100 random schedules are compared with an equivalent
    /// one each. If the two differ, the test fails.
    ///
    /// Only searches that try every schedule are reduced: not random searches, priorities, or a bound of preemptions.
    case independentSteps
  }
}

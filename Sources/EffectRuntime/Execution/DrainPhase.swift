// This source file is part of swift-effects. License: Apache-2.0.

/// Which drain of a mailbox is coming or running. At most one is running, so between two slices nothing holds the store
/// (rule E7).
///
/// A drain is a task of its own, which is scheduled when a message comes. The task of a run that has ended may drain
/// as well: it needs no thread to be woken. If a drain is scheduled then, the task of the run drains **ahead** of it,
/// and the scheduled one ends as soon as it begins.
@usableFromInline
enum DrainPhase: Equatable {
  /// No drain is scheduled or running: the next message schedules one.
  case none
  /// A drain is scheduled, and none is running.
  case scheduled
  /// A drain is running, and none is scheduled.
  case running
  /// A drain is running in the task of a run, and another one is scheduled.
  case runningAhead

  /// A scheduled drain has begun. Returns whether it is the running drain from now on.
  mutating func begins() -> Bool {
    defer { self = .running }
    return self == .scheduled || self == .none
  }

  /// The task of a run can drain. Returns whether it is the running drain from now on.
  @inlinable
  mutating func beginsInTaskOfRun() -> Bool {
    switch self {
    case .none: self = .running
    case .scheduled: self = .runningAhead
    case .running, .runningAhead: return false
    }
    return true
  }

  /// The running drain has finished: no message waits. Nothing changes for code that takes messages beside the drain.
  @inlinable
  mutating func ends() {
    switch self {
    case .none, .scheduled: break
    case .running: self = .none
    case .runningAhead: self = .scheduled
    }
  }

  /// The running drain stops, and another one will be scheduled.
  @inlinable
  mutating func putOff() {
    self = .scheduled
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// A run, or a tree under an id, as a trace reports it. Its closure is not kept.
///
/// - Isolation: usable from any thread; it does not change.
public final class TraceRun: Sendable {
  /// The number of the run or tree, counted from 1 in each store, in the order in which events first mention them.
  public let number: UInt64
  /// Its description: id, overlap, input, name, and the line that built it.
  public let description: EffectRun
  /// The number of the event that first reported it.
  @usableFromInline package let birth: UInt64
  /// Whether it is a tree under an id (`cancellable(id:overlap:)`). The runs in the tree are reported separately.
  public let isTree: Bool

  /// Makes a run. `birth` is 0 if no event has reported it.
  package init(number: UInt64, description: EffectRun, isTree: Bool = false, birth: UInt64 = 0) {
    self.number = number
    self.birth = birth
    self.description = description
    self.isTree = isTree
  }

  /// What can happen to a run.
  public enum Event: Sendable {
    /// An effect has requested it. A run that has waited for its time and then waits for a slot is reported again.
    case registered(Place)
    /// It shares the work of an active run (overlap `.join`), and is not reported any more.
    case joined(TraceRun)
    /// Its closure starts, or the `catch` closure; `attempt` counts from 1.
    case started(attempt: Int)
    /// Its closure threw, or ran out of time, and the run continues: ``Next`` says how.
    case attemptFailed(any Error, Next)
    /// Its closure sleeps on the store's clock.
    case sleeping(until: Duration)
    /// It has settled: none of its actions is reduced after this event.
    case ended(EffectOutcome)
    /// The closure of a run that was cancelled or ran out of time has returned.
    case returned
  }

  /// Where a run is when it has been registered.
  public enum Place: Hashable, Sendable {
    /// It starts at once.
    case starting
    /// It waits for a slot of its id.
    case queued
    /// It waits for its time (a delay, debounce or throttle).
    case waiting(until: Duration)
  }

  /// What follows when an attempt fails.
  public enum Next: Hashable, Sendable {
    /// The `catch` closure.
    case recovery
    /// The next attempt, at that time.
    case retry(at: Duration)
  }
}

extension TraceRun: Hashable {
  /// Runs of one store are the same if their numbers are.
  public static func == (left: TraceRun, right: TraceRun) -> Bool { left.number == right.number }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// What a turn has made due: tasks to cancel, and runs whose closures are to be called.
///
/// All of it is performed when the turn ends: the cancels first; then what else the turn causes; last, the runs are handed to tasks
/// (rule E8). The task of a run that drains calls closures itself when it has drained. So it keeps the runs as long as it knows of
/// nothing else to do, and saves waking another task for them.
///
/// It decides, and its owner acts: it makes no task and calls no user code.
@usableFromInline
struct ReadyRuns<Action: Sendable> {
  @usableFromInline var cancelled: [RunTask.Handle] = []
  /// None is `nil`: it is the type of the list that takes them.
  @usableFromInline var runs: [RunBody<Action>?] = []
  @usableFromInline var hasPriorities = false

  @inlinable
  init() {}

  /// Adds a run that a turn starts.
  @inlinable
  mutating func add(_ run: RunBody<Action>) {
    runs.append(run)
    if run.priority != nil { hasPriorities = true }
  }

  /// Adds a task that a turn cancels.
  @inlinable
  mutating func cancel(_ task: RunTask.Handle) { cancelled.append(task) }

  /// Whether nothing is due.
  var isEmpty: Bool { cancelled.isEmpty && runs.isEmpty }

  // MARK: - Hand-over

  /// Where in a slice the owner asks.
  @usableFromInline
  enum Moment {
    /// A turn has ended.
    case turnEnd(hasMessages: Bool)
    /// There is more to do before the slice ends, or it ends before all is done.
    case goesOn
    /// The slice ends, and nothing is left to do.
    case drained
  }

  /// What becomes of the runs.
  @usableFromInline
  enum Decision {
    /// They stay here.
    case keep
    /// Tasks take them now.
    case start
    /// The current task calls their closures next, and no other task is woken for them.
    case leave
  }

  /// What becomes of the runs at a moment. `keep` if there are none.
  ///
  /// - Parameter isInTaskOfRun: whether the slice is taken by a task that calls closures when it has drained.
  @inlinable
  func decision(at moment: Moment, isInTaskOfRun: Bool) -> Decision {
    guard !runs.isEmpty else { return .keep }
    // A run with a priority needs a task of its own in any case.
    guard isInTaskOfRun, !hasPriorities else { return .start }
    switch moment {
    case .turnEnd(let hasMessages): return hasMessages ? .start : .keep
    case .goesOn: return .start
    case .drained: return .leave
    }
  }

  /// Removes and returns the runs that have a priority. Each needs a task of its own.
  @inlinable
  mutating func takePrioritised() -> [RunBody<Action>] {
    guard hasPriorities else { return [] }
    hasPriorities = false
    let taken = runs.compactMap { $0?.priority == nil ? nil : $0 }
    runs.removeAll { $0?.priority != nil }
    return taken
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Makes the text that ``Store/printChanges(of:ids:to:where:)`` prints of the events of a trace and the states after them.
///
/// A value: call ``text(of:_:)`` with each event, in order.
package struct ChangePrinter<Action: Sendable> {
  /// Which actions and runs are shown.
  package struct Filter: Sendable {
    /// Whether an action is shown; `nil` for all.
    var isShown: (@Sendable (Action) -> Bool)?
    /// The ids of the runs that are shown, with the actions that they send; `nil` for all runs and actions.
    var ids: Set<EffectID>?
    /// Whether an action is shown only if it changes the compared part of the state.
    var onlyChanges: Bool

    /// Makes a filter; without arguments everything is shown.
    ///
    /// - Parameters:
    ///   - isShown: whether an action is shown; `nil` for all.
    ///   - ids: the ids of the runs that are shown, with the actions that they send; `nil` for all runs and actions.
    ///   - onlyChanges: whether an action is shown only if it changes the compared part of the state.
    package init(
      isShown: (@Sendable (Action) -> Bool)? = nil, ids: Set<EffectID>? = nil, onlyChanges: Bool = false
    ) {
      self.isShown = isShown
      self.ids = ids
      self.onlyChanges = onlyChanges
    }

    /// Whether a run is shown only if what requested it is shown.
    fileprivate var followsCauses: Bool { isShown != nil || onlyChanges }
  }

  private let filter: Filter
  /// The compared part of the state after the last action; `nil` before the first event.
  private var last: Any?
  /// The number of the action whose lines were written last.
  private var block: UInt64?
  /// The number of the last event that was shown and that may request a run: an action or the end of a run. `nil` after an
  /// action that was not shown.
  private var cause: UInt64?
  /// The runs that are shown and have not ended; `true` while a run waits for a slot or its time.
  private var runs: [UInt64: Bool] = [:]

  /// Makes a printer for a trace.
  ///
  /// - Parameter filter: what is shown; by default everything.
  package init(_ filter: Filter = Filter()) {
    self.filter = filter
  }

  /// Makes the lines for the next event.
  ///
  /// - Parameters:
  ///   - event: the event that follows the one of the last call.
  ///   - part: returns the part of the state that is compared, as it is after the event. Not called for each event.
  /// - Returns: one or more lines, with the difference for an action; `nil` if there is nothing to show.
  package mutating func text(of event: TraceEvent<Action>, _ part: () -> Any) -> String? {
    switch event.kind {
    case .accepted:
      // No action has been reduced since the printing began.
      if last == nil { last = part() }
      return nil
    case .reduced(let action, let source):
      return text(of: action, source, event, part())
    case .dropped(let action, let source):
      return shows(action, source) ? line(event, "dropped \(TraceText.of(action)) \(Self.text(source))") : nil
    case .refused(let action, let site):
      let isShown = filter.ids == nil && filter.isShown?(action) ?? true
      return isShown ? line(event, "refused \(TraceText.of(action))\(TraceText.place(site))") : nil
    case .run(let run, let change):
      return text(of: run, change, event)
    case .unmatched(let effect):
      let isShown = filter.ids == nil && (!filter.followsCauses || event.cause == cause)
      return isShown ? line(event, "\(effect)") : nil
    case .dispatchCancelled, .turnSuspended, .shutdown, .lost:
      return filter.ids == nil && !filter.followsCauses ? line(event, "\(event.kind)") : nil
    case .status, .budgetExceeded:
      return nil
    }
  }

  // MARK: - Actions

  private func shows(_ action: Action, _ source: TraceSource) -> Bool {
    if let ids = filter.ids {
      guard case .run(let run?) = source, let id = run.description.id, ids.contains(id) else { return false }
    }
    return filter.isShown?(action) ?? true
  }

  private mutating func text(
    of action: Action, _ source: TraceSource, _ event: TraceEvent<Action>, _ part: Any
  ) -> String? {
    let former = last
    last = part
    (block, cause) = (nil, nil)
    guard shows(action, source) else { return nil }
    let difference = former.map { StateDifference(of: $0, and: part) }
    if filter.onlyChanges, difference?.isEmpty ?? true { return nil }
    (block, cause) = (event.number, event.number)
    var lines = ["\(TraceText.time(event.time))  \(TraceText.of(action)) \(Self.text(source))"]
    lines += (difference?.lines ?? ["(its change is not known, because printing began in the middle of its turn)"])
      .map { "  \($0)" }
    return lines.joined(separator: "\n")
  }

  private static func text(_ source: TraceSource) -> String {
    guard case .run(let run?) = source, let id = run.description.id else { return "\(source)" }
    return "\(source) (\(id))"
  }

  // MARK: - Runs

  private mutating func text(of run: TraceRun, _ change: TraceRun.Event, _ event: TraceEvent<Action>) -> String? {
    guard shows(run, event) else { return nil }
    let name = "\(run.isTree ? "tree" : "run") \(run.number)"
    let named = run.description.id.map { "\(name) (\($0))" } ?? name
    switch change {
    case .registered(.starting):
      // A run that has waited was described when it began to wait.
      let hasWaited = runs.updateValue(false, forKey: run.number) == true
      return line(
        event, hasWaited ? "\(named) starts" : "\(name) starts: \(run.description) at \(run.description.site)")
    case .registered:
      runs[run.number] = true
      return line(event, "\(name) \(change.text(of: run))")
    case .started(let attempt):
      let hasWaited = runs.updateValue(false, forKey: run.number) == true
      if attempt > 1 { return line(event, "\(named) starts attempt \(attempt)") }
      return hasWaited ? line(event, "\(named) starts") : nil
    case .attemptFailed:
      return line(event, "\(named) \(change.text(of: run))")
    case .joined:
      runs[run.number] = nil
      return line(event, "\(name) \(change.text(of: run))")
    case .ended(.dropped):
      runs[run.number] = nil
      return line(event, "\(name) dropped: \(run.description) at \(run.description.site)")
    case .ended:
      runs[run.number] = nil
      // The end of a run may start the next run of a queue or sequence.
      cause = event.number
      return line(event, "\(named) \(change.text(of: run))")
    case .sleeping, .returned:
      return nil
    }
  }

  private func shows(_ run: TraceRun, _ event: TraceEvent<Action>) -> Bool {
    if let ids = filter.ids {
      guard let id = run.description.id, ids.contains(id) else { return false }
    }
    guard filter.followsCauses else { return true }
    return runs[run.number] != nil || event.cause != nil && event.cause == cause
  }

  // MARK: - Lines

  /// Makes a line below the action that caused the event, if that was written last; otherwise a line with a time.
  private mutating func line(_ event: TraceEvent<Action>, _ text: String) -> String {
    if let block, event.cause == block { return "  \(text)" }
    block = nil
    return "\(TraceText.time(event.time))  \(text)"
  }
}

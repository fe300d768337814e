// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore
package import EffectRuntime

/// A trace written by hand, event by event, as a store would report it. Every event follows from the given one, or else
/// from the action that was reduced last.
package struct TraceScript {
  /// The actions of the traces.
  package enum Action: Sendable {
    case typed(String)
    case found(String)
    case failed(String)
    case tick
    case cleared
  }

  package private(set) var events: [TraceEvent<Action>] = []
  private var now: Duration = .zero
  private var reduction: UInt64?
  private var dispatches: UInt64 = 0
  private var runs: UInt64 = 0

  package init() {}

  /// Sets the time of the events that follow.
  package mutating func at(_ milliseconds: Int) { at(.milliseconds(milliseconds)) }
  package mutating func at(_ time: Duration) { now = time }

  /// Skips numbers, as if this many runs had been reported before.
  package mutating func skipRuns(_ count: UInt64) { runs += count }

  @discardableResult
  package mutating func note(_ kind: TraceEvent<Action>.Kind, after cause: UInt64?? = .none) -> UInt64 {
    let number = UInt64(events.count) + 1
    events.append(TraceEvent(number: number, time: now, cause: cause ?? reduction, kind: kind))
    return number
  }

  // MARK: - Actions

  package mutating func accept(_ action: Action, _ source: TraceSource, after cause: UInt64? = nil) {
    let accepted = note(.accepted(action, source), after: cause)
    reduction = note(.reduced(action, source), after: accepted)
  }

  package mutating func send(_ action: Action, line: UInt = 12) {
    dispatches += 1
    accept(action, .user(dispatch: dispatches, CallSite(fileID: "App/View.swift", line: line)))
  }

  package mutating func followUp(_ action: Action) { accept(action, .followUp, after: reduction) }

  package mutating func deliver(_ action: Action, from run: TraceRun) { accept(action, .run(run)) }

  /// Sent when its run was no longer active, or cancelled before it was taken.
  package mutating func drop(_ action: Action, from run: TraceRun?, sentAt milliseconds: Int? = nil) {
    let taken = now
    if let milliseconds { at(milliseconds) }
    let accepted = note(.accepted(action, .run(run)), after: .some(nil))
    now = taken
    note(.dropped(action, .run(run)), after: accepted)
  }

  // MARK: - Runs

  package mutating func make(
    _ id: EffectID?, input: (any Hashable & Sendable)? = nil, _ overlap: Overlap = .concurrent, name: String? = nil,
    isTree: Bool = false, line: UInt = 14
  ) -> TraceRun {
    runs += 1
    let run = EffectRun(
      id: id, overlap: overlap, input: input, name: name, fileID: "App/Search.swift", line: line)
    return TraceRun(number: runs, description: run, isTree: isTree)
  }

  /// Registers a run that starts at once.
  package mutating func start(
    _ id: EffectID?, input: (any Hashable & Sendable)? = nil, _ overlap: Overlap = .concurrent, name: String? = nil
  ) -> TraceRun {
    let run = make(id, input: input, overlap, name: name)
    note(.run(run, .registered(.starting)))
    note(.run(run, .started(attempt: 1)))
    return run
  }

  package mutating func run(_ run: TraceRun, _ event: TraceRun.Event) { note(.run(run, event)) }

  package mutating func end(_ run: TraceRun, _ outcome: EffectOutcome = .finished) { note(.run(run, .ended(outcome))) }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// The contents of a trace without the type of its actions, from which it is drawn as text.
///
/// Texts are made only when they are drawn, because a trace may be long and its drawing short.
struct TimelineModel {
  /// All events except changes of status, which follow from the others.
  private(set) var events: [Event] = []
  /// The runs, in the order in which they first occur in the trace.
  private(set) var runs: [Run] = []
  /// The number of the first event, 1 unless the trace begins in the middle.
  private(set) var firstNumber: UInt64 = 1
  /// The time at which the trace ends.
  private(set) var end: Duration = .zero

  /// An event of the trace, with what others tell about it.
  struct Event {
    let number: UInt64
    /// Not earlier than the time of the previous event, except for `accepted`, which has the time of the call.
    let time: Duration
    let cause: UInt64?
    let kind: TraceEvent<any Sendable>.Kind
    /// The index of the run that it is about, or that sent its action.
    let run: Int?
    /// The index of the run that its run joins.
    let joined: Int?
    /// The index of the event with which its action was accepted, if the trace contains it.
    let accepted: Int?
  }
}

// MARK: - Building

extension TimelineModel {
  /// Makes a model of the events of one store, in their order.
  ///
  /// - Complexity: O(number of events).
  init(_ events: some Sequence<TraceEvent<some Sendable>>) {
    var indices: [UInt64: Int] = [:]
    var dispatches: [UInt64: Int] = [:]
    var acceptances: [UInt64: Int] = [:]
    var gap = 0
    var isFirst = true
    for event in events {
      if isFirst { firstNumber = event.number }
      isFirst = false
      if case .accepted = event.kind {} else { end = max(end, event.time) }
      if case .status = event.kind { continue }
      let run = run(of: event.kind, &indices, gap)
      let joined = other(of: event.kind, &indices, gap)
      let place = self.events.count
      var time = end
      var accepted: Int?
      switch event.kind {
      case .accepted(_, let source):
        time = max(.zero, event.time)
        acceptances[event.number] = place
        if case .user(let dispatch, _) = source { dispatches[dispatch] = place }
      case .reduced, .dropped: accepted = event.cause.flatMap { acceptances.removeValue(forKey: $0) }
      case .dispatchCancelled(let number): accepted = dispatches[number]
      case .run(_, let happening): if let run { runs[run].happen(happening, at: place, time: time) }
      case .lost: gap = place
      case .refused, .unmatched, .status, .turnSuspended, .budgetExceeded, .shutdown: break
      }
      if case .dropped = event.kind, let run { runs[run].sendsInVain = true }
      self.events.append(
        Event(
          number: event.number, time: time, cause: event.cause, kind: event.map { $0 as any Sendable }.kind, run: run,
          joined: joined, accepted: accepted))
    }
  }

  /// The index of the run that an event is about, or that sent its action.
  private mutating func run(
    of kind: TraceEvent<some Sendable>.Kind, _ indices: inout [UInt64: Int], _ gap: Int
  ) -> Int? {
    switch kind {
    case .accepted(_, .run(let run?)), .reduced(_, .run(let run?)), .dropped(_, .run(let run?)):
      return index(of: run, isNew: false, &indices, gap)
    case .run(let run, let event):
      let isNew =
        switch event {
        // A run that is dropped on arrival, or whose dispatch was already cancelled, is never registered.
        case .registered, .joined, .ended(.dropped), .ended(.cancelled): true
        case .started, .attemptFailed, .sleeping, .ended, .returned: false
        }
      return index(of: run, isNew: isNew, &indices, gap)
    case .accepted, .reduced, .dropped, .refused, .unmatched, .status, .dispatchCancelled, .turnSuspended,
      .budgetExceeded, .shutdown, .lost:
      return nil
    }
  }

  private mutating func other(
    of kind: TraceEvent<some Sendable>.Kind, _ indices: inout [UInt64: Int], _ gap: Int
  ) -> Int? {
    if case .run(_, .joined(let other)) = kind { index(of: other, isNew: false, &indices, gap) } else { nil }
  }

  /// The index of a run. A run whose registration is missing is assumed to exist since the last gap, or the beginning.
  private mutating func index(
    of run: TraceRun, isNew: Bool, _ indices: inout [UInt64: Int], _ gap: Int
  ) -> Int {
    if let index = indices[run.number] { return index }
    indices[run.number] = runs.count
    runs.append(Run(run, first: isNew ? events.count : gap, isFromBefore: !isNew))
    return runs.count - 1
  }
}

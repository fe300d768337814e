// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

/// The contents of a trace without the type of its actions, from which all timelines except the HTML page are drawn.
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

  struct Event {
    let number: UInt64
    /// Not earlier than the time of the previous event, except for `accepted`, which has the time of the call.
    let time: Duration
    let cause: UInt64?
    let kind: Kind
  }

  enum Kind {
    case accepted(Message)
    case reduced(Message)
    case dropped(Message)
    case refused(Message)
    /// The index of the run.
    case run(Int, Happening)
    /// The index of the event with which its action was accepted, if the trace contains it.
    case dispatchCancelled(UInt64, accepted: Int?)
    /// An event that is not about an action or a run.
    case note(String)
    case lost(Int)
  }

  /// An action that was sent.
  struct Message {
    let action: any Sendable
    let source: Source
    /// The index of the event with which it was accepted, if the trace contains it.
    var accepted: Int?

    func text(limit: Int) -> String { ValueText.of(action, limit: limit).printable }
  }

  enum Source {
    case user(dispatch: UInt64?, CallSite?)
    /// The index of the run; `nil` if the run ended long ago.
    case run(Int?)
    case followUp
  }

  enum Happening {
    case registered(TraceRun.Place)
    /// The index of the run whose work it shares.
    case joined(Int)
    case started(attempt: Int)
    case attemptFailed(any Error, TraceRun.Next)
    case sleeping(until: Duration)
    case ended(EffectOutcome)
    case returned
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
    var accepted: [UInt64: Int] = [:]
    var gap = 0
    var isFirst = true
    for event in events {
      if isFirst { firstNumber = event.number }
      isFirst = false
      if case .accepted = event.kind {} else { end = max(end, event.time) }
      guard var kind = told(event.kind, &indices, gap) else { continue }
      var time = end
      switch kind {
      case .accepted(let message):
        time = max(.zero, event.time)
        accepted[event.number] = self.events.count
        if case .user(let dispatch?, _) = message.source { dispatches[dispatch] = self.events.count }
      case .dispatchCancelled(let number, _):
        kind = .dispatchCancelled(number, accepted: dispatches[number])
      case .run(let run, let happening):
        runs[run].happen(happening, at: self.events.count, time: time)
      case .lost:
        gap = self.events.count
      case .reduced(var message):
        message.accepted = event.cause.flatMap { accepted.removeValue(forKey: $0) }
        kind = .reduced(message)
      case .dropped(var message):
        message.accepted = event.cause.flatMap { accepted.removeValue(forKey: $0) }
        kind = .dropped(message)
      case .refused, .note: break
      }
      self.events.append(Event(number: event.number, time: time, cause: event.cause, kind: kind))
    }
  }

  /// An event of a trace as an event of the model; `nil` for a change of status.
  private mutating func told(
    _ kind: TraceEvent<some Sendable>.Kind, _ indices: inout [UInt64: Int], _ gap: Int
  ) -> Kind? {
    switch kind {
    case .accepted(let action, let source):
      return .accepted(Message(action: action, source: told(source, &indices, gap)))
    case .reduced(let action, let source):
      return .reduced(Message(action: action, source: told(source, &indices, gap)))
    case .dropped(let action, let source):
      let source = told(source, &indices, gap)
      if case .run(let run?) = source { runs[run].sendsInVain = true }
      return .dropped(Message(action: action, source: source))
    case .refused(let action, let site):
      return .refused(Message(action: action, source: .user(dispatch: nil, site)))
    case .run(let run, let event):
      let isNew =
        switch event {
        // A run that is dropped on arrival, or whose dispatch was already cancelled, is never registered.
        case .registered, .joined, .ended(.dropped), .ended(.cancelled): true
        case .started, .attemptFailed, .sleeping, .ended, .returned: false
        }
      let index = index(of: run, isNew: isNew, &indices, gap)
      return .run(index, told(event, &indices, gap))
    case .unmatched(let effect): return .note("\(effect)")
    case .status: return nil
    case .dispatchCancelled(let number): return .dispatchCancelled(number, accepted: nil)
    case .turnSuspended(let actions): return .note("turn goes on later, after \(actions) actions")
    case .budgetExceeded(let steps): return .note("budget exceeded: \(steps) steps")
    case .shutdown(.ended): return .note("shutdown has ended")
    case .shutdown(let stage): return .note("shutdown: \(stage)")
    case .lost(let count): return .lost(count)
    }
  }

  private mutating func told(_ source: TraceSource, _ indices: inout [UInt64: Int], _ gap: Int) -> Source {
    switch source {
    case .user(let dispatch, let site): .user(dispatch: dispatch, site)
    case .run(let run): .run(run.map { index(of: $0, isNew: false, &indices, gap) })
    case .followUp: .followUp
    }
  }

  private mutating func told(
    _ event: TraceRun.Event, _ indices: inout [UInt64: Int], _ gap: Int
  ) -> Happening {
    switch event {
    case .registered(let place): .registered(place)
    case .joined(let other): .joined(index(of: other, isNew: false, &indices, gap))
    case .started(let attempt): .started(attempt: attempt)
    case .attemptFailed(let error, let next): .attemptFailed(error, next)
    case .sleeping(let until): .sleeping(until: until)
    case .ended(let outcome): .ended(outcome)
    case .returned: .returned
    }
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

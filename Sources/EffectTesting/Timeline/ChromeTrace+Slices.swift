// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension ChromeTrace {
  /// The times between which a run is drawn; at least one nanosecond.
  private func life(_ run: TimelineModel.Run) -> Range<Int> {
    var first = run.first
    // `accepted` events carry the time of the call, which may be earlier than the events around them.
    while first + 1 < stamps.count, case .accepted = model.events[first].kind { first += 1 }
    let start = stamps[first]
    return start..<max(start + 1, run.gone.map { stamps[$0] } ?? end)
  }

  /// Writes the slice of a run, and the slices of its phases inside it.
  mutating func writeRun(_ index: Int) {
    let run = model.runs[index]
    let life = life(run)
    slice("\(run.number) \(run.label)", "run", lanes[index], life, rank: 0) { json in
      json.member("run", run.number)
      json.member("id", run.trace.description.id?.description)
      json.member("input", run.trace.description.input.map { ValueText.of($0) })
      json.member("name", run.trace.description.name)
      json.member("overlap", run.trace.description.overlap.description)
      json.member("site", run.trace.description.site.description)
      json.member("outcome", run.outcome.map { "\($0)".cut(to: 1_000) })
      if run.isFromBefore { json.member("beginning", "its start is not in the trace") }
      if run.gone == nil { json.member("end", "its end is not in the trace") }
    }
    for (place, phase) in run.phases.enumerated() {
      let next = place + 1 < run.phases.count ? stamps[run.phases[place + 1].first] : life.upperBound
      let start = phase.first == run.first ? life.lowerBound : min(stamps[phase.first], life.upperBound)
      writePhase(phase.kind, lanes[index], start..<max(start, min(next, life.upperBound)))
    }
  }

  private mutating func writePhase(_ phase: TimelineModel.Phase.Kind, _ row: Int, _ times: Range<Int>) {
    guard !times.isEmpty else { return }
    switch phase {
    case .waiting(nil): slice("waits for a free slot", "phase", row, times, rank: 1)
    case .waiting: slice("waits for its time", "phase", row, times, rank: 1)
    case .running(let attempt): slice(attempt == 1 ? "runs" : "attempt \(attempt)", "phase", row, times, rank: 1)
    case .retrying: slice("waits for the next attempt", "phase", row, times, rank: 1)
    case .recovering: slice("catch", "phase", row, times, rank: 1)
    case .unreturned: slice("cancelled, not returned", "phase", row, times, rank: 1)
    case .sleeping(let until):
      let awake = min(max(Int(clamping: until.nanoseconds), times.lowerBound), times.upperBound)
      if awake > times.lowerBound { slice("sleeps", "phase", row, times.lowerBound..<awake, rank: 1) }
      if awake < times.upperBound { slice("runs", "phase", row, awake..<times.upperBound, rank: 1) }
    }
  }

  /// Draws the arrow from the cause of an event of a run, or an instant in the row of the run.
  mutating func writeRunEvent(_ index: Int) {
    guard case .run(let run, let happening) = model.events[index].kind else { return }
    switch happening {
    case .registered, .ended(.cancelled), .ended(.dropped): break
    case .started:
      // A run that starts when it is registered has one arrow, to its registration.
      guard model.runs[run].begins(at: index) else { return }
    case .joined(let other):
      if lanes[other] > 0 { instant(model.words(of: index), lanes[other], place(other, index).time) }
      return
    case .attemptFailed, .returned:
      if lanes[run] > 0 { instant(model.happening(at: index), lanes[run], place(run, index).time) }
      return
    case .sleeping, .ended: return
    }
    guard lanes[run] > 0, let cause = model.events[index].cause, let origin = origin(cause) else { return }
    arrow(model.events[index].number, origin, place(run, index))
  }

  /// The position of an event of a run, within the slice of the run.
  private func place(_ run: Int, _ index: Int) -> (row: Int, time: Int) {
    let life = life(model.runs[run])
    return (lanes[run], min(max(stamps[index], life.lowerBound), life.upperBound - 1))
  }

  /// The position at which an arrow from an event starts; `nil` if the event is not drawn in a slice.
  private func origin(_ number: UInt64) -> (row: Int, time: Int)? {
    guard let index = indices[number] else { return nil }
    switch model.events[index].kind {
    case .reduced, .dropped: return (Self.actions, stamps[index])
    case .run(let run, _) where lanes[run] > 0: return place(run, index)
    case .run, .accepted, .refused, .dispatchCancelled, .note, .lost: return nil
    }
  }

  // MARK: - Actions

  /// Writes the slice of an action, the instant at which it was sent, and the arrow from the run that sent it.
  ///
  /// - Parameters:
  ///   - fate: what happened to the action: `reduced` or `dropped`.
  ///   - index: the index of the event.
  ///   - last: the index of the last event of its row, with which the slice ends.
  mutating func writeAction(_ message: TimelineModel.Message, _ fate: String, _ index: Int, through last: Int) {
    let time = stamps[index]
    let text = message.text(limit: 200)
    let name = fate == "dropped" ? "dropped: \(text)" : text
    let waited = waited(message, index)
    let (number, run) = (model.events[index].number, sender(of: message))
    slice(name, "action", Self.actions, time..<max(time + 1, stamps[last]), rank: 0) { json in
      json.member("event", number)
      json.member("fate", fate)
      switch message.source {
      case .user(_, let site): json.member("source", site.map { "sent at \($0)" } ?? "sent")
      case .run: json.member("source", run.map { "from run \($0)" } ?? "from a run that ended long ago")
      case .followUp: json.member("source", "as a follow-up")
      }
      if let waited { json.member("waited", number: Self.microseconds(waited)) }
    }
    guard case .run(let run?) = message.source, lanes[run] > 0 else { return instant(name, Self.actions, time) }
    let life = life(model.runs[run])
    let sent = time - (waited ?? 0)
    // If the action was sent after the run was over, the arrow has no slice to start from.
    guard life.lowerBound <= time, sent < life.upperBound else { return instant(name, Self.actions, time) }
    let from = max(sent, life.lowerBound)
    instant(name, lanes[run], from)
    arrow(model.events[index].number, (lanes[run], from), (Self.actions, time))
  }

  /// The time between sending and taking an action, if it is known.
  private func waited(_ message: TimelineModel.Message, _ index: Int) -> Int? {
    message.accepted.map { max(0, Int(clamping: (model.events[index].time - model.events[$0].time).nanoseconds)) }
  }

  /// The number of the run that sent an action.
  private func sender(of message: TimelineModel.Message) -> UInt64? {
    if case .run(let run?) = message.source { model.runs[run].number } else { nil }
  }
}

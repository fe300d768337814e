// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// The model that is made of events before anything is drawn.
@Suite struct `The model behind timelines` {
  private func model(_ events: [TraceEvent<TraceScript.Action>]) -> TimelineModel { TimelineModel(events) }

  /// `waiting running end`: the phases of a run, and whether it has returned.
  private func phases(_ run: TimelineModel.Run) -> String {
    let names = run.phases.map { phase in
      switch phase.kind {
      case .waiting: "waiting"
      case .running(let attempt): attempt == 1 ? "running" : "running(\(attempt))"
      case .sleeping: "sleeping"
      case .retrying: "retrying"
      case .recovering: "recovering"
      case .unreturned: "unreturned"
      }
    }
    return (names + [run.gone == nil ? "…" : "gone"]).joined(separator: " ")
  }

  private func phases(of events: TraceRun.Event..., isTree: Bool = false) -> String {
    var trace = TraceScript()
    let run = trace.make("x", isTree: isTree)
    for (index, event) in events.enumerated() {
      trace.at(10 * index)
      trace.run(run, event)
    }
    return phases(model(trace.events).runs[0])
  }

  @Test func `A run starts at once, sleeps and ends`() {
    let sleep = TraceRun.Event.sleeping(until: .seconds(1))
    #expect(phases(of: .registered(.starting)) == "running …")
    #expect(phases(of: .registered(.starting), .started(attempt: 1), .ended(.finished)) == "running gone")
    #expect(
      phases(of: .registered(.starting), .started(attempt: 1), sleep, .ended(.finished)) == "running sleeping gone")
  }

  @Test func `A run waits for its time, then for a slot`() {
    #expect(
      phases(of: .registered(.waiting(until: .seconds(1))), .registered(.queued), .started(attempt: 1))
        == "waiting waiting running …")
    #expect(phases(of: .registered(.queued), .ended(.cancelled(.byEffect))) == "waiting gone")
    #expect(phases(of: .registered(.waiting(until: .seconds(1))), .ended(.dropped)) == "waiting gone")
  }

  @Test func `A cancelled run is shown until its closure has returned (E2)`() {
    let beginning: [TraceRun.Event] = [.registered(.starting), .started(attempt: 1)]
    #expect(phases(of: beginning[0], beginning[1], .ended(.cancelled(.replaced))) == "running unreturned …")
    #expect(
      phases(of: beginning[0], beginning[1], .ended(.cancelled(.replaced)), .returned) == "running unreturned gone")
    #expect(phases(of: beginning[0], .ended(.cancelled(.replaced))) == "running gone")
    #expect(phases(of: beginning[0], .ended(.cancelled(.replaced)), isTree: true) == "running gone")
  }

  @Test func `Attempts follow each other; one out of time may outlive the run (C2)`() {
    let retry = TraceRun.Next.retry(at: .seconds(1))
    #expect(
      phases(
        of: .registered(.starting), .started(attempt: 1), .attemptFailed(TimedOut(), retry), .started(attempt: 2),
        .attemptFailed(TimedOut(), .recovery), .started(attempt: 2), .ended(.finished))
        == "running retrying running(2) recovering gone")
    let late: [TraceRun.Event] = [
      .registered(.starting), .started(attempt: 1), .attemptFailed(EffectTimeout(limit: .seconds(1)), retry),
      .started(attempt: 2), .ended(.finished),
    ]
    #expect(phases(of: late[0], late[1], late[2], late[3], late[4]) == "running retrying running(2) unreturned …")
    #expect(
      phases(of: late[0], late[1], late[2], late[3], late[4], .returned)
        == "running retrying running(2) unreturned gone")
    #expect(phases(of: late[0], late[1], late[2], .returned, late[3], late[4]) == "running retrying running(2) gone")
  }

  @Test func `A run from before the trace begins with it, or with the gap before it`() {
    #expect(phases(of: .started(attempt: 1), .ended(.finished)) == "waiting running gone")
    #expect(phases(of: .sleeping(until: .seconds(1))) == "running sleeping …")
    #expect(phases(of: .ended(.failed(TimedOut()))) == "running gone")
    #expect(phases(of: .returned) == "unreturned gone")
    #expect(phases(of: .ended(.cancelled(.shutdown)), .returned) == "unreturned gone")
    let fragment = model(Scripts.fragment())
    #expect(fragment.firstNumber == 6)
    #expect(fragment.runs.map(\.number) == [2, 1])
    #expect(fragment.runs.map(\.isFromBefore) == [true, true])
    #expect(fragment.runs.map(\.first) == [0, 5])
  }

  @Test func `What an action waits for and which runs are suspicious`() {
    let safe = model(Scripts.safe().events)
    #expect(safe.runs.map(\.isSuspicious) == [true, true, true, true, false])
    #expect(model(Scripts.naive().events).runs.map(\.isSuspicious) == [false, false, false, false, false])
    #expect(model(Scripts.retry().events).runs.map(\.isSuspicious) == [true])
    #expect(model(Scripts.join().events).runs.map(\.isJoined) == [false, true, true])
  }

  @Test func `Times never go back, except the time at which an action was sent`() {
    for seed in UInt64(0)..<20 {
      let times = model(Soup(seed: seed).events(300)).events.filter { event in
        if case .accepted = event.kind { false } else { true }
      }
      for (earlier, later) in zip(times, times.dropFirst()) { #expect(earlier.time <= later.time) }
    }
  }

  @Test func `A row is an action with all that follows from it at once`() {
    let safe = model(Scripts.safe().events)
    let rows = safe.rows.map { row in
      row.marks.sorted { $0.key < $1.key }.map { "\($0.value.rawValue)\($0.key + 1)" }.joined()
    }
    #expect(rows == ["●1", "x1●2", "x2●3", "x3●4", "x4●5", "◇2", "◆5", "◇3", "◇1", "◇4"])
  }
}

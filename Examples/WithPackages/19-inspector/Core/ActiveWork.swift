// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The runs that have been requested and have not ended, from the events of a trace.
struct ActiveWork: Sendable {
  /// A run, and what it does.
  struct Item: Sendable {
    /// The run.
    let run: TraceRun
    /// `runs`, `queued`, `waits`, `sleeps`, `cancelled`.
    var phase: String
    /// Since when.
    var since: Duration
  }

  private var items: [UInt64: Item] = [:]

  /// No work.
  init() {}

  /// In the order in which they were requested.
  var all: [Item] { items.values.sorted { $0.run.number < $1.run.number } }

  /// Follows an event of a run.
  mutating func follow(_ run: TraceRun, _ event: TraceRun.Event, at time: Duration) {
    guard let phase = Self.phase(after: event) else {
      // A run that was cancelled while its closure runs is listed until the closure returns.
      if case .ended(.cancelled) = event, items[run.number]?.isCalled == true {
        items[run.number]?.phase = "cancelled"
        items[run.number]?.since = time
      } else {
        items[run.number] = nil
      }
      return
    }
    items[run.number] = Item(run: run, phase: phase, since: time)
  }

  mutating func removeAll() { items = [:] }

  private static func phase(after event: TraceRun.Event) -> String? {
    switch event {
    case .registered(.starting), .started: "runs"
    case .registered(.queued): "queued"
    case .registered(.waiting), .attemptFailed(_, .retry): "waits"
    case .attemptFailed(_, .recovery): "runs"
    case .sleeping: "sleeps"
    case .joined, .ended, .returned: nil
    }
  }
}

extension ActiveWork.Item {
  fileprivate var isCalled: Bool { !run.isTree && (phase == "runs" || phase == "sleeps") }
}

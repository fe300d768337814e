// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

extension ReferenceModel {
  struct Thrown: Error {}

  /// What the work of an id is doing.
  func status(_ id: String) -> EffectStatus {
    let place = places[id, default: Place()]
    let cancelling = executing.count { $0.phase == .cancelled && $0.id == id }
    var attempt: Int?
    if let newest = place.live.last, newest.run?.timing.counts == true { attempt = max(1, newest.attempt) }
    return EffectStatus(
      running: place.live.count, queued: place.queue.count + place.waiting.count, cancelling: cancelling,
      attempt: attempt, input: place.newest?.run?.input)
  }

  /// How many runs without an id run.
  var unnamedCount: Int { unnamed.count { $0.phase != .waiting } }

  /// How many runs without an id wait for their time.
  var unnamedQueuedCount: Int { unnamed.count { $0.phase == .waiting } }

  private var unnamed: [Node] {
    roots.flatMap(\.all).filter { $0.isRun && $0.id == nil && $0.isPresent }
  }
}

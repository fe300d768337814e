// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

extension ReferenceModel {
  struct Thrown: Error {}

  /// What the work of an id is doing.
  func status(_ id: String) -> EffectStatus {
    let place = places[id, default: Place()]
    let cancelling = executing.count { $0.phase == .cancelled && $0.id == id }
    return EffectStatus(
      running: place.live.count, queued: place.queue.count, cancelling: cancelling, lastOutcome: place.outcome)
  }
}

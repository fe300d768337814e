// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport

/// A clock that a test moves, and that knows who sleeps.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  private struct Face {
    var now = Instant()
    var sleepers: [(deadline: Instant, waiter: Waiter)] = []
  }

  private let face = Lock(Face())
  /// Records "sleeps" whenever somebody goes to sleep, and "wakes cancelled".
  let log = Recorder<String>()

  var now: Instant { face.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  var sleeperCount: Int { face.withLock { $0.sleepers.count } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let waiter = Waiter()
    let isOver = face.withLock { face in
      if face.now < deadline { face.sleepers.append((deadline, waiter)) }
      return !(face.now < deadline)
    }
    if isOver { return }
    log.record("sleeps")
    let hasWoken = await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      face.withLock { face in face.sleepers.removeAll { $0.waiter === waiter } }
      waiter.answer(false)
    }
    guard !hasWoken else { return }
    log.record("wakes cancelled")
    throw CancellationError()
  }

  func advance(by duration: Duration) {
    let woken = face.withLock { face in
      face.now = face.now.advanced(by: duration)
      let now = face.now
      defer { face.sleepers.removeAll { $0.deadline <= now } }
      return face.sleepers.filter { $0.deadline <= now }.map(\.waiter)
    }
    for waiter in woken { waiter.answer(true) }
  }
}

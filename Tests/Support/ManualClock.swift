// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// A clock that a test moves, and that counts its sleepers.
package final class ManualClock: Clock {
  package struct Instant: InstantProtocol {
    package var offset = Duration.zero
    package func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    package func duration(to other: Self) -> Duration { other.offset - offset }
    package static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  private struct Face {
    var now = Instant()
    var sleepers: [(deadline: Instant, waiter: Waiter)] = []
    var watchers: [(count: Int, deadline: Instant, waiter: Waiter)] = []

    func has(_ count: Int, dueBy deadline: Instant) -> Bool {
      sleepers.count(where: { $0.deadline <= deadline }) >= count
    }
  }

  private let face = Lock(Face())
  package init() {}

  /// Records "sleeps" whenever a task goes to sleep, and "wakes cancelled".
  package let log = Recorder<String>()

  package var now: Instant { face.withLock { $0.now } }
  package var minimumResolution: Duration { .zero }
  package var sleeperCount: Int { face.withLock { $0.sleepers.count } }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let waiter = Waiter()
    let watchers: [Waiter]? = face.withLock { face in
      guard face.now < deadline else { return nil }
      face.sleepers.append((deadline, waiter))
      let satisfied = face.watchers.filter { face.has($0.count, dueBy: $0.deadline) }
      face.watchers.removeAll { watcher in satisfied.contains { $0.waiter === watcher.waiter } }
      return satisfied.map(\.waiter)
    }
    guard let watchers else { return }
    for watcher in watchers { watcher.answer(true) }
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

  /// Suspends until the given number of tasks sleep with a deadline up to the given instant.
  package func hasSleepers(_ count: Int, dueBy offset: Duration) async {
    let (deadline, waiter) = (Instant(offset: offset), Waiter())
    let isThere = face.withLock { face in
      if face.has(count, dueBy: deadline) { return true }
      face.watchers.append((count, deadline, waiter))
      return false
    }
    if !isThere { _ = await waiter.wait() }
  }

  package func advance(by duration: Duration) {
    let woken = face.withLock { face in
      face.now = face.now.advanced(by: duration)
      let now = face.now
      defer { face.sleepers.removeAll { $0.deadline <= now } }
      return face.sleepers.filter { $0.deadline <= now }.map(\.waiter)
    }
    for waiter in woken { waiter.answer(true) }
  }
}

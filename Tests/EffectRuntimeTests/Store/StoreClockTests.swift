// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

/// A clock on which every sleep is over at once and moves the time to its deadline.
private final class HastyClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  private let time = Lock(Instant())
  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.withLock { $0 = max($0, deadline) }
  }
}

@Test func `A store has no time but its clock's (C1)`() async {
  enum Action: Equatable, Sendable { case start, woke(at: Duration, then: Duration) }
  let store = Store(
    initialState: [Action](),
    reducer: Reduce<[Action], Action> { state, action in
      guard action == .start else {
        state.append(action)
        return .none
      }
      return .run { send in
        try await send.sleep(for: .seconds(3600))
        let first = send.now
        try await send.clock.sleep(for: .seconds(60))
        send(.woke(at: first, then: send.now))
      }
    }, clock: HastyClock())
  await store.send(.start).finish()
  #expect(await store.state == [.woke(at: .seconds(3600), then: .seconds(3660))])
}

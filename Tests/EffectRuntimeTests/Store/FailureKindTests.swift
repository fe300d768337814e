// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

private struct Broken: Error {}

private indirect enum Action: Sendable {
  case perform(Effect<Action>)
  case child(Int)
}

private struct Feature: Reducer {
  struct State: Sendable { var child: Int? }

  static var child: CasePath<Action, Int> {
    CasePath(embed: Action.child, extract: { if case .child(let number) = $0 { number } else { nil } })
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Reduce<State, Action> { _, action in
      if case .perform(let effect) = action { effect } else { .none }
    }
    .ifLet(\.child, action: Self.child) { Reduce<Int, Int> { _, _ in .none } }
    .reduce(into: &state, action: action)
  }
}

/// A clock that throws instead of sleeping.
private struct BrokenClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero
    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws { throw Broken() }
}

private final class Reports: Sendable {
  let failures = Lock<[EffectFailure]>([])
}

/// Each kind of failure, as a real store reports it.
@Suite(.timeLimit(.minutes(5))) struct FailureKindTests {
  private let reports = Recorder<EffectFailure.Kind>()
  private let all = Reports()
  private let clock = ManualClock()

  private func makeStore(clock: any Clock<Duration>) -> Store<Feature> {
    Store(initialState: Feature.State(), reducer: Feature(), clock: clock) { [reports, all] failure in
      all.failures.withLock { $0.append(failure) }
      reports.record(failure.kind)
    }
  }

  /// What makes a store report a failure of this kind.
  private func mistake(_ kind: EffectFailure.Kind, _ reference: StoreReference<Feature>) -> Action {
    switch kind {
    case .threw: .perform(.run { _ in throw Broken() })
    case .timedOut:
      .perform(.run { _ in for await _ in AsyncStream<Never>.makeStream().stream {} }.timeout(after: .seconds(5)))
    case .overlapConflict:
      .perform(.merge(.run(id: "x", overlap: .restart) { _ in }, .run(id: "x", overlap: .drop) { _ in }))
    case .selfCancellation: .perform(.merge(.run { _ in }, .cancel(id: "x")).cancellable(id: "x", overlap: .restart))
    case .missingChild: .perform(.send(.child(1)))
    case .missingID: .perform(.run { _ in }.debounce(for: .seconds(1)))
    case .sentAfterReturn:
      .perform(
        .run { [clock] send in
          Task {
            try await clock.sleep(for: .seconds(5))
            send(.child(1))
          }
        })
    case .waitsForItself: .perform(.run { _ in await reference.store?.shutdown(.draining) })
    case .waitsInCircle:
      .perform(
        .run(id: "x", overlap: .enqueue) { _ in
          await reference.store?.send(.perform(.run(id: "x", overlap: .enqueue) { _ in })).finish()
        })
    case .clockFailed: .perform(.run { _ in }.delay(for: .seconds(1)))
    // Not caused by an effect: see `WritableFieldTests`.
    case .fieldNotWritable: .perform(.none)
    }
  }

  private func isExpected(_ error: any Error, of kind: EffectFailure.Kind) -> Bool {
    switch kind {
    case .threw: error is Broken
    case .timedOut: error as? EffectTimeout == EffectTimeout(limit: .seconds(5))
    case .overlapConflict: (error as? OverlapConflict)?.older.overlap == .restart
    case .selfCancellation: (error as? SelfCancellation)?.site != nil
    case .missingChild: (error as? MissingChild)?.action as? Int == 1
    case .missingID, .sentAfterReturn, .waitsForItself, .waitsInCircle, .clockFailed, .fieldNotWritable:
      !(error is Broken)
    }
  }

  @Test(arguments: EffectFailure.Kind.allCases.filter { $0 != .fieldNotWritable })
  func `Each kind of failure is reported as such, once, with its error and the run's line (E5, O1, M3, C1, C2, L2)`(
    kind: EffectFailure.Kind
  ) async throws {
    let reference = StoreReference<Feature>()
    let store = makeStore(clock: kind == .clockFailed ? BrokenClock() : clock)
    reference.store = store
    let task = store.send(mistake(kind, reference))
    if kind == .sentAfterReturn { await task.finish() }
    if kind == .timedOut || kind == .sentAfterReturn {
      await clock.log.wait(for: "sleeps")
      clock.advance(by: .seconds(5))
    }
    await reports.wait(for: kind)
    await store.shutdown(.cancelling)
    let reported = all.failures.withLock { $0 }
    let failure = try #require(reported.first)
    #expect(reported.count == 1)
    #expect(isExpected(failure.error, of: kind), "\(failure.error)")
    #expect("\(failure)".hasPrefix("EffectRuntimeTests/FailureKindTests.swift:"))
  }
}

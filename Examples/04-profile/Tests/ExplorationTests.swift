// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import profile

/// Every order in which taps, answers and failures can come.
@Suite struct `Explorations of the profile` {
  private static let person = EffectID(Profile.Work.person)
  private static let complete = Profile.State(person: Person(name: "Ann"), photo: Photo(face: "(^_^)"))

  private static func cancelAndReload(_ script: Exploration.Script<Profile.Action>) {
    script.send(.appeared)
    script.send(.cancelTapped)
    script.send(.reloadTapped)
  }

  @Test func `After a cancel the profile can be loaded again (E1, E3)`() async {
    let result = await explore(
      initialState: Profile.State(), reducer: Profile.quick, requiring: [.nothingRunsAtTheEnd]
    ) { script in
      Self.cancelAndReload(script)
    } finally: { state in
      state == Self.complete
    }
    #expect(
      "\(result)" == "complete: answers (12 states), timers (12 states), deliveries (31 states), steps (54 states)")
  }

  @Test func `Leaving ends all runs, also one that hangs (E1, E3)`() async {
    let result = await explore(
      initialState: Profile.State(), reducer: Profile.quick, requiring: [.nothingRunsAtTheEnd],
      faults: .anyOne(of: .hang(Self.person), .hang(EffectID(Profile.Work.photo)))
    ) { script in
      script.send(.appeared)
      script.send(.reloadTapped)
      script.send(.left)
    }
    #expect(
      "\(result)" == "complete: answers (66 states), timers (66 states), deliveries (228 states), steps (510 states)")
  }

  @Test func `The flag of the naive profile stays set when its load is cancelled`() async {
    let text = """
      `.isRunning(person, while:)` is violated: its condition holds, and no run of person is active. Let the action that sets the field start the run, and the one that ends or cancels the run reset the field. Found by schedule 2 of the search and shortened from 6 steps to 5.

      State:
        State(isLoading: true, shown: State(person: nil, photo: nil, problem: nil))

      What has happened so far:

      seconds  1
        0.000  ●  .appeared  ExplorationTests.swift:14
               x  .cancelTapped  ExplorationTests.swift:15

      At the end of the trace run 1 has not returned.

      1  run(person, overlap: drop) at profile/Profile.swift:40

      ● starts   x cancelled

      Run this schedule alone:
        explore(…, replaying: "u u d d c0")
      """
    let failures = await reportedFailures {
      await explore(
        initialState: NaiveProfile.State(), reducer: NaiveProfile(profile: .quick),
        requiring: [.isRunning(Self.person, while: \.isLoading)]
      ) { script in
        Self.cancelAndReload(script)
      } finally: { state in
        state.shown == Self.complete
      }
    }
    #expect(failures == [text])
  }

  @Test func `The flag of the naive profile is cleared by an error of another run`() async {
    struct NoPhoto: Error {}
    let ann = Person(name: "Ann")
    let store = TestStore(
      initialState: NaiveProfile.State(), reducer: NaiveProfile(profile: .quick))
    store.reducer.profile = .slow(store.clock)
    store.reducer.profile.photo = { [clock = store.clock] _ in
      try await clock.sleep(for: .milliseconds(1500))
      throw NoPhoto()
    }
    store.send(.appeared) { $0.isLoading = true }
    store.advance(by: .seconds(1))
    await store.receive(.personLoaded(ann)) {
      $0.isLoading = false
      $0.shown.person = ann
    }
    store.advance(by: .seconds(1))
    store.send(.reloadTapped) { $0.isLoading = true }
    store.advance(by: .milliseconds(500))
    await store.receive(.failed("NoPhoto()")) {
      $0.isLoading = false
      $0.shown.problem = "NoPhoto()"
    }
    // But the person is still loading:
    store.assertEffects { $0[Self.person] = EffectStatus(running: 1) }
    store.cancelInFlight()
    await store.finish()
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import profile

/// What the feature does, step by step, and what runs meanwhile.
@Suite struct ProfileTests {
  private typealias Work = Profile.Work
  private static let ann = Person(name: "Ann")
  private static let face = Photo(face: "(^_^)")

  @Test func `The person is loaded, and then the photo`() async {
    let store = TestStore(initialState: Profile.State(), reducer: Profile.quick)
    store.send(.appeared)
    await store.receive(.personLoaded(Self.ann)) { $0.person = Self.ann }
    await store.receive(.photoLoaded(Self.face)) { $0.photo = Self.face }
    await store.finish()
  }

  @Test func `The store reports what is loading, and the state does not hold it (S1, S2)`() async {
    let store = TestStore(initialState: Profile.State(), reducer: Profile.quick)
    store.reducer = .slow(store.clock)
    store.send(.appeared)
    store.assertEffects { $0[Work.person] = EffectStatus(running: 1) }
    store.advance(by: .seconds(1))
    await store.receive(.personLoaded(Self.ann)) { $0.person = Self.ann }
    store.assertEffects { $0[Work.photo] = EffectStatus(running: 1, input: Self.ann) }
    store.advance(by: .seconds(1))
    await store.receive(.photoLoaded(Self.face)) { $0.photo = Self.face }
    store.assertEffects { _ in }
    await store.finish()
  }

  @Test func `A second reload while the first is active is refused (O1)`() async {
    let store = TestStore(initialState: Profile.State(), reducer: Profile.quick)
    store.reducer = .slow(store.clock)
    store.send(.appeared)
    store.send(.reloadTapped)
    store.assertEffects { $0[Work.person] = EffectStatus(running: 1) }
    store.advance(by: .seconds(2))
    await store.receive(.personLoaded(Self.ann)) { $0.person = Self.ann }
    await store.receive(.photoLoaded(Self.face)) { $0.photo = Self.face }
    await store.finish()
  }

  @Test(arguments: [Profile.Action.cancelTapped, .left])
  func `After a cancel or after leaving, no answer arrives (E1, E3)`(goodbye: Profile.Action) async {
    let store = TestStore(initialState: Profile.State(), reducer: Profile.quick)
    store.reducer = .slow(store.clock)
    // While the person is loading.
    store.send(.appeared)
    store.send(goodbye)
    store.assertEffects { _ in }
    // And while the photo is loading.
    store.send(.reloadTapped)
    store.advance(by: .seconds(1))
    await store.receive(.personLoaded(Self.ann)) { $0.person = Self.ann }
    store.send(goodbye)
    store.assertEffects { _ in }
    store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `A problem is shown until a person is loaded`() async {
    struct NoNetwork: Error {}
    let store = TestStore(initialState: Profile.State(), reducer: Profile.quick)
    store.reducer.photo = { _ in throw NoNetwork() }
    store.send(.appeared)
    await store.receive(.personLoaded(Self.ann)) { $0.person = Self.ann }
    await store.receive(.failed("NoNetwork()")) { $0.problem = "NoNetwork()" }
    store.reducer.person = { throw NoNetwork() }
    store.send(.reloadTapped)
    await store.receive(.failed("NoNetwork()"))
    store.reducer = .quick
    store.send(.reloadTapped)
    await store.receive(.personLoaded(Self.ann)) { $0.problem = nil }
    await store.receive(.photoLoaded(Self.face)) { $0.photo = Self.face }
    await store.finish()
  }

  @MainActor @Test func `The screen shows the loaded data, and what is loading`() async {
    let profile = ObservableStore(initialState: Profile.State(), reducer: Profile.quick)
    #expect(screen(profile) == "(no name)  (no photo)")
    let sent = profile.send(.appeared)
    #expect(screen(profile) == "(no name)  (no photo)  loading ...")
    await sent.finish()
    #expect(screen(profile) == "Ann  (^_^)")
  }
}

extension Profile {
  /// Answers at once.
  static let quick = Profile(person: { Person(name: "Ann") }, photo: { _ in Photo(face: "(^_^)") })

  /// Answers after a second of the test's clock.
  static func slow(_ clock: TestClock) -> Profile {
    Profile(
      person: {
        try await clock.sleep(for: .seconds(1))
        return try await quick.person()
      },
      photo: {
        try await clock.sleep(for: .seconds(1))
        return try await quick.photo($0)
      })
  }
}

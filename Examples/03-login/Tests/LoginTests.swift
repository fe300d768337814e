// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import login

/// What the feature does, step by step.
@Suite struct LoginTests {
  private static let ann = Login.State(name: "ann", password: Password("swordfish"))
  private static let session = Session(number: 1, name: "ann")

  @Test func `The typed name and password are sent, and the session is kept`() async {
    let store = TestStore(initialState: Login.State(), reducer: Login(open: rightPassword, count: nothing))
    store.send(.nameChanged("ann")) { $0.name = "ann" }
    store.send(.passwordChanged(Password("swordfish"))) { $0.password = Password("swordfish") }
    store.send(.loginTapped)
    await store.receive(.loggedIn(Self.session)) { $0.session = Self.session }
    // A user who is logged in does not log in again.
    store.send(.loginTapped)
    await store.finish()
  }

  @Test func `A wrong password is reported until the next attempt`() async {
    let store = TestStore(initialState: Login.State(name: "ann"), reducer: Login(open: rightPassword, count: nothing))
    store.send(.loginTapped)
    await store.receive(.failed(.wrongPassword)) { $0.problem = .wrongPassword }
    store.send(.passwordChanged(Password("swordfish"))) { $0.password = Password("swordfish") }
    store.send(.loginTapped) { $0.problem = nil }
    await store.receive(.loggedIn(Self.session)) { $0.session = Self.session }
    await store.finish()
  }

  @Test func `Any other error means that the network is down`() async {
    struct Unplugged: Error {}
    let reducer = Login(open: { _, _ in throw Unplugged() }, count: nothing)
    let store = TestStore(initialState: Self.ann, reducer: reducer)
    store.send(.loginTapped)
    await store.receive(.failed(.networkDown)) { $0.problem = .networkDown }
    await store.finish()
  }

  @Test func `A second tap joins the login that is active (O5)`() async {
    let store = TestStore(initialState: Self.ann, reducer: Login(open: rightPassword, count: nothing))
    store.reducer.open = slowly(store.clock)
    store.send(.loginTapped)
    store.send(.loginTapped)
    store.assertEffects { $0["login"] = EffectStatus(running: 1, input: "ann") }
    store.advance(by: .seconds(1))
    await store.receive(.loggedIn(Self.session)) { $0.session = Self.session }
    await store.finish()
  }

  @Test func `A change of the name or the password cancels the login (E1)`() async {
    let store = TestStore(initialState: Self.ann, reducer: Login(open: rightPassword, count: nothing))
    store.reducer.open = slowly(store.clock)
    store.send(.loginTapped)
    store.send(.passwordChanged(Password("sw"))) { $0.password = Password("sw") }
    store.send(.loginTapped)
    store.send(.nameChanged("bob")) { $0.name = "bob" }
    store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `Every tap is counted, also one that joins`() async {
    let server = Server()
    let reducer = Login(open: rightPassword, count: { await server.count($0) })
    let store = TestStore(initialState: Self.ann, reducer: reducer)
    store.reducer.open = slowly(store.clock)
    store.send(.loginTapped)
    store.send(.loginTapped)
    store.advance(by: .seconds(1))
    await store.receive(.loggedIn(Self.session)) { $0.session = Self.session }
    await store.finish()
    #expect(await server.counted == ["loginTapped", "loginTapped"])
  }

  // MARK: - Requesting the session

  @Test func `Both taps of a double tap get the same session (L3)`() async throws {
    let server = Server()
    let store = Store(initialState: Self.ann, reducer: Login(open: { try await server.open($0, $1) }, count: nothing))
    async let first = store.logIn()
    async let second = store.logIn()
    #expect(try await [first, second] == [Self.session, Self.session])
    #expect(await server.opened == 1)
  }

  @Test func `A login that fails throws the reason (L3)`() async {
    let store = Store(initialState: Login.State(name: "ann"), reducer: Login(open: rightPassword, count: nothing))
    await #expect(throws: Problem.wrongPassword) { try await store.logIn() }
  }

  @Test func `A login that is cancelled throws a given-up error (L3)`() async {
    let (asked, asking) = AsyncStream<Void>.makeStream()
    let reducer = Login(
      open: { _, _ in
        asking.yield()
        for await _ in AsyncStream<Never>.makeStream().stream {}  // until it is cancelled
        throw CancellationError()
      }, count: nothing)
    let store = Store(initialState: Self.ann, reducer: reducer)
    let session = Task { try await store.logIn() }
    for await _ in asked { break }
    store.send(.passwordChanged(Password("sword")))
    await #expect(throws: Problem.givenUp) { try await session.value }
  }
}

// MARK: - Servers

let nothing: @Sendable (String) async -> Void = { _ in }

/// Answers at once.
let rightPassword: @Sendable (String, Password) async throws -> Session = { name, password in
  guard password == Password("swordfish") else { throw Problem.wrongPassword }
  return Session(number: 1, name: name)
}

/// Answers after a second of the test's clock.
func slowly(_ clock: TestClock) -> @Sendable (String, Password) async throws -> Session {
  { name, password in
    try await clock.sleep(for: .seconds(1))
    return try await rightPassword(name, password)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: all that can happen during a login, one after the other.
@main
enum Main {
  static func main() async {
    let server = Server()
    let store = Store(
      initialState: Login.State(name: "ann"),
      reducer: Login(open: { try await server.open($0, $1) }, count: { await server.count($0) }))

    store.send(.passwordChanged(Password("swordfihs")))
    print("wrong password:", await answer(of: store))

    store.send(.passwordChanged(Password("swordfish")))
    await server.setReachable(false)
    print("network down:  ", await answer(of: store))
    print("counted:       ", await server.counted.joined(separator: ", "))

    await server.setReachable(true)
    async let first = answer(of: store)
    async let second = answer(of: store)
    print("double tap:    ", await first, "and", await second)

    let naiveServer = Server()
    let naive = Store(
      initialState: Login.State(name: "ann", password: Password("swordfish")),
      reducer: NaiveLogin(open: { try await naiveServer.open($0, $1) }))
    // Each `finish` waits for everything that its tap causes.
    for tap in [naive.send(.loginTapped), naive.send(.loginTapped)] { await tap.finish() }
    print("sessions opened by a double tap:", await server.opened)
    print("... of the naive login:         ", await naiveServer.opened)
  }

  private static func answer(of store: Store<Login>) async -> String {
    do {
      let session = try await store.logIn()
      return "session \(session.number) of \(session.name)"
    } catch {
      return "\(error)"
    }
  }
}

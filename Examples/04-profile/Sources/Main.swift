// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: a visit to a profile, with a picture of the screen after each step.
@main
enum Main {
  @MainActor
  static func main() async {
    let server = Server()
    let store = Store(
      initialState: Profile.State(),
      reducer: Profile(person: { try await server.person() }, photo: { try await server.photo(of: $0) }),
      isolation: MainActor.shared)
    let profile = ObservableStore(store)

    profile.send(.appeared)
    print("appeared:      ", screen(profile))

    profile.send(.reloadTapped)
    print("reload tapped: ", screen(profile))

    for await person in store.statuses(of: Profile.Work.person) where !person.isRunning { break }
    print("person loaded: ", screen(profile))
    print("asked:         ", await server.asked, "time")

    profile.send(.cancelTapped)
    print("cancel tapped: ", screen(profile))

    await server.setReachable(false)
    await profile.send(.reloadTapped).finish()
    print("reloaded:      ", screen(profile))

    profile.send(.reloadTapped)
    print("reload tapped: ", screen(profile))

    profile.send(.left)
    print("left:          ", screen(profile))
  }
}

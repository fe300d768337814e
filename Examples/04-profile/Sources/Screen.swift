// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// What the screen shows: the state, and what runs.
@MainActor
func screen(_ profile: ObservableStore<Profile.State, Profile.Action>) -> String {
  let name = profile.person?.name ?? "(no name)"
  let face = profile.photo?.face ?? "(no photo)"
  let news =
    if profile.isRunning(Profile.Work.person) {
      "loading ..."
    } else if profile.isRunning(Profile.Work.photo) {
      "loading the photo ..."
    } else {
      profile.problem ?? ""
    }
  return [name, face, news].filter { !$0.isEmpty }.joined(separator: "  ")
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// What is seen: the state, and beside it what runs.
@MainActor
func screen(_ profile: ObservableStore<Profile>) -> String {
  let name = profile.person?.name ?? "(nobody)"
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

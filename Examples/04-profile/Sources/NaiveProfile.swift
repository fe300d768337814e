// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The profile as it is often written, with a flag that must be kept up to date by hand. Two mistakes:
///
/// - a cancel must clear the flag too, and does not;
/// - every failure clears it: also that of a photo, while the person is loading.
struct NaiveProfile: Reducer {
  struct State: Equatable, Sendable {
    var isLoading = false
    var shown = Profile.State()
  }

  typealias Action = Profile.Action

  /// Its effects are the same.
  var profile: Profile

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared, .reloadTapped:
      guard !state.isLoading else { return .none }
      state.isLoading = true
    case .cancelTapped, .left:
      break
    case .personLoaded, .failed:
      state.isLoading = false
    case .photoLoaded:
      break
    }
    return profile.reduce(into: &state.shown, action: action)
  }
}

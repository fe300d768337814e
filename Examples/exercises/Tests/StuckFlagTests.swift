// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct StuckFlagTests {
  @Test func `The spinner is shown exactly while the profile is loaded`() async {
    await explore(
      initialState: ProfilePage.State(), reducer: ProfilePage(load: { "Ann" }),
      requiring: [.isRunning("load", exactlyWhile: \.isLoading)]
    ) { script in
      script.send(.appeared)
      script.send(.cancelTapped)
    }
  }
}

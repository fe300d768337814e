// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct StaleAnswerTests {
  @Test func `The forecast is that of the chosen city, in every order of the answers`() async {
    await explore(
      initialState: Weather.State(), reducer: Weather(forecast: { .init(city: $0, text: "Sunny") })
    ) { script in
      script.send(.cityChosen("Rome"))
      script.send(.cityChosen("Oslo"))
    } always: { state in
      state.forecast == nil || state.forecast?.city == state.city
    } finally: { state in
      state.forecast != nil
    }
  }
}

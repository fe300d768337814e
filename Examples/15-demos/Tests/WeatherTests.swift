// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import demos

@Suite struct WeatherTests {
  struct Offline: Error {}
  private static let rome = City(id: 1, name: "Rome")
  private static let riga = City(id: 2, name: "Riga")

  private static func weather(_ clock: TestClock?) -> Weather {
    Weather(
      find: { query in [rome, riga].filter { $0.name.hasPrefix(query) } },
      forecast: { city in
        try await clock?.sleep(for: .seconds(1))
        return Forecast(city: city.id, days: [.init(date: "today", low: 10, high: 20)])
      })
  }

  private static func forecast(_ city: City) -> Forecast {
    Forecast(city: city.id, days: [.init(date: "today", low: 10, high: 20)])
  }

  @Test func `Cities are found when the typing pauses, and an empty query clears all`() async {
    let store = TestStore(initialState: Weather.State(), reducer: Self.weather(nil))
    store.send(.queryChanged("R")) { $0.query = "R" }
    store.advance(by: .milliseconds(200))
    store.send(.queryChanged("Ri")) { $0.query = "Ri" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found([Self.riga])) { $0.cities = [Self.riga] }
    store.send(.queryChanged("R")) { $0.query = "R" }
    store.send(.queryChanged("")) {
      $0.query = ""
      $0.cities = []
    }
    await store.finish()
  }

  @Test func `A tap loads the weather, and a second tap replaces the first`() async {
    let store = TestStore(initialState: Weather.State(cities: [Self.rome, Self.riga]), reducer: Self.weather(nil))
    store.reducer = Self.weather(store.clock)
    store.send(.cityTapped(Self.rome))
    store.send(.cityTapped(Self.riga))
    store.assertEffects { $0["forecast"] = EffectStatus(running: 1, input: Self.riga.id) }
    store.advance(by: .seconds(1))
    await store.receive(.loaded(Self.forecast(Self.riga))) { $0.forecast = Self.forecast(Self.riga) }
    await store.finish()
  }

  @Test func `Errors clear what they concern`() async {
    let store = TestStore(
      initialState: Weather.State(cities: [Self.rome], forecast: Self.forecast(Self.rome)), reducer: Self.weather(nil))
    store.reducer.forecast = { _ in throw Offline() }
    store.reducer.find = { _ in throw Offline() }
    store.send(.cityTapped(Self.rome))
    await store.receive(.loaded(nil)) { $0.forecast = nil }
    store.send(.queryChanged("R")) { $0.query = "R" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found([])) { $0.cities = [] }
    await store.finish()
  }

  @Test func `After an empty query nothing arrives, in every order (E1)`() async {
    let result = await explore(
      initialState: Weather.State(), reducer: Self.weather(nil), requiring: [.nothingRunsAtTheEnd]
    ) { script in
      script.send(.queryChanged("R"))
      script.send(.cityTapped(Self.rome))
      script.send(.queryChanged(""))
    } always: { state in
      !state.query.isEmpty || state.cities.isEmpty
    } finally: {
      $0 == Weather.State()
    }
    result.expectComplete(.steps)
  }
}

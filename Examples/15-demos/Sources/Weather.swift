// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

struct City: Equatable, Identifiable, Sendable {
  let id: Int
  let name: String
}

struct Forecast: Equatable, Sendable {
  struct Day: Equatable, Sendable {
    let date: String
    let low: Double
    let high: Double
  }
  let city: City.ID
  let days: [Day]
}

/// Demo 1, search: cities are found while the user types, and a tap on one loads its weather.
struct Weather: Reducer {
  struct State: Equatable, Sendable {
    var query = ""
    var cities: [City] = []
    var forecast: Forecast?
  }

  enum Action: Equatable, Sendable {
    case queryChanged(String)
    case found([City])
    case cityTapped(City)
    case loaded(Forecast?)
  }

  var find: @Sendable (String) async throws -> [City]
  var forecast: @Sendable (City) async throws -> Forecast

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      guard !query.isEmpty else {
        (state.cities, state.forecast) = ([], nil)
        return .merge(.cancel(id: "search"), .cancel(id: "forecast"))
      }
      return .run(id: "search", overlap: .restart, input: query) { [find] query, send in
        send(.found(try await find(query)))
      } catch: { _, send in
        send(.found([]))
      }
      .debounce(for: .milliseconds(300))
    case .found(let cities):
      state.cities = cities
    case .cityTapped(let city):
      // Which city is loading is the input of this run, and not a field of the state.
      return .run(id: "forecast", overlap: .restart, input: city.id) { [forecast] _, send in
        send(.loaded(try await forecast(city)))
      } catch: { _, send in
        send(.loaded(nil))
      }
    case .loaded(let forecast):
      state.forecast = forecast
    }
    return .none
  }
}

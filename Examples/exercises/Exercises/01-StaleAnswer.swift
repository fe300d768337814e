// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The weather of one city. The user chooses a city, and sees its forecast when the server has answered.
struct Weather: Reducer {
  struct State: Equatable, Sendable {
    var city = ""
    var forecast: Forecast?
  }

  struct Forecast: Equatable, Sendable {
    var city: String
    var text: String
  }

  enum Action: Equatable, Sendable {
    case cityChosen(String)
    case loaded(Forecast)
  }

  var forecast: @Sendable (_ city: String) async throws -> Forecast

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .cityChosen(let city):
      state.city = city
      state.forecast = nil
      return .run(id: "forecast", overlap: .concurrent, input: city) { [forecast] city, send in
        send(.loaded(try await forecast(city)))
      }
    case .loaded(let forecast):
      state.forecast = forecast
      return .none
    }
  }
}

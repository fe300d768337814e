// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The login as it is often written first. It differs from `Login`:
///
/// - `overlap: .concurrent`: a second tap is a second login, beside the first;
/// - no `cancel`: a change of the password does not cancel the login with the old one;
/// - no check of the session: a user who is logged in may still get a login failure.
struct NaiveLogin: Reducer {
  typealias State = Login.State
  typealias Action = Login.Action

  var open: @Sendable (_ name: String, Password) async throws -> Session

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .nameChanged(let name):
      state.name = name
    case .passwordChanged(let password):
      state.password = password
    case .loginTapped:
      state.problem = nil
      return .run(id: "login", overlap: .concurrent, input: state.name) {
        [open, password = state.password] name, send in
        send(.loggedIn(try await open(name, password)))
      } catch: { error, send in
        send(.failed(error as? Problem ?? .networkDown))
      }
    case .loggedIn(let session):
      state.session = session
    case .failed(let problem):
      state.problem = problem
    }
    return .none
  }
}

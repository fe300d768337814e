// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Logs in. Start reading here: this is all the logic there is.
struct Login: Reducer {
  struct State: Equatable, Sendable {
    var name = ""
    var password = Password("")
    var session: Session?
    var problem: Problem?
  }

  enum Action: Equatable, Sendable {
    // From the user.
    case nameChanged(String)
    case passwordChanged(Password)
    case loginTapped
    // From the server.
    case loggedIn(Session)
    case failed(Problem)
  }

  /// Requests a session from the server. A dependency is a stored property, so that tests can replace it.
  var open: @Sendable (_ name: String, Password) async throws -> Session
  /// Counts the actions of users for analytics.
  var count: @Sendable (_ event: String) async -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .nameChanged(let name):
      state.name = name
      // The user has changed what was sent, so the answer to it is not needed any more.
      return .cancel(id: "login")
    case .passwordChanged(let password):
      state.password = password
      return .cancel(id: "login")

    case .loginTapped:
      guard state.session == nil else { return .none }
      state.problem = nil
      return .merge(counting(.loginTapped), login(state.name, state.password))

    case .loggedIn(let session):
      state.session = session
      state.problem = nil
      return .none
    case .failed(let problem):
      // The next tap begins a new login as soon as this one has failed, so it may have been answered before.
      if state.session == nil { state.problem = problem }
      return .none
    }
  }

  private func counting(_ action: Action) -> Effect<Action> {
    .run { [count] _ in await count("\(action)") }
  }

  private func login(_ name: String, _ password: Password) -> Effect<Action> {
    // A second tap joins the active login: one session is opened, and both taps wait for it. The input decides which
    // logins are the same. The password need not be part of it, because a change of the password cancels the login.
    .run(id: "login", overlap: .join, input: name) { [open] name, send in
      send(.loggedIn(try await open(name, password)))
    } catch: { error, send in
      send(.failed(error as? Problem ?? .networkDown))
    }
  }
}

extension Store<Login> {
  /// Taps the button, and returns the session or throws the problem.
  nonisolated func logIn() async throws -> Session {
    try await request(.loginTapped) { state in
      if let session = state.session { return session }
      throw state.problem ?? .givenUp
    }
  }
}

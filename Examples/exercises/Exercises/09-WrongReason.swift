// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import EffectTesting

/// A lock with a PIN. After three wrong PINs it is blocked, and stays closed.
///
/// This program has no bug: change the test below.
struct PinLock: Reducer {
  struct State: Equatable, Sendable {
    var wrongPins = 0
    var isOpen = false
    var isBlocked: Bool { wrongPins >= 3 }
  }

  enum Action: Equatable, Sendable {
    case entered(String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .entered(let pin):
      guard !state.isBlocked else { return .none }
      state.isOpen = pin == "2580"
      state.wrongPins = state.isOpen ? 0 : state.wrongPins + 1
      return .none
    }
  }
}

/// A test: is a lock that is blocked always closed?
func testBlocking(of lock: some Reducer<PinLock.State, PinLock.Action> & Sendable) async {
  await explore(initialState: PinLock.State(), reducer: lock) { script in
    script.send(.entered("0000"))
    script.send(.entered("1111"))
    script.send(.entered("2580"))
  } always: { state in
    !(state.isBlocked && state.isOpen)
  }
}

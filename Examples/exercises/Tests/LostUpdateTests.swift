// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct LostUpdateTests {
  @Test func `Two deposits are both in the balance, in every order`() async {
    await explore(initialState: Account.State(), reducer: Account(confirm: { _ in })) { script in
      script.send(.deposited(10))
      script.send(.deposited(20))
    } finally: { state in
      state.balance == 30
    }
  }
}

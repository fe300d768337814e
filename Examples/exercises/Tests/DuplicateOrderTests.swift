// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@Suite struct DuplicateOrderTests {
  @Test func `Two taps place one order, in every order of events`() async {
    await explore { schedule in
      // The shop remembers what was ordered, so each schedule has a new one.
      let shop = Shop()
      let order = Mock<String, Int>(answering: { _ in shop.receipt() })
      let script = schedule.store(
        initialState: Checkout.State(basket: "tea"), reducer: Checkout(order: order.callAsFunction),
        always: { state in state.receipt == nil || state.receipt == 1 },
        finally: { state in state.receipt != nil })
      script.send(.buyTapped)
      script.send(.buyTapped)
    }
  }

  /// Numbers the receipts: a second order has the receipt 2.
  private final class Shop: Sendable {
    private let orders = Mutex(0)

    func receipt() -> Int {
      orders.withLock {
        $0 += 1
        return $0
      }
    }
  }
}

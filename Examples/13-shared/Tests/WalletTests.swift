// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@testable import shared

/// What two features do with one value, step by step.
@Suite struct WalletTests {
  struct SoldOut: Error {}

  @Test func `The shop alone: a purchase that is refused gives the points back`() async {
    let store = TestStore(initialState: Shop.State(points: 3), reducer: Shop(order: { _ in }))
    store.send(.buyTapped("poster", price: 4)) { $0.page.problem = "poster costs 4" }
    store.send(.buyTapped("sticker", price: 3)) { $0.points = 0 }
    await store.receive(.delivered("sticker")) {
      $0.page.bought = ["sticker"]
      $0.page.problem = nil
    }
    store.reducer.order = { _ in throw SoldOut() }
    store.send(.buyTapped("free", price: 0))
    await store.receive(.refused("free", price: 0)) { $0.page.problem = "free is sold out" }
    await store.finish()
  }

  @Test func `The quiz alone: only a right answer earns points`() async {
    let store = TestStore(initialState: Quiz.State(points: 1), reducer: Quiz(check: { $0 == "42" }))
    store.send(.answered("42"))
    await store.receive(.checked(isRight: true)) {
      $0.points = 6
      $0.page.solved = 1
    }
    store.send(.answered("41"))
    await store.receive(.checked(isRight: false))
    store.reducer.check = { _ in throw SoldOut() }
    store.send(.answered("42"))
    await store.receive(.checked(isRight: false))
    await store.finish()
  }

  @Test func `A change by one feature is seen by the other at once, and is saved`() async {
    let saved = Mutex([Int]())
    let store = TestStore(
      initialState: Wallet.State(points: 0),
      reducer: Wallet(
        services: Services(
          order: { _ in throw SoldOut() }, check: { _ in true },
          save: { points in saved.withLock { $0.append(points) } })
      ))
    store.send(.shop(.buyTapped("sticker", price: 3))) { $0.shopPage.problem = "sticker costs 3" }
    store.send(.quiz(.answered("42")))
    await store.receive(.quiz(.checked(isRight: true))) {
      $0.points = 5
      $0.quizPage.solved = 1
    }
    store.send(.shop(.buyTapped("sticker", price: 3))) { $0.points = 2 }
    #expect(store.state.quiz.points == 2)
    await store.receive(.shop(.refused("sticker", price: 3))) {
      $0.points = 5
      $0.shopPage.problem = "sticker is sold out"
    }
    await store.finish()
    #expect(saved.withLock(\.self) == [5, 2, 5])
  }

  @Test func `A save that fails is shown, and the points stay`() async {
    let store = TestStore(
      initialState: Wallet.State(points: 0),
      reducer: Wallet(
        services: Services(order: { _ in }, check: { _ in true }, save: { _ in throw SoldOut() })))
    store.send(.quiz(.checked(isRight: true))) {
      $0.points = 5
      $0.quizPage.solved = 1
    }
    await store.receive(.notSaved("SoldOut()")) { $0.problem = "SoldOut()" }
    await store.finish()
  }
}

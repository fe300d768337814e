// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@testable import shared

/// Every order in which a purchase, an answer and the saves of both can come.
@Suite struct `Explorations of shared state` {
  private actor File {
    private(set) var points = 10
    func save(_ points: Int) { self.points = points }
  }

  private static func services(_ file: File) -> Services {
    Services(order: { _ in }, check: { _ in true }, save: { await file.save($0) })
  }

  @Test func `No change of either feature is lost (T1)`() async {
    let result = await explore { schedule in
      let script = schedule.store(
        initialState: Wallet.State(points: 10), reducer: Wallet(services: Self.services(File())),
        requiring: [.nothingRunsAtTheEnd], sometimes: ["the answer comes first": { $0.shopPage.bought.isEmpty }],
        always: { [7, 12].contains($0.points) }, finally: { $0.points == 12 })
      script.send(.shop(.buyTapped("sticker", price: 3)))
      script.send(.quiz(.answered("42")))
    }
    #expect(
      "\(result)" == "complete: answers (32 states), timers (32 states), deliveries (190 states), steps (879 states)")
  }

  @Test func `The last value is the one that is saved (O1)`() async {
    let result = await explore { schedule in
      let saved = Mutex(10)
      let services = Services(
        order: { _ in }, check: { _ in true }, save: { points in saved.withLock { $0 = points } })
      let script = schedule.store(
        initialState: Wallet.State(points: 10), reducer: Wallet(services: services),
        finally: { state in state.points == 12 && saved.withLock(\.self) == 12 })
      script.send(.shop(.buyTapped("sticker", price: 3)))
      script.send(.quiz(.answered("42")))
    }
    #expect(
      "\(result)" == "complete: answers (32 states), timers (32 states), deliveries (190 states), steps (190 states)")
  }

  @Test func `A purchase that is refused gives back what it took, whatever was earned meanwhile`() async {
    struct SoldOut: Error {}
    let result = await explore { schedule in
      var services = Self.services(File())
      services.order = { _ in throw SoldOut() }
      let script = schedule.store(
        initialState: Wallet.State(points: 10), reducer: Wallet(services: services),
        requiring: [.nothingRunsAtTheEnd],
        sometimes: ["earned first": { $0.points == 12 }, "refused first": { $0.points == 10 }],
        finally: { $0.points == 15 })
      script.send(.shop(.buyTapped("sticker", price: 3)))
      script.send(.quiz(.checked(isRight: true)))
    }
    #expect(
      "\(result)" == "complete: answers (49 states), timers (49 states), deliveries (228 states), steps (1,199 states)")
  }

  @Test func `Two copies lose an update, and the exploration shows how`() async {
    let failures = await reportedFailures {
      let result = await explore { schedule in
        let script = schedule.store(
          initialState: NaiveWallet.State(shop: 10, quiz: 10), reducer: NaiveWallet(services: Self.services(File())),
          finally: { $0.shop == 12 && $0.quiz == 12 })
        script.send(.buyTapped("sticker", price: 3))
        script.send(.answered("42"))
      }
      #expect(result.failure != nil)
    }
    #expect(failures.count == 1)
    #expect(failures.first?.contains("`finally` does not hold") == true)
    #expect(failures.first?.contains("State(shop: 15, quiz: 15)") == true)
  }

  @Test func `A test in one order does not find the lost update`() async {
    let store = TestStore(
      initialState: NaiveWallet.State(shop: 10, quiz: 10), reducer: NaiveWallet(services: Self.services(File())))
    store.send(.buyTapped("sticker", price: 3))
    await store.receive(.shopHas(7)) {
      $0.shop = 7
      $0.quiz = 7
    }
    store.send(.answered("42"))
    await store.receive(.quizHas(12)) {
      $0.shop = 12
      $0.quiz = 12
    }
    await store.finish()
  }
}

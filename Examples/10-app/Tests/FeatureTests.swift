// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import app

/// Each feature alone.
@Suite struct `Each feature` {
  private static let cake = Row.State(id: 2, title: "Carrot cake")

  @Test func `A row loads its rating, and has none if that fails`() async {
    let store = TestStore(initialState: Self.cake, reducer: Row(kitchen: .open))
    store.send(.appeared)
    store.assertEffects { $0["rating"] = EffectStatus(running: 1) }
    await store.receive(.rated(4)) { $0.rating = 4 }
    store.reducer = Row(kitchen: .closed)
    store.send(.appeared)
    await store.receive(.failed("Closed()")) { $0.rating = nil }
    await store.finish()
  }

  @Test func `A sheet publishes once, however often the button is tapped (O1)`() async {
    let store = TestStore(initialState: Share.State(recipe: 2), reducer: Share(kitchen: .open))
    store.reducer = Share(kitchen: .slow(store.clock))
    store.send(.greetingChanged("try")) { $0.greeting = "try" }
    store.send(.sendTapped)
    store.send(.sendTapped)
    store.advance(by: .seconds(1))
    await store.receive(.done(link: "2/try"))
    await store.finish()
  }

  @Test func `A sheet shows what went wrong, and can be sent again or closed`() async {
    let store = TestStore(initialState: Share.State(recipe: 2), reducer: Share(kitchen: .closed))
    store.send(.sendTapped)
    await store.receive(.failed("Closed()")) { $0.problem = "Closed()" }
    store.reducer = Share(kitchen: .open)
    store.send(.sendTapped) { $0.problem = nil }
    await store.receive(.done(link: "2/"))
    store.send(.cancelTapped)
    await store.receive(.done(link: nil))
    await store.finish()
  }

  @Test func `A detail loads its steps, and once more after the active load (O1)`() async {
    let store = TestStore(initialState: Detail.State(id: 2, title: "Carrot cake"), reducer: Detail(kitchen: .open))
    store.reducer = Detail(kitchen: .slow(store.clock))
    store.send(.appeared)
    store.send(.appeared)
    store.assertEffects { $0["steps"] = EffectStatus(running: 1, queued: 1) }
    store.advance(by: .seconds(1))
    await store.receive(.stepsLoaded(["Cook 2."])) { $0.steps = ["Cook 2."] }
    store.advance(by: .seconds(1))
    await store.receive(.stepsLoaded(["Cook 2."]))
    store.reducer = Detail(kitchen: .closed)
    store.send(.appeared)
    await store.receive(.failed("Closed()")) { $0.problem = "Closed()" }
    await store.finish()
  }

  @Test func `A detail closes its sheet when the sheet is done, and keeps the link (M2)`() async {
    let store = TestStore(initialState: Detail.State(id: 2, title: "Carrot cake"), reducer: Detail(kitchen: .open))
    store.send(.shareTapped) { $0.share = Share.State(recipe: 2) }
    store.send(.share(.sendTapped))
    await store.receive(.share(.done(link: "2/"))) {
      $0.share = nil
      $0.link = "2/"
    }
    // Closed while it publishes: its link never arrives.
    store.reducer = Detail(kitchen: .slow(store.clock))
    store.send(.shareTapped) { $0.share = Share.State(recipe: 2) }
    store.send(.share(.sendTapped))
    store.send(.share(.cancelTapped))
    await store.receive(.share(.done(link: nil))) { $0.share = nil }
    await store.finish()
  }

  @Test func `A list loads, and each row loads its rating under its own id (M1)`() async {
    let store = TestStore(initialState: Library.State(), reducer: Library(kitchen: .open))
    store.send(.appeared)
    await store.receive(.loaded([Recipe(id: 1, title: "Borscht"), Recipe(id: 2, title: "Carrot cake")])) {
      $0.rows = Library.State.two
      $0.order = [1, 2]
    }
    await store.receive(.row(1, .appeared))
    await store.receive(.row(2, .appeared))
    await store.receive(unordered: [.row(1, .rated(3)), .row(2, .rated(4))]) {
      $0.rows[1]?.rating = 3
      $0.rows[2]?.rating = 4
    }
    store.reducer = Library(kitchen: .closed)
    store.send(.appeared)
    await store.receive(.failed("Closed()")) { $0.problem = "Closed()" }
    await store.finish()
  }

  @Test func `Deleting a row cancels the work of the row, of its open detail and of the sheet in that (M2)`() async {
    let store = TestStore(
      initialState: Library.State(rows: Library.State.two, order: [1, 2]), reducer: Library(kitchen: .open))
    store.reducer = Library(kitchen: .slow(store.clock))
    store.send(.openTapped(2)) { $0.detail = Detail.State(id: 2, title: "Carrot cake") }
    await store.receive(.detail(.appeared))
    store.send(.detail(.shareTapped)) { $0.detail?.share = Share.State(recipe: 2) }
    store.send(.detail(.share(.sendTapped)))
    store.send(.row(2, .appeared))
    store.send(.deleteTapped(2)) {
      $0.rows[2] = nil
      $0.order = [1]
      $0.detail = nil
    }
    // Three runs were active. This proves that nothing is received, and that no run remains.
    store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `Settings save the last of many choices (O1)`() async {
    let store = TestStore(initialState: Settings.State(), reducer: Settings(kitchen: .open))
    store.send(.unitsTapped) { $0.isMetric = false }
    store.advance(by: .milliseconds(299))
    store.send(.unitsTapped) { $0.isMetric = true }
    store.send(.unitsTapped) { $0.isMetric = false }
    store.advance(by: .milliseconds(300))
    await store.receive(.saved(isMetric: false)) { $0.savedIsMetric = false }
    store.reducer = Settings(kitchen: .closed)
    store.send(.unitsTapped) { $0.isMetric = true }
    store.advance(by: .milliseconds(300))
    await store.receive(.failed("Closed()")) { $0.problem = "Closed()" }
    await store.finish()
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import cookbook

@Suite struct `The cookbook` {
  private let egg = Recipe(id: 4, name: "Boiled egg", minutes: 5)
  private let soup = Recipe(id: 1, name: "Tomato soup", minutes: 1)

  private func makeStore(_ recipes: [Recipe]) -> TestStore<Cookbook> {
    TestStore(
      initialState: Cookbook.State(recipes: recipes),
      reducer: Cookbook(service: RecipeService(all: { recipes }, find: { $0 == "egg" ? [4] : [] })))
  }

  @Test func `The newest words are searched for, when nothing was typed for a while (O1, T2)`() async {
    let store = makeStore([soup, egg])
    store.send(.queryChanged("e")) { $0.query = "e" }
    store.advance(by: .milliseconds(200))
    store.send(.queryChanged("egg")) { $0.query = "egg" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found([4])) { $0.found = [4] }
    #expect(store.state.shown == [egg])
    store.send(.queryChanged("")) {
      $0.query = ""
      $0.found = nil
    }
    await store.finish()
  }

  @Test func `A recipe is added, and the form dismisses itself (M8)`() async {
    let store = makeStore([])
    store.send(.addTapped) { $0.adding = RecipeForm.State() }
    store.send(.adding(.field(\.name, "Tea"))) { $0.adding?.name = "Tea" }
    store.send(.adding(.lessTapped)) { $0.adding?.minutes = 9 }
    store.send(.adding(.saveTapped)) {
      $0.adding = nil
      $0.recipes = [Recipe(id: 1, name: "Tea", minutes: 9)]
    }
    await store.finish()
  }

  @Test func `A timer counts down, is paused, and closes its screen (T3, M8)`() async {
    let store = makeStore([soup])
    store.send(.pages(.push(RecipePage.State(recipe: soup)))) { $0.pages.push(RecipePage.State(recipe: soup)) }
    store.send(.pages(.element(0, .cookTapped))) { $0.pages[id: 0]?.cooking = Cooking.State(seconds: 60) }
    await store.receive(.pages(.element(0, .cooking(.started))))
    store.advance(by: .seconds(1))
    await store.receive(.pages(.element(0, .cooking(.tick)))) { $0.pages[id: 0]?.cooking?.seconds = 59 }
    store.send(.pages(.element(0, .cooking(.pauseTapped)))) { $0.pages[id: 0]?.cooking?.isPaused = true }
    store.advance(by: .seconds(100))
    store.send(.pages(.element(0, .cooking(.pauseTapped)))) { $0.pages[id: 0]?.cooking?.isPaused = false }
    await store.receive(.pages(.element(0, .cooking(.started))))
    for left in (0...58).reversed() {
      store.advance(by: .seconds(1))
      await store.receive(.pages(.element(0, .cooking(.tick)))) { $0.pages[id: 0]?.cooking?.seconds = left }
    }
    await store.receive(.pages(.element(0, .cooking(.finished)))) {
      $0.pages[id: 0]?.cooking = nil
      $0.pages[id: 0]?.timesCooked = 1
    }
    await store.finish()
  }

  @Test func `A page that is left ends its timer (M2)`() async {
    let store = makeStore([egg])
    store.send(.pages(.push(RecipePage.State(recipe: egg)))) { $0.pages.push(RecipePage.State(recipe: egg)) }
    store.send(.pages(.element(0, .cookTapped))) { $0.pages[id: 0]?.cooking = Cooking.State(seconds: 300) }
    await store.receive(.pages(.element(0, .cooking(.started))))
    store.send(.pages(.pop)) { $0.pages.pop() }
    await store.finish()
  }

  @Test func `A page pushes a page, and a recipe is deleted with its page`() async {
    let store = makeStore([soup, egg])
    store.send(.pages(.push(RecipePage.State(recipe: egg)))) { $0.pages.push(RecipePage.State(recipe: egg)) }
    store.send(.pages(.element(0, .shorterTapped))) { [soup] in $0.pages.push(RecipePage.State(recipe: soup)) }
    store.send(.pages(.element(1, .deleteTapped))) {
      $0.recipes.removeFirst()
      $0.pages.pop()
    }
    await store.finish()
  }

  @Test func `No answer of a former search is shown, in any order (O1)`() async {
    let result = await explore(
      initialState: Cookbook.State(recipes: [soup, egg]),
      reducer: Cookbook(service: RecipeService(all: { [] }, find: { $0 == "egg" ? [4] : [1] }))
    ) { script in
      script.send(.queryChanged("egg"))
      script.send(.queryChanged("soup"))
      script.send(.queryChanged(""))
    } always: { state in
      switch state.query {
      case "egg": state.found != [1]
      case "soup": true
      default: state.found == nil
      }
    }
    #expect(
      "\(result)" == "complete: answers (4 states), timers (10 states), deliveries (26 states), steps (41 states)")
  }
}

@Suite struct `The cookbook in a terminal` {
  @Test func `A line is what a button sends, and the screen shows what is on top`() {
    var state = Cookbook.State(recipes: [Recipe(id: 1, name: "Tea", minutes: 3)])
    #expect(Terminal.screen(state) == "  1 Tea")
    #expect(Terminal.actions(for: "cook", in: state) == [])
    #expect(Terminal.actions(for: "open 2", in: state) == [])
    #expect(Terminal.actions(for: "open 1", in: state).count == 1)
    state.pages.push(RecipePage.State(recipe: state.recipes[0]))
    #expect(Terminal.screen(state) == "  Tea, 3 minutes, cooked 0 times")
    #expect(Terminal.actions(for: "cook", in: state) == [.pages(.element(0, .cookTapped))])
    state.pages[id: 0]?.cooking = Cooking.State(seconds: 65, isPaused: true)
    #expect(Terminal.screen(state) == "  Tea: 1:05, paused")
  }
}

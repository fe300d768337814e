// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import SwiftUI
import TestSupport
import Testing

/// Records each action of a kitchen.
private struct Recorded: Reducer {
  let log: Recorder<String>
  let kitchen: Kitchen
  func reduce(into state: inout Kitchen.State, action: Kitchen.Action) -> Effect<Kitchen.Action> {
    switch action {
    case .screens(.element(let id, let action)): log.record("\(id) \(action)")
    case .screens(let action): log.record("\(action)".prefix { $0 != "(" }.description)
    }
    return kitchen.reduce(into: &state, action: action)
  }
}

/// As `KitchenView`, for a store that records.
private struct RecordedView: View {
  let kitchen: ObservableStore<Recorded.State, Recorded.Action>
  var body: some View {
    let screens = kitchen.path(\.screens, action: Kitchen.screens)
    NavigationStack(path: screens.items) {
      Text("Kitchen").navigationDestination(screens) { RecipeView(recipe: $0) }
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct `A navigation stack` {
  private let log = Recorder<String>()
  private let store: ObservableStore<Recorded.State, Recorded.Action>
  private let host: ViewHost

  init() {
    let kitchen = Kitchen(
      recipe: Recipe { [log] name in
        log.record("loads \(name)")
        await withTaskCancellationHandler {
          // Suspended, not yielding: with Swift 6.3.1 on Linux a task that yields in a loop has lost its cancellation here.
          try? await Task.sleep(for: .seconds(3_600))
        } onCancel: {
          log.record("ends \(name)")
        }
        throw CancellationError()
      })
    store = ObservableStore(initialState: Kitchen.State(), reducer: Recorded(log: log, kitchen: kitchen))
    host = ViewHost(RecordedView(kitchen: store))
  }

  private func send(_ action: StackAction<Recipe.State, Recipe.Action>) {
    store.send(.screens(action))
    host.frame()
  }

  /// The names of the pages on the screen.
  private var pages: [String] {
    host.screen.split(separator: "\n").filter { !$0.hasPrefix("[") && $0 != "Kitchen" && $0 != "--- page" }.map(
      String.init)
  }

  private func recipe(_ name: String) -> Recipe.State { Recipe.State(name: name) }

  @Test func `Pages are pushed, replaced, linked and popped by actions (M8)`() {
    send(.push(recipe("Soup")))
    #expect(pages == ["Soup"])
    host.tap("Variant")
    host.frame()
    #expect(pages == ["Soup", "Soup, hot"])
    send(.replace(recipe("Cake")))
    host.frame()
    #expect(pages == ["Soup", "Cake"])
    send(.set([recipe("A"), recipe("B"), recipe("C")]))
    host.frame()
    #expect(pages == ["A", "B", "C"])
    send(.popToRoot)
    host.frame()
    #expect(pages == [])
    #expect(host.warnings == [])
  }

  @Test func `A page that is swiped back sends one dismissal, ends its work and is not blank meanwhile (M2, M8)`() async
  {
    send(.set([recipe("A"), recipe("B")]))
    let ids = store.screens.ids
    store.send(.screens(.element(ids[0], .load)))
    store.send(.screens(.element(ids[1], .load)))
    await log.wait(for: "loads A")
    await log.wait(for: "loads B")
    host.dismissTop()
    #expect(log.events.filter { $0 == "dismiss" } == ["dismiss"])
    host.frame()
    #expect(pages == ["A", "--- page, leaving", "B"])
    host.frame()
    #expect(pages == ["A"])
    await log.wait(for: "ends B")
    #expect(!log.events.contains("ends A"))
    store.send(.screens(.popToRoot))
    await log.wait(for: "ends A")
    #expect(host.warnings == [])
  }

  @Test func `Going back over several pages is one dismissal, also if it is reported twice in a notification (M8)`() {
    send(.set([recipe("A"), recipe("B"), recipe("C")]))
    let path = store.path(\.screens, action: Kitchen.screens)
    // SAFETY: used on the main actor, where the store notifies.
    nonisolated(unsafe) let items = path.items
    withObservationTracking {
      _ = store.deleted
    } onChange: {
      MainActor.assumeIsolated {
        for _ in 0..<2 { unsafe items.wrappedValue = Array(items.wrappedValue.prefix(1)) }
      }
    }
    // Deletes C, which changes `deleted`.
    store.send(.screens(.element(store.screens.ids[2], .deleteTapped)))
    store.send(.screens(.element(store.screens.ids[0], .variantTapped)))
    #expect(log.events.filter { $0 == "dismiss" } == ["dismiss"])
    #expect(store.screens.elements.map(\.name) == ["A", "A, hot"])
  }

  @Test func `A page that dismisses itself disappears with one action (M8)`() {
    send(.push(recipe("Soup")))
    host.tap("Delete")
    host.frame()
    #expect(pages == ["--- page, leaving", "Soup"])
    host.frame()
    #expect(pages == [])
    #expect(log.events == ["push", "#0 deleteTapped", "#0 deleted"])
    #expect(store.deleted == ["Soup"])
    #expect(host.warnings == [])
  }

  @Test func `A page is evaluated when its child changes, and the stack is not (M5)`() {
    send(.set([recipe("A"), recipe("B")]))
    _ = host.takeEvaluations()
    send(.element(store.screens.ids[0], .loaded(["boil"])))
    #expect(host.takeEvaluations() == ["RecipeView": 1])
    #expect(pages == ["A", "boil", "B"])
  }

  @Test func `A restored stack is shown, and goes on with new ids (M8)`() throws {
    send(.set([recipe("A"), recipe("B")]))
    send(.replace(recipe("C")))
    let data = try JSONEncoder().encode(Kitchen.State(screens: store.screens))
    let kitchen = ObservableStore(
      initialState: try JSONDecoder().decode(Kitchen.State.self, from: data),
      reducer: Kitchen(recipe: Recipe { _ in [] }))
    let host = ViewHost(KitchenView(kitchen: kitchen))
    #expect(host.screen.contains("A\n") && host.screen.contains("C\n"))
    #expect(kitchen.screens.ids == store.screens.ids)
    kitchen.send(.screens(.push(recipe("D"))))
    host.frame()
    #expect(kitchen.screens.ids == store.screens.ids + [3])
  }

  @Test func `A link pushes, and the page is there once`() {
    let kitchen = ObservableStore(initialState: Kitchen.State(), reducer: Kitchen(recipe: Recipe { _ in [] }))
    let host = ViewHost(KitchenView(kitchen: kitchen))
    host.tap("Soup")
    host.frame()
    #expect(host.screen == "[Soup]\n[Menu]\n--- page\nSoup\n[Variant]\n[Delete]")
    #expect(kitchen.screens.ids == [0])
    host.tap("Menu")
    host.frame()
    host.frame()
    #expect(kitchen.screens.elements.map(\.name) == ["Soup", "Cake"])
    host.dismissTop()
    host.dismissTop()
    host.frame()
    host.dismissTop()
    host.frame()
    host.frame()
    #expect(host.screen == "[Soup]\n[Menu]")
    #expect(host.warnings == [])
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Navigation.md, and `NavigationTests` runs it on the host.
// `.ci/swiftui.py` also compiles it with the main actor as the default isolation.

import EffectTesting
import SwiftUI

struct Recipe: Reducer {
  struct State: Hashable, Codable, Sendable {
    var name: String
    var steps: [String] = []
  }
  enum Action: DismissingAction, Equatable {
    case load, loaded([String]), variantTapped, deleteTapped, deleted
    var isDismissal: Bool { self == .deleted }                        // the one line with which it dismisses itself
  }

  var load: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .load:
      return .run(id: "load", overlap: .drop, input: state.name) { [load] name, send in send(.loaded(try await load(name))) }
    case .loaded(let steps): state.steps = steps
    case .deleteTapped: return .send(.deleted)
    case .variantTapped, .deleted: break                              // the parent reacts
    }
    return .none
  }
}

// listing: feature
struct Kitchen: Reducer {
  struct State: Equatable, Codable, Sendable {
    var screens = ChildStack<Recipe.State>()
    var deleted: [String] = []
  }
  enum Action: Equatable, Sendable { case screens(StackAction<Recipe.State, Recipe.Action>) }

  static let screens = CasePath(Action.screens)

  var recipe: Recipe

  var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .screens(.element(let id, .variantTapped)):
        if let name = state.screens[id: id]?.name { state.screens.push(Recipe.State(name: "\(name), hot")) }
      case .screens(.element(let id, .deleted)):
        if let name = state.screens[id: id]?.name { state.deleted.append(name) }    // it is still there
      case .screens: break
      }
      return .none
    }
    .stack(\.screens, action: Self.screens) { recipe }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}
// end

// listing: views
struct KitchenView: View {
  let kitchen: ObservableStore<Kitchen.State, Kitchen.Action>

  var body: some View {
    let screens = kitchen.path(\.screens, action: Kitchen.screens)
    NavigationStack(path: screens.items) {
      List {
        NavigationLink("Soup", value: StackItem(Recipe.State(name: "Soup")))        // sends .screens(.push(...))
        Button("Menu") { kitchen.send(.screens(.set(["Soup", "Cake"].map { Recipe.State(name: $0) }))) }
      }
      .navigationDestination(screens) { RecipeView(recipe: $0) }
    }
  }
}

struct RecipeView: View {
  let recipe: ObservableStore<Recipe.State, Recipe.Action>

  var body: some View {
    Text(recipe.name)
    ForEach(recipe.steps, id: \.self) { Text($0) }
    Button("Variant") { recipe.send(.variantTapped) }
    Button("Delete") { recipe.send(.deleteTapped) }
  }
}
// end

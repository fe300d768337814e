// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  import EffectRuntime
  import SwiftUI

  /// The first screen of an app: `WindowGroup { CookbookScreen(cookbook: cookbook) }`.
  struct CookbookScreen: View {
    let cookbook: ObservableStore<Cookbook.State, Cookbook.Action>

    var body: some View {
      let pages = cookbook.path(\.pages, action: Cookbook.pages)
      NavigationStack(path: pages.items) {
        Form {
          TextField("Search", text: cookbook.binding(\.query, send: Cookbook.Action.queryChanged))
          SearchStatus(cookbook: cookbook)
          RecipeList(cookbook: cookbook)
          Button("Add") { cookbook.send(.addTapped) }
        }
        .navigationDestination(pages) { RecipeScreen(page: $0) }
      }
      .task(sending: .appeared, to: cookbook)
      .sheet(cookbook.presentation(\.adding, action: Cookbook.adding, dismiss: .adding(.cancelTapped))) {
        FormScreen(form: $0)
      }
    }
  }

  struct RecipeList: View {
    let cookbook: ObservableStore<Cookbook.State, Cookbook.Action>

    var body: some View {
      List {
        ForEach(cookbook.shown) { NavigationLink($0.name, value: StackItem(RecipePage.State(recipe: $0))) }
      }
    }
  }

  struct SearchStatus: View {
    let cookbook: ObservableStore<Cookbook.State, Cookbook.Action>

    var body: some View {
      EffectStatusView("search", in: cookbook) { status in
        if !status.isIdle { ProgressView() }
      }
      if let problem = cookbook.problem { Text(problem) }
    }
  }
#endif

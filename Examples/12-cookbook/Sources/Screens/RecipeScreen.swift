// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  import EffectRuntime
  import SwiftUI

  struct RecipeScreen: View {
    let page: ObservableStore<RecipePage.State, RecipePage.Action>

    var body: some View {
      VStack {
        Text("\(page.recipe.name), \(page.recipe.minutes) minutes, cooked \(page.timesCooked) times")
        Button("Cook") { page.send(.cookTapped) }
        Button("Something shorter") { page.send(.shorterTapped) }
        Button("Delete") { page.send(.deleteTapped) }
      }
      .sheet(page.presentation(\.cooking, action: RecipePage.cooking, dismiss: .cookingClosed)) {
        CookingScreen(cooking: $0)
      }
    }
  }

  struct CookingScreen: View {
    let cooking: ObservableStore<Cooking.State, Cooking.Action>

    var body: some View {
      Text(cooking.text)
      Button(cooking.isPaused ? "Go on" : "Pause") { cooking.send(.pauseTapped) }
      Button("Stop") { cooking.send(.stopTapped) }
    }
  }
#endif

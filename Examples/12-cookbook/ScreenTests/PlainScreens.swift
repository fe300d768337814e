// This source file is part of swift-effects. License: Apache-2.0.

import SwiftUI

@testable import cookbook

/// The same screens over plain objects, to compare the lines and what is shown.
enum Plain {
  struct CookbookScreen: View {
    @Bindable var model: CookbookModel

    var body: some View {
      NavigationStack(path: $model.pages) {
        Form {
          TextField("Search", text: $model.query)
          SearchStatus(model: model)
          RecipeList(model: model)
          Button("Add") { model.adding = FormModel() }
        }
        .navigationDestination(for: PageModel.self) { RecipeScreen(model: model, page: $0) }
      }
      .task { await model.load() }
      .sheet(isPresented: $model.isAdding) {
        if let form = model.adding { FormScreen(model: model, form: form) }
      }
    }
  }

  struct RecipeList: View {
    let model: CookbookModel

    var body: some View {
      List {
        ForEach(model.shown) { NavigationLink($0.name, value: model.page(of: $0)) }
      }
    }
  }

  struct SearchStatus: View {
    let model: CookbookModel

    var body: some View {
      if model.isSearching { ProgressView() }
      if let problem = model.problem { Text(problem) }
    }
  }

  struct FormScreen: View {
    let model: CookbookModel
    @Bindable var form: FormModel

    var body: some View {
      Form {
        TextField("Name", text: $form.name)
        Text("\(form.minutes) minutes")
        Button("Less") { form.minutes = max(1, form.minutes - 1) }
        Button("More") { form.minutes += 1 }
        Button("Cancel") { model.adding = nil }
        Button("Save") { model.save(form) }.disabled(form.name.isEmpty)
      }
    }
  }

  struct RecipeScreen: View {
    let model: CookbookModel
    @Bindable var page: PageModel

    var body: some View {
      VStack {
        Text("\(page.recipe.name), \(page.recipe.minutes) minutes, cooked \(page.timesCooked) times")
        Button("Cook") { page.cook() }
        Button("Something shorter") { model.showShorter(than: page.recipe) }
        Button("Delete") { model.delete(page.recipe) }
      }
      .sheet(isPresented: $page.isCooking) {
        CookingScreen(page: page)
      }
    }
  }

  struct CookingScreen: View {
    let page: PageModel

    var body: some View {
      Text(page.text)
      Button(page.isPaused ? "Go on" : "Pause") { page.pause() }
      Button("Stop") { page.stop() }
    }
  }
}

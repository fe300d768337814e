// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The whole app: a list with a search, a sheet with a form, and a stack of pages. Start reading here.
struct Cookbook: Reducer {
  struct State: Equatable, Sendable {
    var recipes: [Recipe] = []
    var query = ""
    /// What the last search has found; `nil` without words.
    var found: [Recipe.ID]?
    var problem: String?
    var adding: RecipeForm.State?
    var pages = ChildStack<RecipePage.State>()

    var shown: [Recipe] { found.map { found in recipes.filter { found.contains($0.id) } } ?? recipes }
  }

  enum Action: Equatable, Sendable {
    case appeared, loaded([Recipe])
    case queryChanged(String), found([Recipe.ID])
    case failed(String)
    case addTapped, adding(RecipeForm.Action)
    case pages(StackAction<RecipePage.State, RecipePage.Action>)
  }

  static let adding = CasePath(Action.adding)
  static let pages = CasePath(Action.pages)

  var service: RecipeService

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in list(&state, action) }
      .ifLet(\.adding, action: Self.adding) { RecipeForm() }
      .stack(\.pages, action: Self.pages) { RecipePage() }
  }

  private func list(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      return .run(id: "load", overlap: .drop) { [service] send in
        send(.loaded(try await service.all()))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .loaded(let recipes): state.recipes = recipes
    case .failed(let problem): state.problem = problem

    case .queryChanged(let query):
      state.query = query
      state.problem = nil
      guard !query.isEmpty else {
        state.found = nil
        return .cancel(id: "search")
      }
      return .run(id: "search", overlap: .restart, input: query) { [service] query, send in
        send(.found(try await service.find(query)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
      .debounce(for: .milliseconds(300))
    case .found(let ids): state.found = ids

    case .addTapped: state.adding = RecipeForm.State()
    case .adding(.saveTapped):
      // The form is still there: it is removed after this.
      guard let form = state.adding else { break }
      let id = (state.recipes.map(\.id).max() ?? 0) + 1
      state.recipes.append(Recipe(id: id, name: form.name, minutes: form.minutes))

    case .pages(.element(let id, .deleteTapped)):
      state.recipes.removeAll { $0.id == state.pages[id: id]?.recipe.id }
    case .pages(.element(let id, .shorterTapped)):
      guard let recipe = state.pages[id: id]?.recipe else { break }
      let faster = state.recipes.filter { $0.minutes < recipe.minutes }
      if let next = faster.max(by: { $0.minutes < $1.minutes }) { state.pages.push(RecipePage.State(recipe: next)) }
    case .adding, .pages: break
    }
    return .none
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Observation

@testable import cookbook

extension Plain {
  @MainActor @Observable final class CookbookModel {
    private(set) var recipes: [Recipe] = []
    var query = "" { didSet { if query != oldValue { search() } } }
    private(set) var found: [Recipe.ID]?
    private(set) var problem: String?
    private(set) var isSearching = false
    var adding: FormModel?
    var pages: [PageModel] = [] { didSet { for page in oldValue where !pages.contains(page) { page.stop() } } }

    private let service: RecipeService
    private let clock: any Clock<Duration>
    private var searching: Task<Void, Never>?

    init(service: RecipeService, clock: any Clock<Duration> = ContinuousClock()) {
      (self.service, self.clock) = (service, clock)
    }

    var isAdding: Bool {
      get { adding != nil }
      set { if !newValue { adding = nil } }
    }

    var shown: [Recipe] { found.map { found in recipes.filter { found.contains($0.id) } } ?? recipes }

    func load() async {
      do { recipes = try await service.all() } catch { problem = "\(error)" }
    }

    private func search() {
      searching?.cancel()
      problem = nil
      guard !query.isEmpty else {
        (found, isSearching) = (nil, false)
        return
      }
      isSearching = true
      searching = Task { [query] in
        do {
          try await clock.sleep(for: .milliseconds(300))
          let ids = try await service.find(query)
          // A search that was replaced may still have an answer.
          if Task.isCancelled { return }
          found = ids
        } catch {
          if Task.isCancelled { return }
          problem = "\(error)"
        }
        isSearching = false
      }
    }

    func save(_ form: FormModel) {
      recipes.append(Recipe(id: (recipes.map(\.id).max() ?? 0) + 1, name: form.name, minutes: form.minutes))
      adding = nil
    }

    func page(of recipe: Recipe) -> PageModel { PageModel(recipe: recipe, clock: clock) }

    func showShorter(than recipe: Recipe) {
      let faster = recipes.filter { $0.minutes < recipe.minutes }
      if let next = faster.max(by: { $0.minutes < $1.minutes }) { pages.append(page(of: next)) }
    }

    func delete(_ recipe: Recipe) {
      recipes.removeAll { $0.id == recipe.id }
      if let index = pages.firstIndex(where: { $0.recipe.id == recipe.id }) { pages.removeSubrange(index...) }
    }
  }

  @MainActor @Observable final class FormModel {
    var name = ""
    var minutes = 10
  }

  @MainActor @Observable final class PageModel: @MainActor Hashable {
    let recipe: Recipe
    private(set) var seconds: Int?
    private(set) var isPaused = false
    private(set) var timesCooked = 0

    private let clock: any Clock<Duration>
    private var timer: Task<Void, Never>?

    init(recipe: Recipe, clock: any Clock<Duration> = ContinuousClock()) {
      (self.recipe, self.clock) = (recipe, clock)
    }

    static func == (first: PageModel, second: PageModel) -> Bool { first === second }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    var isCooking: Bool {
      get { seconds != nil }
      set { if !newValue { stop() } }
    }

    var text: String {
      let seconds = seconds ?? 0
      return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    func cook() {
      (seconds, isPaused) = (recipe.minutes * 60, false)
      count()
    }

    func pause() {
      isPaused.toggle()
      if isPaused { timer?.cancel() } else { count() }
    }

    func stop() {
      timer?.cancel()
      seconds = nil
    }

    private func count() {
      timer?.cancel()
      timer = Task {
        while (try? await clock.sleep(for: .seconds(1))) != nil, let left = seconds {
          seconds = left - 1
          if left > 1 { continue }
          timesCooked += 1
          seconds = nil
          return
        }
      }
    }
  }
}

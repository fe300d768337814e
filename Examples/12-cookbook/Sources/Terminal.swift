// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The same app in a terminal: a word for each button, and the screen as text.
enum Terminal {
  static let usage = "find WORDS, open N, add NAME, cook, pause, stop, shorter, delete, back, wait SECONDS"

  /// What a line sends; empty if it means nothing on this screen.
  static func actions(for line: String, in state: Cookbook.State) -> [Cookbook.Action] {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    func page(_ action: RecipePage.Action) -> [Cookbook.Action] {
      state.pages.ids.last.map { [.pages(.element($0, action))] } ?? []
    }
    switch words.first {
    case "find": return [.queryChanged(rest)]
    case "add":
      return [.addTapped, .adding(.field(\.name, rest)), .adding(.saveTapped)]
    case "open":
      guard let number = Int(rest), state.shown.indices.contains(number - 1) else { return [] }
      return [.pages(.push(RecipePage.State(recipe: state.shown[number - 1])))]
    case "cook": return page(.cookTapped)
    case "pause": return page(.cooking(.pauseTapped))
    case "stop": return page(.cooking(.stopTapped))
    case "shorter": return page(.shorterTapped)
    case "delete": return page(.deleteTapped)
    case "back": return [.pages(.pop)]
    default: return []
    }
  }

  /// What is on top.
  static func screen(_ state: Cookbook.State) -> String {
    if let page = state.pages.last {
      if let cooking = page.cooking {
        return "  \(page.recipe.name): \(cooking.text)\(cooking.isPaused ? ", paused" : "")"
      }
      return "  \(page.recipe.name), \(page.recipe.minutes) minutes, cooked \(page.timesCooked) times"
    }
    let rows = state.shown.enumerated().map { "  \($0.offset + 1) \($0.element.name)" }
    return (rows + (state.problem.map { ["  problem: \($0)"] } ?? [])).joined(separator: "\n")
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The program: each argument is a line that is typed. Without arguments it reads lines.
@main
enum Main {
  static func main() async {
    let store = Store(initialState: Cookbook.State(), reducer: Cookbook(service: .sample))
    await store.send(.appeared).finish()
    print(Terminal.screen(await store.state))
    var arguments = CommandLine.arguments.dropFirst()
    let isTyped = arguments.isEmpty
    if isTyped { print(Terminal.usage) }
    while let line = isTyped ? readLine() : arguments.popFirst() {
      if !isTyped { print("> \(line)") }
      await perform(line, store)
      print(Terminal.screen(await store.state))
    }
    await store.shutdown(.cancelling)
  }

  private static func perform(_ line: String, _ store: Store<Cookbook>) async {
    if line.hasPrefix("wait "), let seconds = Double(line.dropFirst(5)) {
      try? await Task.sleep(for: .seconds(seconds))
      return
    }
    let actions = Terminal.actions(for: line, in: await store.state)
    if actions.isEmpty { print("  not possible here; \(Terminal.usage)") }
    for action in actions {
      let task = store.send(action)
      // A search ends by itself, a timer does not.
      if case .queryChanged = action { await task.finish() }
    }
  }
}

extension RecipeService {
  /// Four recipes, and what is written in them.
  static let sample = RecipeService(
    all: {
      [
        Recipe(id: 1, name: "Tomato soup", minutes: 30), Recipe(id: 2, name: "Pancakes", minutes: 20),
        Recipe(id: 3, name: "Lentil curry", minutes: 45), Recipe(id: 4, name: "Boiled egg", minutes: 5),
      ]
    },
    find: { words in
      let texts = [1: "tomato onion basil", 2: "egg milk flour", 3: "lentil onion tomato coconut", 4: "egg salt"]
      return texts.filter { $0.value.contains(words.lowercased()) }.map(\.key).sorted()
    })
}

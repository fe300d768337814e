// This source file is part of swift-effects. License: Apache-2.0.

/// The features of Docs/Explorer.md, Docs/ExplorerReference.md, Docs/Contributors/ExplorerProofs.md and Docs/Composition.md.
enum CountedPages {
  static func feed(_ choices: CountedChoices = .all) -> Int {
    enum Action { case more, refresh, appended, refreshed }
    return CountedFeature<Void, Action>(start: (), script: [.more, .refresh], choices: choices) { _, action in
      switch action {
      case .more: [.run(.init(id: "more", overlap: .drop, parts: [.send(.appended)]))]
      case .refresh: [.run(.init(id: "refresh", overlap: .restart, parts: [.send(.refreshed)]))]
      case .refreshed: [.cancel(["more"])]
      case .appended: []
      }
    }.schedules()
  }

  static func queries(_ count: Int, isEager: Bool, descends: Bool) -> Int {
    CountedFeature<Void, Int>(start: (), script: Array(0..<count), isEager: isEager, descends: descends) { _, action in
      if action < 0 { return [] }
      return [.run(.init(id: "search", overlap: .restart, parts: [.ask, .returnIfCancelled, .send(-1)]))]
    }.schedules()
  }

  static func closedTab(_ choices: CountedChoices = .all) -> Int {
    enum Action { case typed, closed, found }
    return CountedFeature<Void, Action>(start: (), script: [.typed, .closed], choices: choices) { _, action in
      switch action {
      case .typed: [.run(.init(id: "search", overlap: .restart, parts: [.sleep(300), .send(.found)]))]
      case .closed: [.cancel(["search"])]
      case .found: []
      }
    }.schedules()
  }

  static func faults() -> Int {
    enum Action { case load, loaded, failed }
    return CountedFeature<Void, Action>(start: (), script: [.load], faults: ["load": [.fails, .hangs, .duplicates]]) {
      _, action in
      guard action == .load else { return [] }
      return [
        .run(.init(id: "load", parts: [.send(.loaded)], failure: [.send(.failed)], limit: 5, endIsStep: true))
      ]
    }.schedules()
  }
}

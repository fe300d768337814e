// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

/// A feature whose state has a field of each kind.
struct Shop: Reducer {
  struct Row: Equatable, Identifiable {
    let id: Int
    var title: String
    var tags: [String] = []
  }

  struct Price: Equatable {
    let cents: Int
    let currency: String
  }

  enum Screen: Equatable {
    case list
    case detail(Row, count: Int)
  }

  final class Cache: Equatable {
    static func == (left: Cache, right: Cache) -> Bool { left === right }
  }

  struct State: Equatable {
    var query = ""
    var isLoading = false
    var rows = (1...4).map { Row(id: $0, title: "row number \($0)") }
    var results: [String] = []
    var numbers = Array(1...40)
    var selected: Row?
    var marked: Set<Int> = Set(1...30)
    var stock = Dictionary(uniqueKeysWithValues: (1...20).map { ("item \($0)", $0) })
    var drafts: [Int: Row] = [7: Row(id: 7, title: "draft")]
    var screen = Screen.list
    var price = Price(cents: 100, currency: "EUR")
    var text = ""
    var cache = Cache()
    var error: String?
    var pages = ChildStack([1, 2, 3])
    var payment = Payment.none
  }

  enum Payment: Equatable {
    case none, cash(Void)
    static func == (left: Payment, right: Payment) -> Bool { "\(left)" == "\(right)" }
  }

  /// Changes the state by a closure, so that each test says what its feature does.
  enum Action: Sendable, Equatable {
    case apply(Int), received(String), noted(text: String)
  }

  var change: @Sendable (inout State) -> Void = { _ in }
  var effect: @Sendable () -> Effect<Action> = { .none }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .apply:
      change(&state)
      return effect()
    case .received(let text):
      state.results.append(text)
      state.isLoading = false
      return .none
    case .noted(let text):
      state.text = text
      return .none
    }
  }
}

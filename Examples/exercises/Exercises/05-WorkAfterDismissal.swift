// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A list of shares. A tap opens a page that asks for the price of one share every five seconds, until the page is closed.
struct Shares: Reducer {
  struct State: Equatable, Sendable {
    var page: Page.State?
  }

  enum Action: Equatable, Sendable {
    case opened(String)
    case closed
    case page(Page.Action)
  }

  var page: Page

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened(let name):
      state.page = Page.State(name: name)
      return .send(.page(.appeared))
    case .closed:
      state.page = nil
      return .none
    case .page(let action):
      return page.reduce(into: &state.page, action: action).scoped("page") { .page($0) }
    }
  }

  /// The child.
  struct Page: Reducer {
    struct State: Equatable, Sendable {
      var name: String
      var price: Int?
    }

    enum Action: Equatable, Sendable {
      case appeared
      case received(price: Int)
    }

    var price: @Sendable (_ name: String) async throws -> Int

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .appeared:
        return .run(id: "price", overlap: .restart, input: state.name) { [price] name, send in
          while true {
            try await send.sleep(for: .seconds(5))
            send(.received(price: try await price(name)))
          }
        }
      case .received(let price):
        state.price = price
        return .none
      }
    }
  }
}

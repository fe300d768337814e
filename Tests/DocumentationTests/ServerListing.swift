// This source file is part of swift-effects. License: Apache-2.0.

// The code of Docs/Server.md. What is between `listing` and `end` is compared with the page.

import EffectTesting
import Testing

// listing: carrying
enum RequestContext {
  @TaskLocal static var id = "none"
}

struct Orders: Reducer {
  enum Action: Sendable { case ordered(String), confirmed(String) }

  let confirm: @Sendable (String) async throws -> Void

  func reduce(into state: inout [String], action: Action) -> Effect<Action> {
    switch action {
    case .ordered(let item):
      return .run(id: item, overlap: .enqueue) { [confirm] send in
        try await confirm(item)
        send(.confirmed("\(item), request \(RequestContext.id)"))
      }
    case .confirmed(let text):
      state.append(text)
      return .none
    }
  }
}

func makeOrders(confirm: @escaping @Sendable (String) async throws -> Void) -> Store<Orders> {
  Store(initialState: [], reducer: Orders(confirm: confirm), carrying: [CarriedValue(RequestContext.$id)])
}
// end

@Suite struct `The page on servers` {
  @Test func `It shows the code that was compiled and run`() throws {
    try Listings().check("Docs/Server.md", against: ["ServerListing.swift"])
  }

  @Test func `A run has the context of the request that it works for, also behind another one`() async throws {
    let store = makeOrders { _ in }
    await withTaskGroup(of: Void.self) { group in
      for id in ["1", "2", "3"] {
        group.addTask {
          await RequestContext.$id.withValue(id) { store.send(.ordered("tea")) }.finish()
        }
      }
    }
    #expect(await store.state.sorted() == ["tea, request 1", "tea, request 2", "tea, request 3"])
  }
}

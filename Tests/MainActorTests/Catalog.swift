// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

// This target's default isolation is the main actor, as in a new app. Reducers and their nested types need no
// annotation. A type at the top level that is used as an id, an input or a model in effects must be `nonisolated`.

nonisolated enum CancelID: Hashable { case load, watch }

nonisolated struct Query: Hashable {
  var text: String
}

nonisolated struct Book: Equatable {
  var title: String
}

struct Catalog: Reducer {
  struct State: Equatable {
    var query = Query(text: "")
    var books: [Book] = []
    var failure: String?
    var count: Int { books.count }
  }

  enum Action: Equatable, Sendable {
    case queryChanged(String)
    case found([Book])
    case failed(String)
    case clear
  }

  enum RowID: Hashable { case row(Int) }

  var find: @Sendable (Query) async throws -> [Book]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let text):
      state.query = Query(text: text)
      return .run(id: CancelID.load, overlap: .restart, input: state.query) { [find] query, send in
        send(.found(try await find(query)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .found(let books):
      state.books = books
      return .run(id: RowID.row(books.count), overlap: .restart) { _ in }
    case .failed(let text):
      state.failure = text
      return .none
    case .clear:
      state = State()
      return .cancel(ids: [CancelID.load, .watch])
    }
  }
}

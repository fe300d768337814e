// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The list of recipes: a child for each row, and one for the recipe that is open.
struct Library: Reducer {
  struct State: Equatable, Sendable {
    /// By id, so that one among many is found at once; their order is in `order`.
    var rows: [Int: Row.State] = [:]
    var order: [Int] = []
    var problem: String?
    var detail: Detail.State?
  }

  enum Action: Equatable, Sendable {
    case appeared, loaded([Recipe]), failed(String)
    case row(Int, Row.Action), deleteTapped(Int)
    case openTapped(Int), closeTapped, detail(Detail.Action)
  }

  static let row = CasePath(
    embed: Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  static let detail = CasePath(Action.detail)

  var kitchen: Kitchen

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { [kitchen] state, action in
      switch action {
      case .appeared:
        return .run(id: "recipes", overlap: .restart) { send in
          send(.loaded(try await kitchen.recipes()))
        } catch: { error, send in
          send(.failed("\(error)"))
        }
      case .loaded(let recipes):
        state = State(
          rows: Dictionary(recipes.map { ($0.id, Row.State(id: $0.id, title: $0.title)) }) { $1 },
          order: recipes.map(\.id),
          detail: state.detail)
        return .merge(state.order.map { .send(.row($0, .appeared)) })
      case .failed(let problem):
        state.problem = problem
      case .deleteTapped(let id):
        // The load of its rating, the load of its steps and its sharing all end together with the state they belong to.
        state.rows[id] = nil
        state.order.removeAll { $0 == id }
        if state.detail?.id == id { state.detail = nil }
      case .openTapped(let id):
        guard let row = state.rows[id], state.detail?.id != id else { break }
        state.detail = Detail.State(id: id, title: row.title)
        return .send(.detail(.appeared))
      case .closeTapped:
        state.detail = nil
      case .row, .detail:
        break
      }
      return .none
    }
    .forEach(\.rows, action: Self.row) { Row(kitchen: kitchen) }
    .ifLet(\.detail, action: Self.detail) { Detail(kitchen: kitchen) }
  }
}

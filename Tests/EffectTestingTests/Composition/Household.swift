// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting

/// A child without an id. Its work has a number that no other work has.
struct Tenant: Reducer {
  struct State: Equatable, Codable, Sendable {
    /// No two children of a test have the same.
    let token: Int
    var done: [Int] = []
  }
  enum Action: Equatable, Sendable { case work(Int, seconds: Int), done(Int) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .work(let work, let seconds):
      return .run(id: work, overlap: .concurrent) { send in
        try await send.sleep(for: .seconds(seconds))
        send(.done(work))
      }
    case .done(let work):
      state.done = (state.done + [work]).sorted()
      return .none
    }
  }
}

/// A child whose id is its token.
struct Owner: Reducer {
  struct State: Equatable, Codable, Identifiable, Sendable {
    var tenant: Tenant.State
    var id: Int { tenant.token }
  }

  func reduce(into state: inout State, action: Tenant.Action) -> Effect<Tenant.Action> {
    Tenant().reduce(into: &state.tenant, action: action)
  }
}

/// A child in one of two cases, or none.
struct Room: Reducer {
  enum State: Equatable, Codable, Sendable { case empty, tenant(Tenant.State), owner(Owner.State) }
  enum Action: Sendable { case change(@Sendable (inout State) -> Void), tenant(Tenant.Action), owner(Tenant.Action) }

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      if case .change(let change) = action { change(&state) }
      return .none
    }
    .ifCase(
      CasePath(embed: State.tenant, extract: { if case .tenant(let child) = $0 { child } else { nil } }),
      action: CasePath(Action.tenant), scope: "tenant"
    ) { Tenant() }
    .ifCase(
      CasePath(embed: State.owner, extract: { if case .owner(let child) = $0 { child } else { nil } }),
      action: CasePath(Action.owner), scope: "owner"
    ) { Owner() }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

/// Children of each kind.
struct Flat: Reducer {
  struct State: Equatable, Codable, Sendable {
    var guest: Tenant.State?
    var owner: Owner.State?
    var room = Room.State.empty
    var rows: [Int: Tenant.State] = [:]
    var list: [Owner.State] = []
    var pages = ChildStack<Tenant.State>()
  }
  /// Who changes the children: a sibling of their parent that stands before it, the parent, or a sibling behind.
  enum Author: CaseIterable, Sendable { case before, parent, behind }
  enum Action: Sendable {
    case change(Author, @Sendable (inout State) -> Void)
    case room(Room.Action), guest(Tenant.Action), owner(Tenant.Action), row(Int, Tenant.Action)
    case item(Int, Tenant.Action), pages(StackAction<Tenant.State, Tenant.Action>)
  }

  private func changes(by author: Author) -> Reduce<State, Action> {
    Reduce { state, action in
      if case .change(author, let change) = action { change(&state) }
      return .none
    }
  }

  private var whole: some Reducer<State, Action> {
    CombineReducers {
      Scope(\State.room, action: CasePath(Action.room)) { Room() }
      changes(by: .before)
      changes(by: .parent)
        .ifLet(\.guest, action: CasePath(Action.guest)) { Tenant() }
        .ifLet(\.owner, action: CasePath(Action.owner)) { Owner() }
        .forEach(\.rows, action: CasePath(Action.row)) { Tenant() }
        .forEach(\.list, action: CasePath(Action.item)) { Owner() }
        .stack(\.pages, action: CasePath(Action.pages)) { Tenant() }
      changes(by: .behind)
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

/// A flat that may be missing, and former ones. Its parent and a sibling behind change it as a whole.
struct Household: Reducer {
  struct State: Equatable, Codable, Sendable {
    var flat: Flat.State? = Flat.State()
    var past: [Flat.State] = []
  }
  enum Action: Sendable {
    case flat(Flat.Action), change(@Sendable (inout State) -> Void), changeBehind(@Sendable (inout State) -> Void)
  }

  private var whole: some Reducer<State, Action> {
    CombineReducers {
      Reduce<State, Action> { state, action in
        if case .change(let change) = action { change(&state) }
        return .none
      }
      .ifLet(\.flat, action: CasePath(Action.flat)) { Flat() }
      Reduce<State, Action> { state, action in
        if case .changeBehind(let change) = action { change(&state) }
        return .none
      }
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

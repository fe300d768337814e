// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport

/// Work of a child that a test lets end.
final class Ticket: Sendable {
  let number: Int
  let hasBegun = Gate()
  let mayEnd = Gate()

  init(_ number: Int) { self.number = number }
}

/// A child. Its work notes its ticket, and which child has started it.
struct Member: Reducer {
  struct State: Equatable, Identifiable {
    /// No two children of a test have the same.
    let id: Int
    var done: [Int] = []
  }

  enum Action: DismissingAction {
    case work(Ticket), done(Int, startedBy: Int)
    /// Starts work, and its parent removes it with the same action.
    case leave(Ticket)
    case dismiss
    var isDismissal: Bool { if case .dismiss = self { true } else { false } }
  }

  let (begun, returned): (Tally, Tally)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .work(let ticket), .leave(let ticket):
      return .run(id: "work", overlap: .concurrent) { [begun, returned, id = state.id] send in
        begun.increment()
        ticket.hasBegun.open()
        await ticket.mayEnd.pass()
        _ = await send.delivered(.done(ticket.number, startedBy: id))
        returned.increment()
      }
    case .done(let number, let starter):
      // What another child has started is an error of the store.
      state.done.append(starter == state.id ? number : -number)
    case .dismiss: break
    }
    return .none
  }
}

/// A child in one of two cases, or none.
struct Choice: Reducer {
  enum State: Equatable { case none, left(Member.State), right(Member.State) }
  enum Action: Sendable { case change(State), left(Member.Action), right(Member.Action) }

  let member: Member

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .change(let new): state = new
      case .left(.leave), .right(.leave): state = .none
      case .left, .right: break
      }
      return .none
    }
    .ifCase(
      CasePath(embed: State.left, extract: { if case .left(let child) = $0 { child } else { nil } }),
      action: CasePath(Action.left), scope: "left"
    ) { member }
    .ifCase(
      CasePath(embed: State.right, extract: { if case .right(let child) = $0 { child } else { nil } }),
      action: CasePath(Action.right), scope: "right"
    ) { member }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

/// A parent with a child of each kind.
struct Family: Reducer {
  struct State: Equatable {
    var sheet: Member.State?
    var rows: [Int: Member.State] = [:]
    var list: [Member.State] = []
    var pages = ChildStack<Member.State>()
    var choice = Choice.State.none
  }

  enum Action: Sendable {
    /// The parent changes its children, but not those inside of `choice`.
    case change(@Sendable (inout State) -> Void)
    case sheet(Member.Action), row(Int, Member.Action), item(Int, Member.Action)
    case pages(StackAction<Member.State, Member.Action>), choice(Choice.Action)
  }

  let member: Member

  private var whole: some Reducer<State, Action> {
    CombineReducers {
      Scope(\State.choice, action: CasePath(Action.choice)) { Choice(member: member) }
      Reduce<State, Action> { state, action in
        switch action {
        case .change(let change): change(&state)
        case .sheet(.leave): state.sheet = nil
        case .row(let key, .leave): state.rows[key] = nil
        case .item(let id, .leave): state.list.removeAll { $0.id == id }
        case .pages(.element(let id, .leave)): state.pages.dismiss(id)
        case .sheet, .row, .item, .pages, .choice: break
        }
        return .none
      }
      .ifLet(\.sheet, action: CasePath(Action.sheet)) { member }
      .forEach(\.rows, action: CasePath(Action.row)) { member }
      .forEach(\.list, action: CasePath(Action.item)) { member }
      .stack(\.pages, action: CasePath(Action.pages)) { member }
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

/// A family that may be there.
struct House: Reducer {
  struct State: Equatable { var family: Family.State? = Family.State() }
  enum Action: Sendable { case family(Family.Action), change(@Sendable (inout State) -> Void) }

  let member: Member

  private var whole: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      if case .change(let change) = action { change(&state) }
      return .none
    }
    .ifLet(\.family, action: CasePath(Action.family)) { Family(member: member) }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

/// Loads a text that names who has asked for it.
private struct Leaf: Reducer {
  struct State: Equatable, Sendable {
    let name: String
    var text = ""
  }
  enum Action: Equatable, Sendable { case load, loaded(String) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .load:
      return .run(id: "load", overlap: .restart, input: state.name) { name, send in
        try await send.sleep(for: .seconds(1))
        send(.loaded("text of \(name)"))
      }
    case .loaded(let text):
      state.text = text
      return .none
    }
  }
}

/// Children of each kind. A sibling behind them removes all, and forgets to cancel their work.
private struct Tree: Reducer {
  struct Item: Equatable, Identifiable, Sendable {
    let id: Int
    var leaf: Leaf.State
  }
  struct State: Equatable, Sendable {
    var one: Leaf.State?
    var rows: [Int: Leaf.State] = [:]
    var list: [Item] = []
    var pages = ChildStack<Leaf.State>()

    var leaves: [Leaf.State] {
      var leaves = Array(rows.values) + list.map(\.leaf) + pages.elements
      if let one { leaves.append(one) }
      return leaves
    }
  }
  enum Action: Equatable, Sendable {
    case make(String), makeAndLoad(String), loadAll, removeOutside
    case one(Leaf.Action), row(Int, Leaf.Action), item(Int, Leaf.Action)
    case pages(StackAction<Leaf.State, Leaf.Action>)
  }

  private static let same = CasePath<Leaf.Action, Leaf.Action>(embed: { $0 }, extract: { $0 })

  private func make(_ name: String, in state: inout State) {
    let leaf = Leaf.State(name: name)
    state.one = leaf
    state.rows[1] = leaf
    state.list.append(Item(id: 1, leaf: leaf))
    state.pages.push(leaf)
  }

  private func load(_ state: State) -> Effect<Action> {
    let pages = state.pages.ids.map { Effect<Action>.send(.pages(.element($0, .load))) }
    return .merge([.send(.one(.load)), .send(.row(1, .load)), .send(.item(1, .load))] + pages)
  }

  private var whole: some Reducer<State, Action> {
    CombineReducers {
      Reduce<State, Action> { state, action in
        switch action {
        case .make(let name): make(name, in: &state)
        case .makeAndLoad(let name):
          make(name, in: &state)
          return load(state)
        case .loadAll: return load(state)
        default: break
        }
        return .none
      }
      .ifLet(\.one, action: CasePath(Action.one)) { Leaf() }
      .forEach(\.rows, action: CasePath(Action.row)) { Leaf() }
      .forEach(\.list, action: CasePath(Action.item)) { Scope(\Item.leaf, action: Self.same) { Leaf() } }
      .stack(\.pages, action: CasePath(Action.pages)) { Leaf() }
      Reduce<State, Action> { state, action in
        if action == .removeOutside { state = State() }
        return .none
      }
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

/// A child in a case of an enum, which a sibling leaves without a cancel.
private struct Panel: Reducer {
  enum State: Equatable, Sendable { case none, leaf(Leaf.State) }
  enum Action: Equatable, Sendable { case make(String), leaf(Leaf.Action), removeOutside }

  private var whole: some Reducer<State, Action> {
    CombineReducers {
      Reduce<State, Action> { state, action in
        if case .make(let name) = action { state = .leaf(Leaf.State(name: name)) }
        return .none
      }
      .ifCase(
        CasePath(embed: State.leaf, extract: { if case .leaf(let leaf) = $0 { leaf } else { nil } }),
        action: CasePath(Action.leaf), scope: "leaf"
      ) { Leaf() }
      Reduce<State, Action> { state, action in
        if action == .removeOutside { state = .none }
        return .none
      }
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

@Suite struct `A child that is made later` {
  private func running<R: Reducer>(_ store: Store<R>) async -> Int {
    await store.effects.byID.values.reduce(0) { $0 + $1.running }
  }

  @Test func `The work of a child that was removed elsewhere ends when another child is made (M2)`() async {
    let clock = TestClock()
    let failures = Tally()
    let store = Store(
      initialState: Tree.State(), reducer: Tree(), clock: clock, onFailure: { _ in failures.increment() })
    store.send(.make("a"))
    store.send(.loadAll)
    await clock.sleepers(atLeast: 4)
    store.send(.removeOutside)
    #expect(await running(store) == 4)
    store.send(.make("b"))
    // An element of a stack has an id of its own, so its work reaches no other one, and goes on.
    #expect(await running(store) == 1)
    clock.advance(by: .seconds(2))
    await failures.reaches(1)
    #expect(await store.state.leaves.map(\.text) == ["", "", "", ""])
    #expect(await running(store) == 0)
  }

  @Test func `A child in an enum case gets no answer of a former one (M2)`() async {
    let clock = TestClock()
    let store = Store(initialState: Panel.State.none, reducer: Panel(), clock: clock)
    store.send(.make("a"))
    store.send(.leaf(.load))
    await clock.sleepers(atLeast: 1)
    store.send(.removeOutside)
    store.send(.make("b"))
    #expect(await running(store) == 0)
    #expect(await store.state == .leaf(Leaf.State(name: "b")))
  }

  @Test func `What is started for a new child by the action that makes it goes on (M2)`() async {
    let clock = TestClock()
    let store = Store(initialState: Tree.State(), reducer: Tree(), clock: clock, onFailure: { _ in })
    store.send(.make("a"))
    store.send(.loadAll)
    await clock.sleepers(atLeast: 4)
    store.send(.removeOutside)
    let task = store.send(.makeAndLoad("b"))
    #expect(await running(store) == 5)
    await clock.sleepers(atLeast: 5)
    clock.advance(by: .seconds(1))
    await task.finish()
    #expect(await running(store) == 0)
    #expect(await store.state.leaves.map(\.name) == Array(repeating: "b", count: 4))
  }

  @Test func `A cancel for a new child is no event, and an action that makes none has no effect (M2, V1)`() {
    var state = Tree.State()
    #expect(Tree().reduce(into: &state, action: .removeOutside).isNone)
    #expect("\(Tree().reduce(into: &state, action: .make("a")))" != "none")
    #expect(Tree().reduce(into: &state, action: .make("b")).isNone == false)
    #expect(Tree().reduce(into: &state, action: .row(1, .loaded("x"))).isNone)
    let store = TestStore(initialState: Tree.State(), reducer: Tree())
    store.send(.make("a")) {
      let leaf = Leaf.State(name: "a")
      ($0.one, $0.rows, $0.list) = (leaf, [1: leaf], [Tree.Item(id: 1, leaf: leaf)])
      $0.pages.push(leaf)
    }
    #expect(store.trace.allSatisfy { if case .unmatched = $0.kind { false } else { true } })
  }

  @Test func `No order of a removal, another child and an answer reaches the wrong child (M2)`() async {
    let result = await explore(
      initialState: Panel.State.none, reducer: Panel(), options: .init(upTo: .answers)
    ) { run in
      run.send(.make("a"))
      run.send(.leaf(.load))
      run.send(.removeOutside)
      run.send(.make("b"))
    } always: { state in
      if case .leaf(let leaf) = state { leaf.text.isEmpty || leaf.name == "a" } else { true }
    }
    _ = result
  }

  @Test func `The rest of a sequence of a former child does not begin (E3, M2)`() async {
    let clock = TestClock()
    let begun = Tally()
    let feature = Reduce<Int?, Int> { state, action in
      switch action {
      case 1: state = 1
      default: break
      }
      return .none
    }
    .ifLet(\.self, action: CasePath(embed: { $0 }, extract: { $0 > 1 ? $0 : nil })) {
      Reduce<Int, Int> { state, action in
        guard action == 2 else { return .none }
        return .concatenate(
          .run { send in try await send.sleep(for: .seconds(1)) }, .run { _ in begun.increment() }, .send(3))
      }
    }
    let whole = CombineReducers<_> {
      feature
      Reduce<Int?, Int> { state, action in
        if action == 0 { state = nil }
        return .none
      }
    }
    let store = Store(initialState: nil, reducer: whole, clock: clock)
    for action in [1, 2] { store.send(action) }
    await clock.sleepers(atLeast: 1)
    for action in [0, 1] { store.send(action) }
    #expect(await running(store) == 0)
    clock.advance(by: .seconds(1))
    await store.shutdown(.draining(within: .seconds(1)))
    #expect(begun.value == 0)
  }
}

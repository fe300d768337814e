// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Composition.md; `CompositionTests.swift` compares the two.

import EffectTesting
import Testing

// listing: plain
struct Tabs: Reducer {                                            // several searches, side by side
  struct State: Equatable, Sendable { var tabs: [Int: Search.State] = [:] }
  enum Action: Equatable, Sendable { case tab(Int, Search.Action), opened(Int), closed(Int) }

  var search: Search

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .tab(let id, let action):
      return search.reduce(into: &state.tabs[id], action: action).scoped(id) { .tab(id, $0) }
    case .opened(let id):
      state.tabs[id] = Search.State()
      return .none
    case .closed(let id):
      state.tabs[id] = nil
      return .cancel(scope: id)                                   // all work of this search, and of no other
    }
  }
}
// end

// listing: path
extension Tabs {
  static let tab = CasePath(Action.tab)
}
// end

// listing: forEach
struct TabsByState: Reducer {                                     // the same
  var search: Search

  var whole: some Reducer<Tabs.State, Tabs.Action> {
    Reduce<Tabs.State, Tabs.Action> { state, action in
      switch action {
      case .opened(let id): state.tabs[id] = Search.State()
      case .closed(let id): state.tabs[id] = nil                  // the work of this search is cancelled
      case .tab: break
      }
      return .none
    }
    .forEach(\.tabs, action: Tabs.tab) { search }
  }

  func reduce(into state: inout Tabs.State, action: Tabs.Action) -> Effect<Tabs.Action> {
    whole.reduce(into: &state, action: action)
  }
}
// end

struct Desk: Reducer {
  struct State: Equatable, Sendable { var tabs = Tabs.State(); var help: Search.State?; var changes = 0 }
  enum Action: Equatable, Sendable { case tabs(Tabs.Action), help(Search.Action), helpTapped, helpClosed }

  static let tabs = CasePath(Action.tabs)
  static let help = CasePath(Action.help)

  var search: Search

  // listing: app
  var whole: some Reducer<State, Action> {
    CombineReducers {
      Scope(\State.tabs, action: Self.tabs) { TabsByState(search: search) } // always there
      Reduce<State, Action> { state, action in
        if action == .helpTapped { state.help = Search.State() }
        if action == .helpClosed { state.help = nil }                      // its work is cancelled, too
        return .none
      }
      .ifLet(\.help, action: Self.help) { search }                         // there while it is shown
    }
    .onChange(of: \.tabs.tabs.count) { state, _ in
      state.changes += 1
      return .none
    }
  }
  // end

  func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
}

struct Window: Reducer {                                          // one of two searches, or neither
  enum Destination: Equatable, Sendable { case none, files(Search.State), help(Search.State) }
  struct State: Equatable, Sendable { var destination = Destination.none }
  enum Action: Equatable, Sendable { case files(Search.Action), help(Search.Action), filesTapped, helpTapped, closed }

  static let files = CasePath(Action.files)
  static let help = CasePath(Action.help)
  static let own = CasePath<Action, Action>(embed: { $0 }, extract: { $0 })
  static let filesShown = CasePath(Destination.files)
  static let helpShown = CasePath(Destination.help)

  var search: Search

  // listing: destination
  var destination: some Reducer<Destination, Action> {
    Reduce<Destination, Action> { destination, action in
      if action == .filesTapped { destination = .files(Search.State()) }   // the work of the other is cancelled
      if action == .helpTapped { destination = .help(Search.State()) }
      if action == .closed { destination = .none }
      return .none
    }
    .ifCase(Self.filesShown, action: Self.files, scope: "files") { search }
    .ifCase(Self.helpShown, action: Self.help, scope: "help") { search }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Scope(\State.destination, action: Self.own) { destination }.reduce(into: &state, action: action)
  }
  // end
}

// listing: test
@Test func aTabIsClosedWhileItSearches() async {
  let store = TestStore(
    initialState: Tabs.State(tabs: [1: .init(), 2: .init()]), reducer: Tabs(search: Search(find: { [$0.uppercased()] })))

  store.send(.tab(1, .queryChanged("one"))) { $0.tabs[1]?.query = "one" }
  store.send(.tab(2, .queryChanged("two"))) { $0.tabs[2]?.query = "two" }
  store.send(.closed(1)) { $0.tabs[1] = nil }
  store.assertEffects { $0[EffectID("search").scoped(by: EffectID(2))] = EffectStatus(running: 1, input: "two") }
  store.advance(by: .milliseconds(300))
  await store.receive(.tab(2, .found(["TWO"]))) { $0.tabs[2]?.results = ["TWO"] }
  await store.finish()                                            // no work of the first search remains
}
// end

// listing: explore
@Test func noAnswerReachesAClosedTab() async {
  let result = await explore(
    initialState: Tabs.State(tabs: [1: .init()]), reducer: Tabs(search: Search(find: { [$0] })),
    requiring: [.nothingRunsAtTheEnd]) { script in
    script.send(.tab(1, .queryChanged("one")))
    script.send(.closed(1))
  }
  #expect("\(result)" == "complete: answers (5 states), timers (7 states), deliveries (13 states), steps (16 states)")
}
// end

@Suite struct `Composition, as its page shows it` {
  @Test func `Both ways cancel the work of a closed tab alone (M2)`() async {
    let store = TestStore(
      initialState: Tabs.State(tabs: [1: .init(), 2: .init()]), reducer: TabsByState(search: Search(find: { [$0] })))
    store.send(.tab(1, .queryChanged("one"))) { $0.tabs[1]?.query = "one" }
    store.send(.tab(2, .queryChanged("two"))) { $0.tabs[2]?.query = "two" }
    store.send(.closed(1)) { $0.tabs[1] = nil }
    store.advance(by: .milliseconds(300))
    await store.receive(.tab(2, .found(["two"]))) { $0.tabs[2]?.results = ["two"] }
    store.send(.opened(3)) { $0.tabs[3] = Search.State() }
    await store.finish()
  }

  @Test func `A desk of tabs with a help search cancels it when it is closed (M2)`() async {
    let store = TestStore(initialState: Desk.State(), reducer: Desk(search: Search(find: { [$0] })))
    store.send(.tabs(.opened(1))) {
      $0.tabs.tabs[1] = Search.State()
      $0.changes = 1
    }
    store.send(.helpTapped) { $0.help = Search.State() }
    store.send(.tabs(.tab(1, .queryChanged("tab")))) { $0.tabs.tabs[1]?.query = "tab" }
    store.assertEffects {
      let tab = EffectID(1).scoped(by: EffectID(\Tabs.State.tabs)).scoped(by: EffectID(\Desk.State.tabs))
      $0[EffectID("search").scoped(by: tab)] = EffectStatus(running: 1, input: "tab")
    }
    store.send(.tabs(.closed(1))) {
      $0.tabs.tabs = [:]
      $0.changes = 2
    }
    store.send(.help(.queryChanged("how"))) { $0.help?.query = "how" }
    store.send(.helpClosed) { $0.help = nil }
    await store.finish()
  }

  @Test func `Another destination cancels the work of the former one, and a child store reaches each (M1, M2)`() async {
    let store = TestStore(initialState: Window.State(), reducer: Window(search: Search(find: { [$0] })))
    store.send(.filesTapped) { $0.destination = .files(Search.State()) }
    store.send(.files(.queryChanged("a"))) { $0.destination = .files(Search.State(query: "a")) }
    store.send(.helpTapped) { $0.destination = .help(Search.State()) }
    store.assertEffects { _ in }
    store.send(.help(.queryChanged("b"))) { $0.destination = .help(Search.State(query: "b")) }
    store.advance(by: .milliseconds(300))
    await store.receive(.help(.found(["b"]))) { $0.destination = .help(Search.State(query: "b", results: ["b"])) }
    await store.finish()
    await childStoreOfDestination()
  }

  @MainActor private func childStoreOfDestination() async {
    let window = ObservableStore(initialState: Window.State(), reducer: Window(search: Search(find: { [$0] })))
    let destination = window.scope(\.destination, action: Window.own)
    window.send(.filesTapped)
    let files = destination.scope(Window.filesShown, action: Window.files, scope: "files")
    #expect(destination.scope(Window.helpShown, action: Window.help, scope: "help") == nil)
    files?.send(.queryChanged("a"))
    #expect(files?.query == "a")
    #expect(files?.isRunning("search") == true)
    window.send(.closed)
    #expect(files?.isRunning("search") == false)
    #expect(files?.query == "a")
    await window.shutdown(.cancelling)
  }

  @Test func `Tabs that forget the cancel fail the exploration, as the page says (M3)`() async {
    let failures = await reportedFailures {
      await explore(
        initialState: Tabs.State(tabs: [1: .init()]),
        reducer: Reduce<Tabs.State, Tabs.Action> { state, action in
          let effect = Tabs(search: Search(find: { [$0] })).reduce(into: &state, action: action)
          return action == .closed(1) ? .none : effect
        }
      ) { script in
        script.send(.tab(1, .queryChanged("one")))
        script.send(.closed(1))
      }
    }
    #expect(failures.count == 1 && failures[0].contains("that does not exist now"))
  }
}

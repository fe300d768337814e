// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Effects.md.

import EffectTesting
import Testing

/// The actions of the examples below.
private enum Action: Equatable, Sendable { case queryChanged(String), found([String]), logged, heard(Int), stopped }
/// The actions of a parent.
private enum Parent: Equatable, Sendable { case child(Action) }

private let find: @Sendable (String) async throws -> [String] = { [$0] }
private func numbers() -> AsyncStream<Int> { AsyncStream { $0.finish() } }

@Suite struct `Effects as values` {
  @Test func `The page on effects shows the code that was compiled and its output`() throws {
    try Listings().check(
      "Docs/Effects.md", against: ["EffectsListing.swift"],
      texts: ["described": described(), "scopes": scopes()])
  }

  private func constructors() -> [Effect<Action>] {
    [
      // listing: constructors
      .none,                                                          // nothing to do
      .send(.logged),                                                 // one more action, before any from outside
      .run { send in send(.found(try await find("swift"))) },         // work
      .run(id: "search", overlap: .restart, input: "swift") { query, send in
        send(.found(try await find(query)))
      } catch: { error, send in
        send(.found([]))
      },
      .stream(id: "numbers", overlap: .restart, sequence: { numbers() }, transform: { .heard($0) }),
      .timer(id: "clock", overlap: .restart, every: .seconds(1)) { tick in .heard(tick) },
      .cancel(id: "search"),                                          // active and waiting
      .cancel(ids: ["search", "numbers"]),
      .cancel(scope: "tab 1"),                                        // all work of a child
      .cancel(.all(of: Int.self) { $0 > 3 }),                         // by the type of id, and a condition
      .cancel(.everything),
      .merge(.send(.logged), .cancel(id: "clock")),                   // at once, from left to right
      .concatenate(.run { _ in }, .send(.logged)),                    // one after another
      // end
    ]
  }

  @Test func `All constructors are tried, and none of them runs anything`() {
    #expect(constructors().count == 13)
  }

  private func described() -> String {
    var said = ""
    func print(_ effect: Effect<Action>) { said = "\(effect)" }
    // listing: description
    let effect = Effect<Action>.merge(
      .cancel(id: "more"),
      .run(id: "search", overlap: .restart, input: "swift") { query, send in
        send(.found(try await find(query)))
      }
      .debounce(for: .milliseconds(300)))
    print(effect)
    // end
    return said
  }

  private func scopes() -> String {
    var said = ""
    func print(_ effect: Effect<Parent>) { said = "\(effect)" }
    // listing: scoped
    let child = Effect<Action>.merge(.run(id: "search", overlap: .restart, input: "swift") { _, _ in }, .cancel(.everything))
    print(child.scoped("tab 1") { .child($0) })
    // end
    return said
  }

  // listing: pure
  @Test func aQueryAsksForASearch() {
    let search = Search(find: { _ in [] })
    var state = Search.State()

    let effect = search.reduce(into: &state, action: .queryChanged("swift"))

    #expect(state == Search.State(query: "swift"))
    #expect(effect.runs == [EffectRun(id: "search", overlap: .restart, input: "swift")])
    #expect("\(effect)" == #"run("search", input: "swift", overlap: restart)"#)
  }
  // end

  @Test func anAnswerAsksForNothing() {
    var state = Search.State(query: "swift")
    let effect = Search(find: { _ in [] }).reduce(into: &state, action: .found(["swift.org"]))
    switch effect {
    case .none: break
    default: Issue.record("\(effect)")
    }
  }

  @Test func `Dependencies are given where the feature is made`() async {
    struct Pages { func search(_ query: String) async throws -> [String] { ["\(query).org"] } }
    let pages = Pages()
    // listing: dependencies
    let live = Search(find: pages.search)                             // the program
    let fixed = Search(find: { query in [query.uppercased()] })       // a test
    let broken = Search(find: { _ in throw CancellationError() })     // a test of errors
    // end
    for (search, results) in [(live, ["swift.org"]), (fixed, ["SWIFT"]), (broken, [])] {
      let store = Store(initialState: Search.State(), reducer: search, clock: .immediate)
      await store.send(.queryChanged("swift")).finish()
      #expect(await store.state.results == results)
    }
  }
}

// listing: cleanup
struct Editing: Reducer {                                         // a document that one person at a time may edit
  enum Action: Equatable, Sendable { case opened, cancelTapped, unlocked }

  var edit: @Sendable () async throws -> Void                     // until it is cancelled or its connection fails
  var unlock: @Sendable () async throws -> Void

  func reduce(into isLocked: inout Bool, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      guard !isLocked else { return .none }                       // a run that is dropped has ended as well
      isLocked = true
      return .concatenate(
        .run(id: "edit", overlap: .drop) { [edit] send in try await edit() } catch: { _, _ in },
        unlocking)                                                // however the run ended
    case .cancelTapped: return .cancel(id: "edit")
    case .unlocked:
      isLocked = false
      return .none
    }
  }

  var unlocking: Effect<Action> {
    .run { [unlock] send in
      try await unlock()
      send(.unlocked)
    }
  }
}
// end

struct Reading: Reducer {
  struct State: Equatable, Sendable { var isLocked: Bool? }
  enum Action: Equatable, Sendable { case openTapped, closeTapped, editing(Editing.Action), unlocked }

  var editing: Editing

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body.reduce(into: &state, action: action)
  }

  private var body: some Reducer<State, Action> {
    Reduce<State, Action> { [editing] state, action in
      switch action {
      case .openTapped: state.isLocked = false
      case .closeTapped:
        let isLocked = state.isLocked == true
        state.isLocked = nil                                      // ends all work of the editor
        if isLocked { return editing.unlocking.map { _ in .unlocked } } // work of the parent
      case .editing, .unlocked: break
      }
      return .none
    }
    .ifLet(\.isLocked, action: Self.editingPath) { [editing] in editing }
  }

  private static let editingPath = CasePath<Action, Editing.Action>(
    embed: { .editing($0) }, extract: { if case .editing(let action) = $0 { action } else { nil } })
}

@Suite struct `Clean-up that must happen` {
  private struct Disconnected: Error {}

  private let edits = Mock<Void, Void>()
  private var editing: Editing { Editing(edit: edits.callAsFunction, unlock: Mock(answering: {}).callAsFunction) }

  @Test(arguments: [true, false]) func `It follows a run that is cancelled, and one that fails (E6)`(isCancelled: Bool) async {
    let store = TestStore(initialState: false, reducer: editing)
    store.send(.opened) { $0 = true }
    if isCancelled { store.send(.cancelTapped) } else { edits.answer(throwing: Disconnected()) }
    await store.receive(.unlocked) { $0 = false }
    await store.finish()
  }

  @Test func `A second opening does not begin it while the first still edits (O1)`() async {
    let store = TestStore(initialState: false, reducer: editing)
    store.send(.opened) { $0 = true }
    store.send(.opened)
    edits.answer()
    await store.receive(.unlocked) { $0 = false }
    await store.finish()
  }

  @Test func `A parent does it for a child that it removes (M2)`() async {
    let store = TestStore(initialState: Reading.State(), reducer: Reading(editing: editing))
    store.send(.openTapped) { $0.isLocked = false }
    store.send(.editing(.opened)) { $0.isLocked = true }
    store.send(.closeTapped) { $0.isLocked = nil }
    await store.receive(.unlocked)
    await store.finish()
  }

  @Test func `A shutdown that drains waits for it (L4)`() async {
    let store = Store(initialState: false, reducer: editing)
    store.send(.opened)
    await edits.pending(atLeast: 1)
    await store.shutdown(.draining(cancelling: ["edit"], within: .seconds(5)))
    #expect(await store.state == false)
  }
}

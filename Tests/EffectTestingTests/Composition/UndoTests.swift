// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// A text whose spelling is checked a second later.
private struct Editor: Reducer {
  struct State: Equatable {
    var text = ""
    var verdict: Verdict?
    var isOnline = true
  }

  struct Verdict: Equatable {
    var text: String
    var isGood: Bool
  }

  enum Action: Equatable {
    case typed(String), cleared, checked(Verdict), connectionChanged(Bool)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let letter):
      state.text += letter
      state.verdict = nil
      return .run(id: "check", overlap: .restart, input: state.text) { text, send in
        try await send.sleep(for: .seconds(1))
        send(.checked(Verdict(text: text, isGood: text.count > 1)))
      }
    case .cleared:
      state.text = ""
      state.verdict = nil
      return .cancel(id: "check")
    case .checked(let verdict): state.verdict = verdict
    case .connectionChanged(let isOnline): state.isOnline = isOnline
    }
    return .none
  }

  static func step(_ action: Action) -> UndoStep {
    switch action {
    case .typed: .grouped(by: "typing")
    case .cleared: .single
    case .checked, .connectionChanged: .notUndoable
    }
  }
}

@Suite struct `Undo and redo of a feature` {
  private typealias State = Undoable<Editor.State>

  private func store<R: Reducer<State, UndoAction<Editor.Action>>>(
    _ reducer: R, _ state: State = State(.init(), limit: 50)
  ) -> TestStore<R> {
    TestStore(initialState: state, reducer: reducer).patient
  }

  @Test func `Letters are undone together, and a group ends with another action`() async {
    let store = store(Editor().undoable(step: Editor.step))
    store.send(.edit(.typed("a"))) { $0.edit(.grouped(by: "typing")) { $0.text = "a" } }
    store.send(.edit(.typed("b"))) { $0.edit(.grouped(by: "typing")) { $0.text = "ab" } }
    store.send(.edit(.cleared)) { $0.edit { $0.text = "" } }
    #expect(store.state.pastCount == 2)
    store.send(.undo) { $0.undo() }
    #expect(store.state.present.text == "ab")
    store.send(.undo) { $0.undo() }
    #expect(store.state == State.undone(to: "", redoing: ["ab", ""]))
    store.send(.undo)
    store.send(.redo) { $0.redo() }
    store.send(.redo) { $0.redo() }
    store.send(.redo)
    #expect(store.state.present.text == "")
    #expect(store.state.canUndo && !store.state.canRedo)
    await store.finish()
  }

  @Test func `The work of an undone action goes on, and its answer leaves redo possible (M7)`() async {
    let store = store(Editor().undoable(step: Editor.step))
    store.send(.edit(.typed("a"))) { $0.edit(.grouped(by: "typing")) { $0.text = "a" } }
    store.assertEffects { $0["check"] = EffectStatus(running: 1, input: "a") }
    store.send(.undo) { $0.undo() }
    store.assertEffects { $0["check"] = EffectStatus(running: 1, input: "a") }
    store.advance(by: .seconds(1))
    await store.receive(.edit(.checked(.init(text: "a", isGood: false)))) {
      $0.present.verdict = .init(text: "a", isGood: false)
    }
    #expect(store.state.canRedo)
    store.send(.redo) { $0.redo() }
    #expect(store.state.present == .init(text: "a"))
    store.assertEffects { _ in }
    await store.finish()
  }

  @Test func `Undo and redo cancel the work that they name, if they change anything (M7)`() async {
    let store = store(Editor().undoable(cancelling: ["check"], step: Editor.step))
    store.send(.edit(.typed("a"))) { $0.edit(.grouped(by: "typing")) { $0.text = "a" } }
    store.send(.redo)
    store.assertEffects { $0["check"] = EffectStatus(running: 1, input: "a") }
    store.send(.undo) { $0.undo() }
    store.assertEffects { _ in }
    store.send(.edit(.typed("b"))) { $0.edit(.grouped(by: "typing")) { $0.text = "b" } }
    store.send(.edit(.connectionChanged(false))) { $0.present.isOnline = false }
    store.send(.undo) { $0.undo() }
    store.send(.undo)
    store.assertEffects { _ in }
    store.send(.redo) { $0.redo() }
    store.assertEffects { _ in }
    await store.finish()
  }

  @Test func `A cancel by undo that matches nothing is no event of a trace (V1)`() async {
    let store = store(Editor().undoable(cancelling: ["check"], step: Editor.step))
    store.send(.edit(.cleared))
    store.send(.edit(.typed("a"))) { $0.edit(.grouped(by: "typing")) { $0.text = "a" } }
    store.advance(by: .seconds(1))
    await store.receive(.edit(.checked(.init(text: "a", isGood: false)))) {
      $0.present.verdict = .init(text: "a", isGood: false)
    }
    store.send(.undo) { $0.undo() }
    let unmatched = store.trace.filter { if case .unmatched = $0.kind { true } else { false } }
    #expect(unmatched.count == 1, "only the `cancel` that the editor has written")
    await store.finish()
  }

  @Test func `Undo takes back what others have changed since, except for what it keeps`() async {
    let store = store(Editor().undoable(keeping: { $0.isOnline = $1.isOnline }, step: Editor.step))
    store.send(.edit(.typed("a"))) { $0.edit(.grouped(by: "typing")) { $0.text = "a" } }
    store.send(.edit(.connectionChanged(false))) { $0.present.isOnline = false }
    store.send(.undo) { $0.undo(keeping: { $0.isOnline = $1.isOnline }) }
    #expect(store.state.present == .init(isOnline: false))
    store.send(.edit(.connectionChanged(true))) { $0.present.isOnline = true }
    store.send(.redo) { $0.redo(keeping: { $0.isOnline = $1.isOnline }) }
    #expect(store.state.present == .init(text: "a", isOnline: true))
    store.cancelInFlight()
    await store.finish()
  }

  // MARK: - Every order

  /// Every order of the answers, with an undo and a redo in between.
  private func explored(cancelling ids: [EffectID]) async -> Exploration {
    await explore(
      initialState: State(.init(), limit: 50), reducer: Editor().undoable(cancelling: ids, step: Editor.step),
      requiring: [.nothingRunsAtTheEnd], sometimes: ["checked": { $0.present.verdict != nil }],
      search: .depthFirst(.everyJob)
    ) { run in
      run.send(.edit(.typed("a")))
      run.send(.undo)
      run.send(.redo)
    } always: { state in
      state.present.verdict.map { $0.text == state.present.text } ?? true
    }
  }

  @Test func `In no order does a verdict belong to a text that was undone (M7)`() async {
    let result = await explored(cancelling: ["check"])
    #expect("\(result)" == "complete at grain everyJob: 117 schedules")
  }

  @Test func `Without the cancel some order shows a verdict about a text that was undone`() async {
    let failures = await reportedFailures {
      _ = await explored(cancelling: [])
    }
    #expect(failures.count == 1 && failures[0].contains("After a reduction `always` does not hold"))
  }
}

extension Undoable<Editor.State> {
  /// A state whose steps were all undone.
  fileprivate static func undone(to text: String, redoing texts: [String]) -> Self {
    var state = Self(.init(text: text), limit: 50)
    for text in texts { state.edit { $0.text = text } }
    for _ in texts { state.undo() }
    return state
  }
}

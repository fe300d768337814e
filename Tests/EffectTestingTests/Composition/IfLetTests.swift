// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

@Suite struct `An optional child` {
  private static let load = EffectID("load")
  private static let sheet = load.scoped(by: EffectID(\Screen.State.sheet))
  private static let detail = load.scoped(by: EffectID(\Screen.State.detail))

  private func store(_ state: Screen.State = .init()) -> TestStore<Screen> {
    TestStore(initialState: state, reducer: Screen()).patient
  }

  @Test func `Its removal cancels its work, running and queued, and no other work (M1, M2)`() async {
    let store = store(.init(sheet: .init(), detail: .init(id: 1)))
    store.send(.refresh)
    store.send(.detail(.load))
    store.send(.sheet(.queue))
    store.send(.sheet(.queue))
    store.assertEffects {
      $0[Self.load] = EffectStatus(running: 1)
      $0[Self.detail] = EffectStatus(running: 1)
      $0[Self.sheet] = EffectStatus(running: 1, queued: 1)
    }
    store.send(.sheet(.done)) { $0.sheet = nil }
    store.assertEffects {
      $0[Self.load] = EffectStatus(running: 1)
      $0[Self.detail] = EffectStatus(running: 1)
    }
    store.advance(by: .seconds(1))
    await store.receive(.detail(.loaded("text"))) { $0.detail?.note.text = "text" }
    store.advance(by: .seconds(8))
    await store.finish()
  }

  @Test func `A child with another id is another child, and one with the same id is the same child (M2)`() async {
    let store = store(.init(detail: .init(id: 1)))
    store.send(.detail(.load))
    store.send(.show(1))
    store.assertEffects { $0[Self.detail] = EffectStatus(running: 1) }
    store.send(.show(2)) { $0.detail = .init(id: 2) }
    store.assertEffects { _ in }
    store.send(.detail(.load))
    store.send(.show(nil)) { $0.detail = nil }
    await store.finish()
  }

  /// Code beside the screen, outside of its `ifLet`, that removes the sheet with each refresh.
  private func removing(cancels: Bool) -> some Reducer<Screen.State, Screen.Action> {
    CombineReducers {
      Screen().whole
      Reduce<Screen.State, Screen.Action> { state, action in
        guard case .refresh = action else { return .none }
        state.sheet = nil
        return cancels ? .cancel(scope: \Screen.State.sheet) : .none
      }
    }
  }

  @Test func `Code outside of the ifLet that removes it must cancel its work, or is reported (M2, M3)`() async {
    let store = TestStore(initialState: Screen.State(sheet: .init()), reducer: removing(cancels: false))
    store.send(.sheet(.load))
    store.send(.refresh) { $0.sheet = nil }
    store.advance(by: .seconds(1))
    let found = await failures { await store.receive(.sheet(.loaded("text"))) }
    #expect(found.map { $0.text.contains("stack` returns `.cancel(scope:)`, too.") } == [true])
    store.advance(by: .seconds(8))
    await store.finish()

    let cancelling = TestStore(initialState: Screen.State(sheet: .init()), reducer: removing(cancels: true))
    cancelling.send(.sheet(.load))
    cancelling.send(.refresh) { $0.sheet = nil }
    cancelling.assertEffects { $0[Self.load] = EffectStatus(running: 1) }
    cancelling.advance(by: .seconds(9))
    await cancelling.finish()
  }

  @Test func `Work that it starts in the reduction that removes it never begins (M2)`() async {
    let store = store(.init(sheet: .init()))
    store.send(.sheet(.doneLoading)) { $0.sheet = nil }
    store.assertEffects { _ in }
    await store.finish()
  }

  @Test func `A child that cancels everything cancels only its own work (M1)`() async {
    let store = store(.init(sheet: .init(), detail: .init(id: 1)))
    store.send(.detail(.load))
    store.send(.sheet(.load))
    store.send(.sheet(.cancelTapped))
    store.assertEffects { $0[Self.detail] = EffectStatus(running: 1) }
    store.send(.show(nil)) { $0.detail = nil }
    await store.finish()
  }

  @Test func `An action for a removed child is dropped and fails the test, with the line (M3)`() async {
    let store = store()
    let line = #line + 1
    let found = await failures { store.send(.sheet(.load)) }
    #expect(
      found == [
        Failure(
          line: line,
          """
          An action came for a child that does not exist now: .load

            for \\State.sheet at App/Screen.swift:34

          No child reduced it. Create the child's state before you send the action, and do not send it after the child was removed. \
          Start work for the child as an effect of the child. Code that removes the child outside of its `ifLet`, `ifCase`, \
          `forEach` or `stack` returns `.cancel(scope:)`, too. Then the work ends with the child.
          """)
      ])
    await store.finish()
  }

  @MainActor
  @Test func `A store reports it if there was no child when it was sent, and only traces it if it has waited (M3)`()
    async
  {
    let failures = Recorder<String>()
    let events = Recorder<String>()
    let store = Store(
      initialState: .init(detail: .init(id: 1)), reducer: Screen(), isolation: MainActor.shared,
      onFailure: { failures.record("\($0)") })
    let listening = store.trace.listen { events.record("\($0.kind)") }
    // Both wait until the main actor is free. When the second one was sent, there was a child.
    store.send(.show(nil), isolation: nil)
    await store.send(.detail(.load), isolation: nil).finish()
    store.send(.show(2), isolation: nil)
    store.send(.show(nil), isolation: nil)
    // Waits behind the others, which are reduced first.
    store.send(.detail(.load))
    #expect(failures.events == [])
    #expect(events.events.count { $0.contains("failed: load came for the child") } == 2)

    store.send(.sheet(.load))
    store.send(.refresh).cancel()
    listening.cancel()
    #expect(failures.events.count == 1)
    #expect(failures.events.first?.hasPrefix("App/Screen.swift:34: load came for the child \\State.sheet") == true)
    #expect(events.events.contains { $0.hasPrefix("run 3 failed: load came for the child") })
    await store.shutdown(.cancelling)
  }

  @Test func `A store reports an action for a missing child that an effect has sent (M3)`() async {
    let failures = Recorder<String>()
    let store = Store(
      initialState: Screen.State(),
      reducer: Reduce<Screen.State, Screen.Action> { state, action in
        if case .show = action { return .merge(.send(.sheet(.load)), .run { send in send(.sheet(.queue)) }) }
        return Screen().reduce(into: &state, action: action)
      }, onFailure: { failures.record("\($0)") })
    await store.send(.show(nil)).finish()
    #expect(failures.events.map { $0.contains("load came") } == [true, false])
    await store.shutdown(.cancelling)
  }

  @Test func `Delegation in plain Swift follows the same rules (M1, M3)`() async {
    struct State: Equatable { var rows: [Int: Note.State] = [1: .init(), 2: .init()] }
    enum Action: Equatable, Sendable { case row(Int, Note.Action), removed(Int) }
    let store = TestStore(
      initialState: State(),
      reducer: Reduce<State, Action> { state, action in
        switch action {
        case .row(let id, let action):
          return Note().reduce(into: &state.rows[id], action: action, fileID: "App/Plain.swift", line: 5)
            .scoped(id) { .row(id, $0) }
        case .removed(let id):
          state.rows[id] = nil
          return .cancel(scope: id)
        }
      }
    ).patient
    store.send(.row(1, .load))
    store.send(.row(2, .load))
    store.send(.removed(1)) { $0.rows[1] = nil }
    let found = await failures { store.send(.row(1, .load)) }
    #expect(found.map { $0.text.split(separator: "\n")[1] } == ["  for 1 at App/Plain.swift:5"])
    store.advance(by: .seconds(1))
    await store.receive(.row(2, .loaded("text"))) { $0.rows[2]?.text = "text" }
    await store.finish()
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

@Suite struct `Features within features` {
  private struct Settings: Equatable {
    var size = 0
    var note = Note.State()
    var log: [String] = []
  }
  private enum SettingsAction: Equatable, Sendable { case grow, note(Note.Action) }
  private static let note = CasePath(
    embed: SettingsAction.note, extract: { if case .note(let action) = $0 { action } else { nil } })

  @Test func `Reducers are called from top to bottom, each with the state that the one above left`() {
    let isVerbose = true
    let reducer = CombineReducers {
      Scope(\Settings.note, action: Self.note) { Note() }
      Reduce<Settings, SettingsAction> { state, _ in
        state.log.append("first \(state.note.text)")
        return .send(.grow)
      }
      if isVerbose {
        Reduce<Settings, SettingsAction> { state, _ in
          state.log.append("second \(state.log.count)")
          return .cancel(id: "x")
        }
      }
    }
    var state = Settings()
    let effect = reducer.reduce(into: &state, action: .note(.loaded("new")))
    #expect(state.log == ["first new", "second 1"])
    #expect("\(effect)" == #"merge(send(grow), cancel("x"))"#)
  }

  @Test func `A change is handled once, and an action without a change is not`() {
    let reducer = Reduce<Settings, SettingsAction> { state, action in
      if action == .grow { state.size += 1 }
      return .none
    }
    .onChange(of: \.size) { state, former in
      state.log.append("\(former) to \(state.size)")
      return .cancel(id: "layout")
    }
    var state = Settings()
    #expect("\(reducer.reduce(into: &state, action: .note(.done)))" == "none")
    #expect("\(reducer.reduce(into: &state, action: .grow))" == #"cancel("layout")"#)
    #expect(state.log == ["0 to 1"])
  }

  @Test func `Work of an id is cancelled when its cause changes, and the new work begins (M4)`() async {
    struct State: Equatable { var query = "" }
    let store = TestStore(
      initialState: State(),
      reducer: Reduce<State, String> { state, query in
        state.query = query
        return query.isEmpty
          ? .none
          : .run(id: "search", overlap: .concurrent, input: query) { _, send in try await send.sleep(for: .seconds(1)) }
      }.cancelling("search", whenChanged: \.query)
    ).patient
    store.send("a") { $0.query = "a" }
    store.send("ab") { $0.query = "ab" }
    store.assertEffects { $0["search"] = EffectStatus(running: 1, input: "ab") }
    store.send("ab")
    store.assertEffects { $0["search"] = EffectStatus(running: 2, input: "ab") }
    store.send("") { $0.query = "" }
    await store.finish()
  }

  private enum Session: Equatable { case out(Note.State), inside(Row.State) }
  private enum SessionAction: Equatable, Sendable { case out(Note.Action), inside(Note.Action), enter(Int), leave }

  @Test func `Leaving a case cancels the work of its child (M2, M3)`() async {
    let store = TestStore(
      initialState: Session.out(.init()),
      reducer: Reduce<Session, SessionAction> { state, action in
        if case .enter(let id) = action { state = .inside(.init(id: id)) }
        if action == .leave { state = .out(.init()) }
        return .none
      }
      .ifCase(
        CasePath(embed: Session.out, extract: { if case .out(let note) = $0 { note } else { nil } }),
        action: CasePath(embed: SessionAction.out, extract: { if case .out(let action) = $0 { action } else { nil } }),
        scope: "out"
      ) { Note() }
      .ifCase(
        CasePath(embed: Session.inside, extract: { if case .inside(let row) = $0 { row } else { nil } }),
        action: CasePath(
          embed: SessionAction.inside, extract: { if case .inside(let action) = $0 { action } else { nil } }),
        scope: "inside"
      ) { Row() }
    ).patient
    let inside = EffectID("load").scoped(by: "inside")
    store.send(.out(.load))
    store.assertEffects { $0[EffectID("load").scoped(by: "out")] = EffectStatus(running: 1) }
    store.send(.enter(1)) { $0 = .inside(.init(id: 1)) }
    store.send(.inside(.load))
    store.assertEffects { $0[inside] = EffectStatus(running: 1) }
    store.send(.enter(2)) { $0 = .inside(.init(id: 2)) }
    store.assertEffects { _ in }
    #expect(await failures { store.send(.out(.load)) }.count == 1)
    store.send(.inside(.load))
    store.advance(by: .seconds(1))
    await store.receive(.inside(.loaded("text"))) { $0 = .inside(.init(id: 2, note: .init(text: "text"))) }
    store.send(.leave) { $0 = .out(.init()) }
    await store.finish()
  }

  /// A feature that contains itself, to any depth.
  private final class Box: Equatable, Sendable {
    let level: Level
    init(_ level: Level) { self.level = level }
    static func == (left: Box, right: Box) -> Bool { left.level == right.level }
  }
  private struct Level: Equatable, Sendable {
    var box: Box?
    var note = Note.State()
    var inner: Level? {
      get { box?.level }
      set { box = newValue.map(Box.init) }
    }
    static func nested(_ depth: Int) -> Level { Level(box: depth > 1 ? Box(nested(depth - 1)) : nil) }
  }
  private indirect enum LevelAction: Equatable, Sendable { case inner(LevelAction), note(Note.Action), close }

  /// Creates another instance of itself for each level that an action reaches.
  private struct Nest: Reducer {
    func reduce(into state: inout Level, action: LevelAction) -> Effect<LevelAction> {
      if case .inner = action {
        return Reduce<Level, LevelAction> { state, action in
          if action == .inner(.close) { state.inner = nil }
          return .none
        }
        .ifLet(
          \.inner,
          action: CasePath(
            embed: LevelAction.inner, extract: { if case .inner(let action) = $0 { action } else { nil } })
        ) { Nest() }
        .reduce(into: &state, action: action)
      }
      return Scope(
        \Level.note,
        action: CasePath(embed: LevelAction.note, extract: { if case .note(let action) = $0 { action } else { nil } })
      ) { Note() }
      .reduce(into: &state, action: action)
    }
  }

  private func deep(_ depth: Int, _ action: LevelAction) -> LevelAction {
    (1..<depth).reduce(action) { action, _ in .inner(action) }
  }

  private func id(_ depth: Int) -> EffectID {
    (1..<depth).reduce(EffectID("load").scoped(by: EffectID(\Level.note))) { id, _ in
      id.scoped(by: EffectID(\Level.inner))
    }
  }

  @Test func `Ids nest as deep as features do, and a removal cancels all work inside (M1, M2)`() async {
    let store = TestStore(initialState: Level.nested(10), reducer: Nest()).patient
    for depth in 1...10 { store.send(deep(depth, .note(.load))) }
    store.assertEffects { effects in for depth in 1...10 { effects[id(depth)] = EffectStatus(running: 1) } }
    store.send(deep(6, .close)) { $0 = .nested(5) }
    store.assertEffects { effects in for depth in 1...5 { effects[id(depth)] = EffectStatus(running: 1) } }
    store.advance(by: .seconds(1))
    store.exhaustivity = .off
    await store.finish()
    #expect(store.state.inner?.inner?.inner?.inner?.note.text == "text")
  }
}

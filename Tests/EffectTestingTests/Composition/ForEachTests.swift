// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

/// Checks that hold for rows in any container.
private func checkRows<Container: RowContainer & Equatable & Sendable>(
  _ rows: Container, text: @escaping (inout Container, Int, String) -> Void,
  remove: @escaping (inout Container, Int) -> Void, insert: @escaping (inout Container, Row.State) -> Void
) async where Container.RowID == Int, Container.Row == Row.State {
  typealias Feature = Rows<Container>
  let store = TestStore(
    initialState: Feature.State(rows: rows), reducer: Feature(remove: remove, insert: insert)
  ).patient
  func load(_ id: Int) -> EffectID { EffectID("load").scoped(by: Feature.scope(id)) }
  store.send(.row(1, .load))
  store.send(.row(2, .load))
  store.assertEffects {
    $0[load(1)] = EffectStatus(running: 1)
    $0[load(2)] = EffectStatus(running: 1)
  }
  // Removed by another action, by its own action, and by a replacement. Each removal cancels only the work of its row.
  store.send(.remove(1)) { remove(&$0.rows, 1) }
  store.assertEffects { $0[load(2)] = EffectStatus(running: 1) }
  store.send(.row(3, .queue))
  store.send(.row(3, .queue))
  store.send(.row(3, .done)) { remove(&$0.rows, 3) }
  store.assertEffects { $0[load(2)] = EffectStatus(running: 1) }
  store.send(.row(4, .load))
  store.send(.replace(4)) {
    remove(&$0.rows, 4)
    insert(&$0.rows, Row.State(id: 104))
  }
  store.send(.nothing)
  store.assertEffects { $0[load(2)] = EffectStatus(running: 1) }
  // The effect that it returned in the reduction that removed it never begins.
  store.send(.row(104, .doneLoading)) { remove(&$0.rows, 104) }
  store.assertEffects { $0[load(2)] = EffectStatus(running: 1) }
  store.advance(by: .seconds(1))
  await store.receive(.row(2, .loaded("text"))) { text(&$0.rows, 2, "text") }
  await store.finish()
}

/// A row that gets another id, like a draft that has been saved.
private struct Drafts: Reducer {
  struct Draft: Equatable, Identifiable {
    var id: Int
  }
  enum Change: Equatable, Sendable { case save, saved(Int) }

  struct State: Equatable { var drafts: [Draft] }
  enum Action: Equatable, Sendable { case draft(Int, Change) }

  static let draft = CasePath<Action, (Int, Change)>(
    embed: Action.draft, extract: { if case .draft(let id, let change) = $0 { (id, change) } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    Reduce<State, Action> { _, _ in .none }
      .forEach(\.drafts, action: Self.draft) {
        Reduce<Draft, Change> { draft, change in
          switch change {
          case .save: break
          case .saved(let id): draft.id = id
          }
          return .run(id: "autosave", overlap: .keepLatest) { send in try await send.sleep(for: .seconds(1)) }
        }
      }
      .reduce(into: &state, action: action)
  }
}

@Suite struct `A child for each row` {
  @Test func `A row that gets another id is another row: the work of the former is cancelled (M2)`() async {
    let store = TestStore(initialState: Drafts.State(drafts: [.init(id: 1), .init(id: 2)]), reducer: Drafts())
    func autosave(_ id: Int) -> EffectID {
      EffectID("autosave").scoped(by: EffectID(id).scoped(by: EffectID(\Drafts.State.drafts)))
    }
    store.send(.draft(1, .save))
    store.send(.draft(2, .save))
    store.send(.draft(1, .saved(7))) { $0.drafts[0].id = 7 }
    store.assertEffects { $0[autosave(2)] = EffectStatus(running: 1) }
    store.send(.draft(7, .save))
    store.assertEffects {
      $0[autosave(2)] = EffectStatus(running: 1)
      $0[autosave(7)] = EffectStatus(running: 1)
    }
    store.advance(by: .seconds(1))
    await store.finish()
  }

  private static let four = (1...4).map { Row.State(id: $0) }

  @Test func `Rows of an array: their work is separate, and is cancelled with them (M1, M2)`() async {
    await checkRows(
      Self.four, text: { rows, id, text in rows[rows.firstIndex { $0.id == id }!].note.text = text },
      remove: { rows, id in rows.removeAll { $0.id == id } }, insert: { $0.append($1) })
  }

  @Test func `Rows of a dictionary: their work is separate, and is cancelled with them (M1, M2)`() async {
    await checkRows(
      Dictionary(uniqueKeysWithValues: Self.four.map { ($0.id, $0) }), text: { $0[$1]?.note.text = $2 },
      remove: { $0[$1] = nil }, insert: { $0[$1.id] = $1 })
  }

  @Test func `Rows removed while they load, from many threads, are never answered (M2, M3, E1)`() async {
    typealias Feature = Rows<[Int: Row.State]>
    let failures = Recorder<String>()
    let store = Store(
      initialState: Feature.State(rows: Dictionary(uniqueKeysWithValues: (0..<500).map { ($0, Row.State(id: $0)) })),
      reducer: Feature(remove: { $0[$1] = nil }, insert: { $0[$1.id] = $1 }), clock: .immediate,
      onFailure: { failures.record("\($0)") })
    await withTaskGroup { group in
      for id in 0..<500 {
        group.addTask {
          for _ in 0..<5 { store.send(.row(id, .load)) }
          if id % 2 == 0 { await store.send(.row(id, .load)).finish() }
          store.send(.remove(id))
        }
      }
    }
    await store.shutdown(.draining(cancelling: [EffectID](), within: plenty))
    #expect(failures.events == [])
    #expect(await store.state.rows.isEmpty)
  }

  @Test func `A removal is one cancel of a scope in the reducer's effect (M2)`() {
    let feature = Rows<[Int: Row.State]>(remove: { $0[$1] = nil }, insert: { $0[$1.id] = $1 })
    var state = Rows<[Int: Row.State]>.State(rows: [1: Row.State(id: 1), 2: Row.State(id: 2)])
    #expect("\(feature.reduce(into: &state, action: .remove(1)))".hasPrefix("cancel(scope: "))
    #expect("\(feature.reduce(into: &state, action: .remove(1)))" == "none")
    #expect(state.rows.keys.sorted() == [2])
  }

  /// The work of one row that stays.
  private struct Pausing: Reducer {
    typealias Feature = Rows<[Int: Row.State]>
    struct State: Equatable { var list = Feature.State(rows: [1: Row.State(id: 1), 2: Row.State(id: 2)]) }
    enum Action: Equatable, Sendable { case list(Feature.Action), pause(Int) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .list(let action):
        Feature(remove: { $0[$1] = nil }, insert: { $0[$1.id] = $1 }).reduce(into: &state.list, action: action)
          .map { .list($0) }
      case .pause(let id): .cancel(scope: EffectID(id).scoped(by: \Feature.State.rows))
      }
    }
  }

  @Test func `A parent cancels the work of one row that stays (M2)`() async {
    let store = TestStore(initialState: Pausing.State(), reducer: Pausing())
    store.send(.list(.row(1, .load)))
    store.send(.list(.row(2, .load)))
    store.send(.pause(1))
    store.assertEffects { $0[EffectID("load").scoped(by: Pausing.Feature.scope(2))] = EffectStatus(running: 1) }
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `An array lists its removed rows, also after other changes`() {
    let rows = Self.four
    #expect(rows._rowsRemoved(since: rows).isEmpty)
    #expect(Array(rows.reversed())._rowsRemoved(since: rows).isEmpty)
    #expect(Array(rows.dropFirst())._rowsRemoved(since: rows) == [1])
    #expect((rows.dropFirst() + [Row.State(id: 9)])._rowsRemoved(since: rows) == [1])
    #expect([Row.State]()._rowsRemoved(since: rows) == [1, 2, 3, 4])
    var changed = rows
    #expect(changed._updateRow(3) { $0.note.text = "new" } != nil)
    #expect(changed._rowsRemoved(since: rows).isEmpty)
    #expect(changed[2].note.text == "new")
    #expect(changed._updateRow(9) { _ in } == nil)
  }

  @Test func `A dictionary lists its removed rows, also after other changes`() {
    let rows = [1: "a", 2: "b"]
    #expect(rows._rowsRemoved(since: rows).isEmpty)
    #expect([1: "a"]._rowsRemoved(since: rows) == [2])
    #expect([2: "b", 1: "c", 3: "d"]._rowsRemoved(since: rows).isEmpty)
    let many = Dictionary(uniqueKeysWithValues: (1...100).map { ($0, "") })
    #expect([:]._rowsRemoved(since: many) == (1...100).sorted { "\($0)" < "\($1)" })
    var changed = rows
    #expect(changed._updateRow(1) { $0 = "new" } != nil)
    #expect(changed == [1: "new", 2: "b"])
    #expect(changed._updateRow(9) { _ in } == nil)
  }
}

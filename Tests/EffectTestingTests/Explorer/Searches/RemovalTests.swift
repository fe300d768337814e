// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Children that are removed or replaced while they load, in every order. An action that reaches a removed child is a
/// failure of the exploration, so no action does. Each test also has a broken version, whose bug is found.
@Suite struct `Removal, explored` {
  private typealias Table = Rows<[Int: Row.State]>

  private static var table: Table { Table(remove: { $0[$1] = nil }, insert: { $0[$1.id] = $1 }) }
  private static let two = Table.State(rows: [1: Row.State(id: 1), 2: Row.State(id: 2)])

  /// A row that is removed by hand. The code forgets to cancel its work.
  private static func careless() -> Reduce<Table.State, Table.Action> {
    Reduce { state, action in
      switch action {
      case .row(let id, let action):
        return Row().reduce(into: &state.rows[id], action: action, fileID: "App/Rows.swift", line: 7).scoped(id) {
          .row(id, $0)
        }
      case .remove(let id): state.rows[id] = nil
      case .replace, .nothing: break
      }
      return .none
    }
  }

  private func removal(of reducer: @autoclosure () -> some Reducer<Table.State, Table.Action>) async -> Account {
    await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(
        initialState: Self.two, reducer: reducer(), requiring: [.nothingRunsAtTheEnd],
        finally: { $0.rows.keys.sorted() == [2] && $0.rows[2]?.note.text == "" })
      run.send(.row(1, .queue))
      run.send(.row(1, .queue))
      run.send(.remove(1))
    }
  }

  @Test func `A tap on a row that was there when it was tapped is no failure, however long it waits (M3)`() async {
    func taps(upTo level: Exploration.Level, _ condition: @escaping @Sendable (Table.State) -> Bool) async -> Account {
      await Account(search: .levels(upTo: level)) { schedule in
        let run = schedule.store(initialState: Self.two, reducer: Self.table)
        run.sender("other") { $0.send(.remove(1)) }
        run.send(anyOf: [.row(1, .queue)], upTo: 1) { (state: Table.State, _) in condition(state) }
      }
    }
    let careful = await taps(upTo: .steps) { $0.rows[1] != nil }
    #expect(careful.text == nil && careful.result.completeLevel == .steps, "\(careful.text ?? "\(careful.result)")")
    let careless = await taps(upTo: .answers) { _ in true }
    #expect(careless.text?.contains("An action came for a child that does not exist now: ") == true)
  }

  @Test func `A row removed with one load running and one queued is never answered (M2, M3, E1)`() async {
    let right = await removal(of: Self.table)
    #expect("\(right.result)" == "complete: steps (569)")
    let broken = await removal(of: Self.careless())
    #expect(broken.result.failure == "u u u d d d e0 t0 e0 d")
    #expect(broken.text?.contains("An action came for a child that does not exist now: ") == true)
  }

  /// A detail without an id: a replacement is treated as the same child.
  private static func anonymous() -> Reduce<Screen.State, Screen.Action> {
    Reduce { state, action in
      switch action {
      case .detail(let action):
        return Row().reduce(into: &state.detail, action: action).scoped(\Screen.State.detail) { .detail($0) }
      case .show(let id): state.detail = id.map { Row.State(id: $0) }
      case .sheet, .refresh: break
      }
      return .none
    }
  }

  private func replacement(in reducer: @autoclosure () -> some Reducer<Screen.State, Screen.Action>) async -> Account {
    await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(
        initialState: .init(detail: .init(id: 1)), reducer: reducer(), requiring: [.nothingRunsAtTheEnd],
        always: { $0.detail?.id != 2 || $0.detail?.note.text == "" })
      run.send(.detail(.queue))
      run.send(.detail(.queue))
      run.send(.show(2))
    }
  }

  @Test func `A replacement receives no answers for the child before, running or queued (M2, E1)`() async {
    let right = await replacement(in: Screen())
    #expect("\(right.result)" == "complete: steps (569)")
    let broken = await replacement(in: Self.anonymous())
    #expect(broken.result.failure == "u u u d d d e0 t0 e0 d")
  }

  private func closing(_ reducer: @autoclosure () -> some Reducer<Screen.State, Screen.Action>) async -> Account {
    await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(
        initialState: .init(sheet: .init(), detail: .init(id: 1)), reducer: reducer(),
        requiring: [.nothingRunsAtTheEnd], finally: { $0.sheet == nil && $0.detail?.note.text == "" })
      run.send(.sheet(.queue))
      run.send(.sheet(.queue))
      run.send(.sheet(.done))
    }
  }

  /// A sheet that is closed by hand.
  private static func forgetful() -> Reduce<Screen.State, Screen.Action> {
    Reduce { state, action in
      switch action {
      case .sheet(let action):
        let effect = Note().reduce(into: &state.sheet, action: action, fileID: "App/Screen.swift", line: 9)
        if action == .done { state.sheet = nil }
        return effect.scoped(\Screen.State.sheet) { .sheet($0) }
      case .detail(let action):
        return Row().reduce(into: &state.detail, action: action).scoped(\Screen.State.detail) { .detail($0) }
      case .show, .refresh: return .none
      }
    }
  }

  @Test func `A sheet that is closed cancels its running and its queued load (M2, M3, E1)`() async {
    let right = await closing(Screen())
    #expect("\(right.result)" == "complete: steps (569)")
    let broken = await closing(Self.forgetful())
    #expect(broken.result.failure == "u u u d d d e0 t0 e0 d")
    #expect(broken.text?.contains("that does not exist now") == true)
  }

  /// A sheet with a button, which a payment closes.
  private struct Cart: Reducer {
    struct State: Equatable, Sendable { var sheet: Int? = 1 }
    enum Action: Equatable, Sendable { case sheet(SheetAction), paid }
    enum SheetAction: Equatable, Sendable { case closeTapped }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .sheet(let action):
        let child = Reduce<Int, SheetAction> { _, _ in .none }
        return child.reduce(into: &state.sheet, action: action).scoped(\State.sheet) { .sheet($0) }
      case .paid:
        state.sheet = nil
        return .none
      }
    }
  }

  @Test func `A script that uses a removed child fails with the line that asks for the child (M3)`() async {
    let texts = await reportedFailures {
      await explore(initialState: Cart.State(), reducer: Cart(), options: .init(upTo: .answers)) { run in
        run.send(.paid)
        run.send(.sheet(.closeTapped))
      }
    }
    let line = "script.send(anyOf: [.sheet(.closeTapped)], upTo: 1) { (state: Cart.State, _) in state.sheet != nil }"
    #expect(texts.count == 1 && texts[0].contains(line), "\(texts)")
    let result = await explore(initialState: Cart.State(), reducer: Cart(), options: .init(upTo: .answers)) { run in
      run.send(.paid)
      run.send(anyOf: [.sheet(.closeTapped)], upTo: 1) { (state: Cart.State, _) in state.sheet != nil }
    }
    result.expectComplete(.answers)
  }
}

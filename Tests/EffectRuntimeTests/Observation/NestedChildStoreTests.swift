// This source file is part of swift-effects. License: Apache-2.0.

import Observation
import TestSupport
import Testing

@testable import EffectRuntime

private struct Part: Reducer {
  struct State: Equatable { var count = 0 }
  enum Action: Sendable { case counted, load, stop }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .counted:
      state.count += 1
      return .none
    case .load: return .run(id: "load", overlap: .restart) { send in try await send.sleep(for: .seconds(60)) }
    case .stop: return .cancel(id: "load")
    }
  }
}

/// A child of one child of each kind; all of them delegate in plain Swift.
private struct Middle: Reducer {
  struct State: Equatable {
    var always = Part.State()
    var sheet: Part.State? = Part.State()
    var rows = [1: Part.State()]
  }
  enum Action: Sendable { case always(Part.Action), sheet(Part.Action), row(Int, Part.Action), close }

  static let always = CasePath(
    embed: Action.always, extract: { if case .always(let action) = $0 { action } else { nil } })
  static let sheet = CasePath(
    embed: Action.sheet, extract: { if case .sheet(let action) = $0 { action } else { nil } })
  static let row = CasePath(
    embed: Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .always(let action):
      return Part().reduce(into: &state.always, action: action).scoped("always", Action.always)
    case .sheet(let action):
      return Part().reduce(into: &state.sheet, action: action).scoped("sheet", Action.sheet)
    case .row(let id, let action):
      return Part().reduce(into: &state.rows[id], action: action).scoped(id) { .row(id, $0) }
    case .close:
      (state.sheet, state.rows) = (nil, [:])
      return .merge(.cancel(scope: "sheet"), .cancel(scope: 1))
    }
  }
}

private struct Whole: Reducer {
  struct State: Equatable { var middle = Middle.State() }
  enum Action: Sendable { case middle(Middle.Action) }

  static let middle = CasePath(
    embed: Action.middle, extract: { if case .middle(let action) = $0 { action } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard case .middle(let action) = action else { return .none }
    return Middle().reduce(into: &state.middle, action: action).scoped("middle", Action.middle)
  }
}

/// Children of children whose work is scoped by words of the parent's own.
@MainActor @Suite struct `Children of children by delegation` {
  private let store = ObservableStore(initialState: Whole.State(), reducer: Whole())
  private var middle: ObservableStore<Middle.State, Middle.Action> {
    store.scope(\.middle, action: Whole.middle, scope: "middle")
  }
  private var children: [ObservableStore<Part.State, Part.Action>?] {
    [
      middle.scope(\.always, action: Middle.always, scope: "always"),
      middle.scope(\.sheet, action: Middle.sheet, scope: "sheet"),
      middle.scope(\.rows, id: 1, action: Middle.row, scope: 1),
    ]
  }

  @Test func `Each reads its state, sends its actions and reports its own work (M1, S1)`() async {
    for (number, child) in children.enumerated() {
      child?.send(.counted)
      child?.send(.load)
      #expect(children.map { $0?.count } == (0..<3).map { $0 <= number ? 1 : 0 })
      #expect(children.map { $0?.isRunning("load") } == (0..<3).map { $0 <= number })
      #expect(child?.status("load").running == 1)
    }
    #expect(!middle.isRunning("load"))
    children[0]?.send(.stop)
    #expect(children[0]?.status("load").running == 0)
    await store.shutdown(.cancelling)
  }

  @Test func `Removed children do not exist, and their work does not either (M2, M5)`() async {
    for child in children { child?.send(.load) }
    middle.send(.close)
    #expect(children.map { $0 == nil } == [false, true, true])
    #expect(children[0]?.isRunning("load") == true)
    let left = EffectID("load").scoped(by: "always").scoped(by: "middle")
    #expect(store.isRunning(left))
    await store.shutdown(.cancelling)
  }

  @Test func `Whether there is a child of a child notifies, also if nothing else of that child was read (M5)`() {
    let told = Tally()
    withObservationTracking {
      #expect(middle.scope(\.sheet, action: Middle.sheet, scope: "sheet") != nil)
    } onChange: {
      told.increment()
    }
    middle.send(.close)
    #expect(told.value == 1)
  }

  @Test func `An id that is nil names no work (S1)`() async {
    let noID: String? = nil
    children[0]?.send(.load)
    #expect(children[0]?.isRunning(noID) == false)
    #expect(children[0]?.status(noID) == EffectStatus())
    #expect(children[0]?.isRunning(Optional("load")) == true)
    #expect(store.isRunning(noID) == false)
    #expect(store.status(noID) == EffectStatus())
    await store.shutdown(.cancelling)
  }
}

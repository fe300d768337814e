// This source file is part of swift-effects. License: Apache-2.0.

import Observation
import TestSupport
import Testing

@testable import EffectRuntime

private struct Row: Reducer {
  struct State: Equatable {
    var title = ""
    var count = 0
  }
  enum Action: Sendable { case titled(String), counted, load }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .titled(let title): state.title = title
    case .counted: state.count += 1
    case .load: return .run(id: "load", overlap: .restart) { send in try await send.sleep(for: .seconds(60)) }
    }
    return .none
  }
}

/// A parent of one child of each kind, which is in turn the sheet of another.
private struct App: Reducer {
  indirect enum Mode: Equatable { case off, on(Row.State) }
  struct State: Equatable {
    var first = Row.State()
    var sheet: Row.State?
    var rows: [Int: Row.State] = [:]
    var mode = Mode.off
    var tab = 0
  }
  enum Action: Sendable {
    case first(Row.Action), sheet(Row.Action), row(Int, Row.Action), on(Row.Action)
    case change(@Sendable (inout State) -> Void)
  }

  static let first = CasePath(
    embed: Action.first, extract: { if case .first(let action) = $0 { action } else { nil } })
  static let sheet = CasePath(
    embed: Action.sheet, extract: { if case .sheet(let action) = $0 { action } else { nil } })
  static let row = CasePath(
    embed: Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  static let on = CasePath(embed: Action.on, extract: { if case .on(let action) = $0 { action } else { nil } })
  static let isOn = CasePath(embed: Mode.on, extract: { if case .on(let row) = $0 { row } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let parent = CombineReducers {
      Scope(\State.first, action: Self.first) { Row() }
      Reduce<State, Action> { state, action in
        if case .change(let change) = action { change(&state) }
        return .none
      }
    }
    return parent.ifLet(\.sheet, action: Self.sheet) { Row() }.forEach(\.rows, action: Self.row) { Row() }
      .reduce(into: &state, action: action)
  }
}

/// Counts how often what was read notified.
@MainActor private final class Watch {
  private(set) var count = 0

  func track(_ read: () -> Void) {
    withObservationTracking(read) { [weak self] in
      MainActor.assumeIsolated { self?.count += 1 }
    }
  }
}

@MainActor @Suite struct `Child stores` {
  private let app = ObservableStore(
    initialState: App.State(sheet: .init(), rows: [1: .init(), 2: .init()]), reducer: App())

  private func change(_ change: @escaping @Sendable (inout App.State) -> Void) { app.send(.change(change)) }

  @Test func `What a child store sends is reduced when the call returns (L1)`() {
    app.scope(\.first, action: App.first).send(.titled("a"))
    #expect(app.first.title == "a")
    let sheet = app.scope(\.sheet, action: App.sheet)
    sheet?.send(.titled("b"))
    #expect(sheet?.title == "b")
    app.scope(\.rows, id: 2, action: App.row)?.send(.counted)
    #expect(app.rows == [1: .init(), 2: .init(title: "", count: 1)])
  }

  @Test func `Its work is its own (M1, S2)`() async {
    let (one, two) = (app.scope(\.rows, id: 1, action: App.row), app.scope(\.rows, id: 2, action: App.row))
    let watch = Watch()
    watch.track { _ = two?.isRunning("load") }
    one?.send(.load)
    #expect(one?.isRunning("load") == true)
    #expect(one?.status("load").running == 1)
    #expect(two?.isRunning("load") == false)
    #expect(!app.isRunning("load"))
    #expect(watch.count == 0)
    two?.send(.load)
    #expect(watch.count == 1)
    change { $0.rows[1] = nil }
    #expect(one?.isRunning("load") == false)
    #expect(two?.isRunning("load") == true)
    await app.shutdown(.cancelling)
  }

  @Test func `There is no child store where there is no child`() {
    #expect(app.scope(\.rows, id: 3, action: App.row) == nil)
    change { $0.sheet = nil }
    #expect(app.scope(\.sheet, action: App.sheet) == nil)
  }

  @Test func `A field of a child notifies when it changes, and nothing else does (M5)`() {
    let children: [(String, ObservableStore<Row.State, Row.Action>, @Sendable (inout App.State) -> Void)] = [
      ("first", app.scope(\.first, action: App.first), { state in state.first.count += 1 }),
      ("sheet", app.scope(\.sheet, action: App.sheet)!, { state in state.sheet?.count += 1 }),
      ("row", app.scope(\.rows, id: 1, action: App.row)!, { state in state.rows[1]?.count += 1 }),
    ]
    for (name, store, touch) in children {
      let watch = Watch()
      watch.track { _ = store.title }
      change(touch)
      change { $0.tab += 1 }
      change { $0.rows[2]?.title += "x" }
      #expect(watch.count == 0, "\(name)")
      store.send(.titled("new"))
      #expect(watch.count == 1, "\(name)")
      #expect(store.title == "new")
    }
  }

  @Test func `Whether there is a child notifies when that changes, and only then`() {
    let watch = Watch()
    watch.track { _ = app.scope(\.sheet, action: App.sheet) }
    change { $0.sheet?.count += 1 }
    #expect(watch.count == 0)
    change { $0.sheet = nil }
    #expect(watch.count == 1)
  }

  @Test func `A removed child notifies, and shows its last state`() {
    let sheet = app.scope(\.sheet, action: App.sheet)
    let watch = Watch()
    watch.track { _ = sheet?.title }
    change { $0.sheet = nil }
    #expect(watch.count == 1)
    #expect(sheet?.title == "")
  }

  @Test func `An observer that reads through a child store that is not kept is notified all the same`() {
    let watch = Watch()
    watch.track { _ = app.scope(\.first, action: App.first).title }
    app.send(.first(.titled("a")))
    #expect(watch.count == 1)
  }

  @Test func `A child in one case of the state comes and goes with the case`() {
    struct Host: Reducer {
      func reduce(into state: inout App.Mode, action: App.Action) -> Effect<App.Action> {
        Reduce<App.Mode, App.Action> { mode, action in
          if case .first = action { mode = mode == .off ? .on(.init()) : .off }
          return .none
        }
        .ifCase(App.isOn, action: App.on, scope: "on") { Row() }
        .reduce(into: &state, action: action)
      }
    }
    let host = ObservableStore(initialState: App.Mode.off, reducer: Host())
    let watch = Watch()
    watch.track { #expect(host.scope(App.isOn, action: App.on, scope: "on") == nil) }
    host.send(.first(.counted))
    #expect(watch.count == 1)
    let row = host.scope(App.isOn, action: App.on, scope: "on")
    row?.send(.load)
    #expect(row?.isRunning("load") == true)
    row?.send(.titled("a"))
    #expect(row?.title == "a")
    host.send(.first(.counted))
    #expect(row?.isRunning("load") == false)
  }

  @Test func `Children of children work as deep as features do (M1)`() async {
    struct Window: Reducer {
      struct State: Equatable { var app: App.State? = App.State(rows: [7: .init()]) }
      enum Action: Sendable { case app(App.Action), quit }
      static let app = CasePath(embed: Action.app, extract: { if case .app(let action) = $0 { action } else { nil } })
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        Reduce<State, Action> { state, action in
          if case .quit = action { state.app = nil }
          return .none
        }
        .ifLet(\.app, action: Self.app) { App() }.reduce(into: &state, action: action)
      }
    }
    let window = ObservableStore(initialState: Window.State(), reducer: Window())
    let row = window.scope(\.app, action: Window.app)?.scope(\.rows, id: 7, action: App.row)
    let watch = Watch()
    watch.track { _ = row?.title }
    window.send(.app(.row(7, .counted)))
    #expect(watch.count == 0)
    row?.send(.titled("deep"))
    #expect(watch.count == 1)
    #expect(row?.title == "deep")
    row?.send(.load)
    #expect(row?.isRunning("load") == true)
    watch.track { _ = row?.count }
    window.send(.quit)
    #expect(watch.count == 2)
    #expect(row?.isRunning("load") == false)
  }

  @Test func `A hundred thousand child stores made, observed and dropped leave nothing`() async {
    // Under the thread sanitizer each takes many times as long.
    #if TSAN
      let stores = 5_000
    #else
      let stores = 100_000
    #endif
    change { state in
      state.rows = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, Row.State()) })
    }
    let before = app.node.fields.count
    let watch = Watch()
    var weakly: [() -> Bool] = []
    for number in 0..<stores {
      let row = app.scope(\.rows, id: number % 1_000, action: App.row)
      watch.track { _ = (row?.title, row?.isRunning("load")) }
      guard number % 500 == 0 else { continue }
      weakly.append { [weak row] in row == nil }
      // Other tests need the main actor too.
      await Task.yield()
      // What is observed through released stores is kept for its observers: once for each row and field.
      #expect(app.node.fields.count <= 2_000)
      #expect(app.node.fields.seenCount <= 3_000)
      #expect(app.node.fields.storeCount <= 3_000)
    }
    #expect(weakly.allSatisfy { $0() })
    change { $0.tab += 1 }
    #expect(watch.count == 0)
    change { $0.rows = [:] }
    #expect(watch.count == stores)
    #expect(app.node.fields.count == before)
  }
}

@Suite struct `State in place` {
  private struct Mixed {
    let small: UInt8
    let text: String
  }

  @Test func `A core begins with the state, whatever that is`() {
    #expect(MemoryLayout<Core<Reduce<UInt8, Int>>>.offset(of: \.engine.state) == 0)
    #expect(MemoryLayout<Core<Reduce<String?, Int>>>.offset(of: \.engine.state) == 0)
    #expect(MemoryLayout<Core<Reduce<Mixed, Int>>>.offset(of: \.engine.state) == 0)
    #expect(MemoryLayout<Core<Reduce<[Int: Mixed], Int>>>.offset(of: \.engine.state) == 0)
  }
}

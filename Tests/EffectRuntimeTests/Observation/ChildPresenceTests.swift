// This source file is part of swift-effects. License: Apache-2.0.

import Observation
import TestSupport
import Testing

@testable import EffectRuntime

private struct Part: Reducer {
  struct State: Equatable {
    var title = "first"
    var count = 0
    var items = [1, 2, 3]
  }
  enum Action: Sendable { case titled(String), counted, appended, load }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .titled(let title): state.title = title
    case .counted: state.count += 1
    case .appended: state.items.append(0)
    case .load: return .run(id: "load", overlap: .restart) { send in try await send.sleep(for: .seconds(60)) }
    }
    return .none
  }
}

/// A parent of a child of each kind; its rows work under their own ids, as with plain delegation.
private struct Whole: Reducer {
  enum Mode: Equatable { case off, text(Part.State), number(Int) }
  struct State: Equatable {
    var always = Part.State()
    var sheet: Part.State? = Part.State()
    var rows: [Int: Part.State] = [1: .init()]
    var mode = Mode.off
    var selected: Int?
    /// Makes sense while a row is selected, and only then.
    var selection: Part.State { rows[selected!]! }
  }
  enum Action: Sendable {
    case always(Part.Action), sheet(Part.Action), row(Int, Part.Action), mode(Part.Action)
    case change(@Sendable (inout State) -> Void)
  }

  static let always = CasePath(
    embed: Action.always, extract: { if case .always(let action) = $0 { action } else { nil } })
  static let sheet = CasePath(
    embed: Action.sheet, extract: { if case .sheet(let action) = $0 { action } else { nil } })
  static let row = CasePath(
    embed: Action.row, extract: { if case .row(let id, let action) = $0 { (id, action) } else { nil } })
  static let mode = CasePath(embed: Action.mode, extract: { if case .mode(let action) = $0 { action } else { nil } })
  static let text = CasePath<State, Part.State>(
    embed: { State(mode: .text($0)) }, extract: { if case .text(let part) = $0.mode { part } else { nil } })
  static let number = CasePath<State, Int>(
    embed: { State(mode: .number($0)) }, extract: { if case .number(let number) = $0.mode { number } else { nil } })

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .always(let action): return Part().reduce(into: &state.always, action: action).scoped("always", Action.always)
    case .sheet(let action): return Part().reduce(into: &state.sheet, action: action).scoped("sheet", Action.sheet)
    case .row(let id, let action):
      return Part().reduce(into: &state.rows[id], action: action).scoped(id) { .row(id, $0) }
    case .mode: return .none
    case .change(let change):
      change(&state)
      return .none
    }
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

/// Where the elements of an array lie.
private func address(of items: [Int]) -> UInt {
  unsafe items.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
}

@MainActor @Suite struct `Children that come and go` {
  private let store: Store<Whole>
  private let app: ObservableStore<Whole.State, Whole.Action>

  init() {
    store = Store(initialState: Whole.State(), reducer: Whole(), isolation: MainActor.shared)
    app = ObservableStore(store)
  }

  private func change(_ change: @escaping @Sendable (inout Whole.State) -> Void) { app.send(.change(change)) }

  /// How many changes of the child, made by its own actions, copied its collection.
  private func copies(among changes: Int, _ append: () -> Void, _ items: () -> [UInt]) -> Int {
    var count = 0
    for _ in 0..<changes {
      let before = items()
      append()
      if items() != before { count += 1 }
    }
    return count
  }

  /// Room for all that the tests append, so that an array moves only if it is copied.
  private func reserve() {
    change { state in
      state.always.items.reserveCapacity(2_000)
      state.sheet?.items.reserveCapacity(2_000)
      state.rows[1]?.items.reserveCapacity(2_000)
    }
  }

  @Test func `A child store that is kept of a child that is always there makes no change copy the child (M5)`() {
    reserve()
    let child = app.scope(\.always, action: Whole.always)
    let copied = copies(among: 1_000, { app.send(.always(.appended)) }, { [address(of: present.always.items)] })
    #expect(copied == 0)
    #expect(child.title == "first")
  }

  @Test func `However many stores of an optional child are made while it is shown, it is copied once (M5)`() {
    reserve()
    var (sheet, row) = (app.scope(\.sheet, action: Whole.sheet), app.scope(\.rows, id: 1, action: Whole.row))
    let copied = copies(
      among: 1_000,
      {
        app.send(.sheet(.appended))
        app.send(.row(1, .appended))
        // Like views when they are evaluated again.
        sheet = app.scope(\.sheet, action: Whole.sheet)
        row = app.scope(\.rows, id: 1, action: Whole.row)
      }, { [address(of: present.sheet!.items), address(of: present.rows[1]!.items)] })
    #expect(copied == 1)
    #expect(sheet?.title == "first" && row?.title == "first")
  }

  /// The state itself, and not a kept copy of it.
  private var present: Whole.State { store.assumeIsolated { Probe(state: $0.state) }.state }

  // SAFETY: made and taken apart on the main actor.
  private struct Probe: @unchecked Sendable { let state: Whole.State }

  @Test func `A removed child shows its last state (M5)`() {
    let children: [(ObservableStore<Part.State, Part.Action>, @Sendable (inout Whole.State) -> Void)] = [
      (app.scope(\.sheet, action: Whole.sheet)!, { state in state.sheet = nil }),
      (app.scope(\.rows, id: 1, action: Whole.row)!, { state in state.rows[1] = nil }),
    ]
    for (child, remove) in children {
      #expect(child.title == "first")
      child.send(.titled("second"))
      #expect(child.count == 0)
      child.send(.counted)
      change(remove)
      #expect(child.title == "second")
      #expect(child.count == 1)
      #expect(child.items == [1, 2, 3])
    }
  }

  @Test func `A removed child that was never read shows the state after its own last actions`() {
    let sheet = app.scope(\.sheet, action: Whole.sheet)!
    sheet.send(.titled("second"))
    change { $0.sheet = nil }
    #expect(sheet.title == "second")
  }

  @Test func `A removed child does not notify again until it is back, and then only if it differs (M5)`() {
    let children:
      [(
        ObservableStore<Part.State, Part.Action>, @Sendable (inout Whole.State) -> Void,
        @Sendable (inout Whole.State) -> Void
      )] = [
        (
          app.scope(\.sheet, action: Whole.sheet)!, { state in state.sheet = nil },
          { state in state.sheet = .init(title: "back") }
        ),
        (
          app.scope(\.rows, id: 1, action: Whole.row)!, { state in state.rows[1] = nil },
          { state in state.rows[1] = .init(title: "back") }
        ),
      ]
    for (child, remove, bringBack) in children {
      let (title, count) = (Watch(), Watch())
      title.track { _ = child.title }
      change(remove)
      #expect(title.count == 1)
      title.track { _ = child.title }
      count.track { _ = child.count }
      for _ in 0..<3 { change { $0.always.count += 1 } }
      #expect((title.count, count.count) == (1, 0))
      change(bringBack)
      #expect((title.count, count.count) == (2, 0))
      #expect(child.title == "back")
    }
  }

  @Test func `A reader of a row that does not exist is notified when the row comes, and only then (M5)`() {
    let watch = Watch()
    watch.track { #expect(app.scope(\.rows, id: 7, action: Whole.row) == nil) }
    change { $0.rows[8] = .init() }
    change { $0.rows[1]?.count += 1 }
    #expect(watch.count == 0)
    change { $0.rows[7] = .init() }
    #expect(watch.count == 1)
  }

  @Test func `A reader of a row that exists is notified when it is removed, also if nothing of it was read (M5)`() {
    let watch = Watch()
    watch.track { #expect(app.scope(\.rows, id: 1, action: Whole.row) != nil) }
    let row = app.scope(\.rows, id: 1, action: Whole.row)
    let kept = Watch()
    kept.track { _ = app.scope(\.rows, id: 1, action: Whole.row).map { _ in row } }
    change { $0.rows[1] = nil }
    #expect(watch.count == 1)
    #expect(kept.count == 1)
  }

  @Test func `A computed child is evaluated by its readers, and by no other code (M5)`() {
    change { $0.selected = 1 }
    let selection = app.scope(\.selection, action: Whole.always)
    let watch = Watch()
    watch.track { _ = selection.title }
    // The store would trap if it evaluated the child.
    change { $0.selected = nil }
    #expect(watch.count == 1)
  }

  @Test func `Two cases under one scope are two children (M5)`() {
    let watch = Watch()
    watch.track {
      #expect(app.scope(Whole.text, action: Whole.mode, scope: "mode") == nil)
      #expect(app.scope(Whole.number, action: Whole.mode, scope: "mode") == nil)
    }
    change { $0.mode = .number(1) }
    #expect(watch.count == 1)
  }

  @Test func `Work that is delegated in plain Swift is found by the word it is scoped with (M1)`() async {
    let children: [ObservableStore<Part.State, Part.Action>?] = [
      app.scope(\.always, action: Whole.always, scope: "always"),
      app.scope(\.sheet, action: Whole.sheet, scope: "sheet"),
      app.scope(\.rows, id: 1, action: Whole.row, scope: 1),
    ]
    for (number, child) in children.enumerated() {
      child?.send(.load)
      #expect(children.map { $0?.isRunning("load") } == (0..<3).map { $0 <= number })
    }
    // The key path is the name of the work of combinators, and there is no such work here.
    #expect(app.scope(\.rows, id: 1, action: Whole.row)?.isRunning("load") == false)
    await app.shutdown(.cancelling)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Tests/Failures.md; `MistakesTests.swift` compares the two.

import EffectTesting
import Testing

// listing: feature
struct Notebook: Reducer {
  struct Note: Equatable, Sendable { let id: Int; var text: String }
  struct State: Equatable { var query = ""; var found: [String] = []; var notes: [Note] = []; var isSaved = false }
  enum Action: Equatable, Sendable {
    case typed(String), found([String])
    case renamed(Int, String), saveTapped, saved, leaveTapped
    case importTapped, imported(Int)
  }

  var find: @Sendable (String) async throws -> [String] = { [$0.uppercased()] }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .typed(let query):
      state.query = query
      return .run(id: "find", overlap: .restart, input: query) { [find] query, send in
        send(.found(try await find(query)))
      }
      .debounce(for: .milliseconds(300))
    case .found(let texts): state.found = texts
    case .renamed(let id, let text):
      for index in state.notes.indices where state.notes[index].id == id { state.notes[index].text = text }
    case .saveTapped:
      return .run(id: "save", overlap: .drop) { send in
        try await send.sleep(for: .seconds(1))
        send(.saved)
      }
    case .saved: state.isSaved = true
    case .leaveTapped: return .cancel(id: "svae")
    case .importTapped:
      return .run { send in
        for number in 1...2 { send(.imported(number)) }
      }
    case .imported(let number): state.notes.append(Note(id: number, text: ""))
    }
    return .none
  }
}
// end

enum MistakesListing {
  struct Offline: Error {}

  struct Mistake: Sendable {
    let name: String
    let wrong: @Sendable () async -> Void
    let right: @Sendable () async -> Void
  }

  static let all = [
    Mistake(name: "closure", wrong: closureWrong, right: closureRight),
    Mistake(name: "value", wrong: valueWrong, right: valueRight),
    Mistake(name: "unreceived", wrong: unreceivedWrong, right: unreceivedRight),
    Mistake(name: "order", wrong: orderWrong, right: orderRight),
    Mistake(name: "twice", wrong: twiceWrong, right: twiceRight),
    Mistake(name: "too-little-time", wrong: tooLittleWrong, right: tooLittleRight),
    Mistake(name: "in-flight", wrong: inFlightWrong, right: inFlightRight),
    Mistake(name: "error", wrong: errorWrong, right: errorRight),
    Mistake(name: "misspelt", wrong: misspeltWrong, right: misspeltRight),
    Mistake(name: "dropped", wrong: droppedWrong, right: droppedRight),
  ]

  static func closureWrong() async {
    let store = TestStore(initialState: Notebook.State(notes: [.init(id: 1, text: "milk")]), reducer: Notebook())
    // listing: closure-wrong
    store.send(.renamed(1, "bread"))
    // end
    await store.finish()
  }

  static func closureRight() async {
    let store = TestStore(initialState: Notebook.State(notes: [.init(id: 1, text: "milk")]), reducer: Notebook())
    // listing: closure-right
    store.send(.renamed(1, "bread")) { $0.notes[0].text = "bread" }
    // end
    await store.finish()
  }

  static func valueWrong() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: value-wrong
    store.send(.saved) { $0.query = "saved" }
    // end
    await store.finish()
  }

  static func valueRight() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: value-right
    store.send(.saved) { $0.isSaved = true }
    // end
    await store.finish()
  }

  static func unreceivedWrong() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: unreceived-wrong
    store.send(.importTapped)
    store.send(.saved) { $0.isSaved = true }
    // end
    await store.finish()
  }

  static func unreceivedRight() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: unreceived-right
    store.send(.importTapped)
    await store.receive(.imported(1)) { $0.notes = [.init(id: 1, text: "")] }
    await store.receive(.imported(2)) { $0.notes = [.init(id: 1, text: ""), .init(id: 2, text: "")] }
    store.send(.saved) { $0.isSaved = true }
    // end
    await store.finish()
  }

  static func orderWrong() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: order-wrong
    store.send(.importTapped)
    await store.receive(.imported(2)) { $0.notes.append(.init(id: 2, text: "")) }
    await store.receive(.imported(1)) { $0.notes.append(.init(id: 1, text: "")) }
    // end
    await store.finish()
  }

  static func orderRight() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: order-right
    store.send(.importTapped)
    await store.receive(.imported(1)) { $0.notes = [.init(id: 1, text: "")] }
    await store.receive(.imported(2)) { $0.notes.append(.init(id: 2, text: "")) }
    // end
    await store.finish()
  }

  static func twiceWrong() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: twice-wrong
    store.send(.saveTapped)
    store.send(.saveTapped)
    store.advance(by: .seconds(1))
    await store.receive(.saved) { $0.isSaved = true }
    await store.receive(.saved)
    // end
    await store.finish()
  }

  static func twiceRight() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: twice-right
    store.send(.saveTapped)
    store.send(.saveTapped)
    store.advance(by: .seconds(1))
    await store.receive(.saved) { $0.isSaved = true }
    // end
    await store.finish()
  }

  static func tooLittleWrong() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: too-little-time-wrong
    store.send(.typed("swift")) { $0.query = "swift" }
    store.advance(by: .milliseconds(200))
    await store.receive(.found(["SWIFT"])) { $0.found = ["SWIFT"] }
    // end
    await store.finish()
  }

  static func tooLittleRight() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: too-little-time-right
    store.send(.typed("swift")) { $0.query = "swift" }
    store.advance(by: .milliseconds(200))
    store.advance(by: .milliseconds(100))
    await store.receive(.found(["SWIFT"])) { $0.found = ["SWIFT"] }
    // end
    await store.finish()
  }

  static func inFlightWrong() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: in-flight-wrong
    store.send(.saveTapped)
    await store.finish()
    // end
  }

  static func inFlightRight() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: in-flight-right
    store.send(.saveTapped)
    store.advance(by: .seconds(1))
    await store.receive(.saved) { $0.isSaved = true }
    await store.finish()
    // end
  }

  static func errorWrong() async {
    // listing: error-wrong
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook(find: { _ in throw Offline() }))
    store.send(.typed("swift")) { $0.query = "swift" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found([]))
    // end
    await store.finish()
  }

  static func errorRight() async {
    // listing: error-right
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook(find: { _ in [] }))
    store.send(.typed("swift")) { $0.query = "swift" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found([]))
    // end
    await store.finish()
  }

  static func misspeltWrong() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: misspelt-wrong
    store.send(.saveTapped)
    store.send(.leaveTapped)
    await store.finish()
    // end
  }

  static func misspeltRight() async {
    let store = TestStore(
      initialState: Notebook.State(),
      reducer: Reduce<Notebook.State, Notebook.Action> { state, action in
        // listing: misspelt-right
        action == .leaveTapped ? .cancel(id: "save") : Notebook().reduce(into: &state, action: action)
        // end
      })
    store.send(.saveTapped)
    store.send(.leaveTapped)
    await store.finish()
  }

  static func droppedWrong() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: dropped-wrong
    store.send(.typed("s")) { $0.query = "s" }
    store.send(.typed("swift")) { $0.query = "swift" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found(["S"])) { $0.found = ["S"] }
    await store.receive(.found(["SWIFT"])) { $0.found = ["SWIFT"] }
    // end
    await store.finish()
  }

  static func droppedRight() async {
    let store = TestStore(initialState: Notebook.State(), reducer: Notebook())
    // listing: dropped-right
    store.send(.typed("s")) { $0.query = "s" }
    store.send(.typed("swift")) { $0.query = "swift" }
    store.advance(by: .milliseconds(300))
    await store.receive(.found(["SWIFT"])) { $0.found = ["SWIFT"] }
    // end
    await store.finish()
  }
}

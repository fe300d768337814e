// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

private struct Settings: Reducer {
  struct State: Equatable, Sendable {
    var name = ""
    var limit: Int? = 3
    var tags = ["a", "b"]
  }
  enum Action: FieldAction, Equatable { case field(FieldChange<State>), suggest, suggested }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .field(let change):
      if let name = change.value(of: \.name) { state.name = name.lowercased() } else { change.apply(to: &state) }
    case .suggest: return .run { send in send(.field(\.name, "A")) }
    case .suggested: break
    }
    return .none
  }
}

@Suite struct `Actions of fields` {
  private typealias Change = FieldChange<Settings.State>

  @Test func `Two changes are equal if they set the same field to equal values`() {
    #expect(Change(\.name, "a") == Change(\.name, "a"))
    #expect(Change(\.name, "a") != Change(\.name, "b"))
    #expect(Change(\.limit, nil) == Change(\.limit, nil))
    #expect(Change(\.limit, 1) != Change(\.limit, nil))
    #expect(Change(\.tags, ["a"]) != Change(\.name, "a"))
    #expect(Settings.Action.field(\.name, "a") == .field(Change(\.name, "a")))
  }

  @Test func `A change knows its field and its value`() {
    #expect(Change(\.name, "a").value(of: \.name) == "a")
    #expect(Change(\.name, "a").value(of: \.limit) == nil)
    #expect("\(Change(\.name, "a"))" == #"\State.name = "a""#)
    var state = Settings.State()
    Change(\.limit, nil).apply(to: &state)
    Change(\.tags[1], "c").apply(to: &state)
    #expect(state == Settings.State(limit: nil, tags: ["a", "c"]))
  }

  @Test func `A test sends and receives them like other actions`() async {
    let store = TestStore(initialState: Settings.State(), reducer: Settings())
    store.send(.field(\.limit, 5)) { $0.limit = 5 }
    store.send(.suggest)
    await store.receive(.field(\.name, "A")) { $0.name = "a" }
    await store.finish()
  }
}

@Suite struct `A change of a field of a field` {
  private struct City: Equatable, Sendable { var name = ""; var isPort = false }
  private struct Address: Equatable, Sendable {
    var street = "", city = City(), floor: Int?
    var line: String { "\(street), \(city.name)" }
  }
  private struct State: Sendable {
    var name = "", address = Address(), other = Address(), second: Address?, size = (width: 1, height: 2),
      none: Void = ()
  }
  private typealias Change = FieldChange<State>

  private let address = Address(street: "a", city: City(name: "b", isPort: true), floor: 3)

  @Test func `A change of the outer field has the values of all stored fields inside of it, at any depth`() {
    let change = Change(\.address, address)
    #expect(change.value(of: \.address) == address)
    #expect(change.value(of: \.address.street) == "a")
    #expect(change.value(of: \.address.city) == address.city)
    #expect(change.value(of: \.address.city.name) == "b")
    #expect(change.value(of: \.address.city.isPort) == true)
    #expect(change.value(of: \.address.floor) == .some(3))
    #expect(change.value(of: \.address.city)?.name == "b")
  }

  @Test func `It has none of another field, of a part that is not stored, or of what is around it`() {
    let change = Change(\.address, address)
    #expect(change.value(of: \.other.city.name) == nil)
    #expect(change.value(of: \.name) == nil)
    #expect(change.value(of: \.second?.city.name) == nil)
    #expect(change.value(of: \.address.line) == nil)
    #expect(change.value(of: \.size.height) == nil)
    #expect(Change(\.address.city.name, "c").value(of: \.address.city) == nil)
    #expect(Change(\.address.city.name, "c").value(of: \.address) == nil)
    #expect(Change(\.address.city.name, "c").value(of: \.address.city.name) == "c")
    #expect(Change(\.second, address).value(of: \.second)??.city.name == "b")
  }
}

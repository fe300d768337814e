// This source file is part of swift-effects. License: Apache-2.0.

import Observation
import TestSupport
import Testing

@testable import EffectRuntime

// SAFETY: used on the main actor only.
private final class Object: Hashable, @unchecked Sendable {
  var number = 0
  static func == (left: Object, right: Object) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Compares as its number, whatever the object's content is.
private struct Labelled: Equatable, @unchecked Sendable {
  var number = 0
  var object = Object()
  static func == (left: Labelled, right: Labelled) -> Bool { left.number == right.number }
}

private struct Holder: @unchecked Sendable {
  var object = Object()
  var optional: Object? = Object()
  var list = [Object()]
  var lists: [[Object]?] = [[Object()]]
  var set: Set<Object> = [Object()]
  var values = ["a": Object()]
  var keys = [Object(): "a"]
  var erased = AnyHashable(Object())
  var erasedList = AnyHashable([Object()])
  var erasedOptionals = AnyHashable(["a": Object() as Object?])
  var labelled = Labelled()
  var numbers: [Int]? = [1]
  var erasedNumber = AnyHashable(1)
  var erasedNumbers = AnyHashable([1])
}

private enum Act: Sendable { case change, nothing }

@MainActor @Suite struct `Fields that hold objects` {
  private let store = ObservableStore(
    initialState: Holder(),
    reducer: Reduce<Holder, Act> { state, action in
      guard action == .change else { return .none }
      state.object.number += 1
      state.optional?.number += 1
      state.list[0].number += 1
      state.labelled.object.number += 1
      return .none
    })

  private func count<Value>(_ path: KeyPath<Holder, Value>) -> Int {
    let told = Tally()
    withObservationTracking {
      _ = store[dynamicMember: path]
    } onChange: {
      told.increment()
    }
    store.send(.change)
    store.send(.change)
    return told.value
  }

  @Test func `An object, an optional one and collections of objects notify alike, whenever the state was reduced (M5)`()
  {
    #expect(count(\.object) == 1)
    #expect(count(\.optional) == 1)
    #expect(count(\.list) == 1)
    #expect(count(\.lists) == 1)
    #expect(count(\.set) == 1)
    #expect(count(\.values) == 1)
    #expect(count(\.keys) == 1)
    #expect(count(\.erased) == 1)
    #expect(count(\.erasedList) == 1)
    #expect(count(\.erasedOptionals) == 1)
  }

  @Test func `Values that hold no object, and your own types, are compared by their == (M5)`() {
    #expect(count(\.labelled) == 0)
    #expect(count(\.numbers) == 0)
    #expect(count(\.erasedNumber) == 0)
    #expect(count(\.erasedNumbers) == 0)
  }
}

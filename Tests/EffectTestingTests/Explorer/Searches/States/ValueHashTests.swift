// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// What a search of states takes for the contents of a value.
@Suite struct ValueHashTests {
  private struct Hiding: CustomReflectable {
    var hidden = 0
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  private struct Plain {
    var number: Int?
    var rows: [Hashed] = []
  }

  private struct Hashed: Hashable { var text = "" }

  @Test func `A type that makes its own mirror may hide parts, which counts as memory that cannot be seen`() {
    var (values, hasher) = (ValueHash(), Hasher())
    values.add([Plain(number: 1, rows: [Hashed(text: "a")])], to: &hasher)
    #expect(!values.hasMetObjects)
    values.add([Hiding(hidden: 1)], to: &hasher)
    #expect(values.hasMetObjects)
  }

  private enum Loadable<Value> {
    case idle
    case loaded(Value)
  }

  private static func reset<Value>(_ loadable: inout Loadable<Value>) { loadable = .idle }

  private func hash(_ value: Any) -> Int {
    var (values, hasher) = (ValueHash(), Hasher())
    values.add(value, to: &hasher)
    #expect(!values.hasMetObjects)
    return hasher.finalize()
  }

  @Test func `Cases without a payload differ, whatever their type says of itself`() {
    enum Described: CustomStringConvertible {
      case first, second
      case other(String)

      var description: String { "described" }
    }
    enum Hashed: Hashable {
      case first, second

      static func == (left: Hashed, right: Hashed) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
    }
    var former = Described.other("long enough for memory of its own")
    former = .first
    #expect(hash(former) == hash(Described.first))
    #expect(hash(Described.first) != hash(Described.second))
    #expect(hash(Hashed.first) != hash(Hashed.second))
    // Generic code does not write all bytes of such a case.
    var text = Loadable.loaded("long enough for memory of its own")
    Self.reset(&text)
    #expect(hash(text) == hash(Loadable<String>.idle))
  }

  @Test func `The order belongs to a dictionary that is ordered, and to no other`() {
    struct Ordered: CustomReflectable {
      var pairs: [(key: Int, value: Plain)]

      var customMirror: Mirror { Mirror(self, unlabeledChildren: pairs, displayStyle: .dictionary) }
    }
    let (one, two) = (Plain(number: 1), Plain(number: 2))
    #expect(hash(Ordered(pairs: [(1, one), (2, two)])) != hash(Ordered(pairs: [(2, two), (1, one)])))
    var (first, second) = ([1: one], [2: two])
    (first[2], second[1]) = (two, one)
    #expect(hash(first) == hash(second))
  }

  @Test func `A value without a type is read as what it is`() {
    final class Object: Hashable {
      static func == (left: Object, right: Object) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
    }
    var (values, hasher) = (ValueHash(), Hasher())
    values.add(AnyHashable(Object()), to: &hasher)
    #expect(values.hasMetObjects)
    #expect(hash(AnyHashable(Hashed(text: "a"))) != hash(AnyHashable(Hashed(text: "b"))))
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectCore

private struct Hidden: Hashable, Sendable { var number = 1 }
private enum Choice: Hashable, Sendable { case one(Hidden), two }
private struct Box<Content: Hashable & Sendable>: Hashable, Sendable { var content: Content }
private final class Model: Hashable, Sendable {
  static func == (left: Model, right: Model) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Texts are the same in each process: they contain no address of a type, an object or a getter.
@Suite struct StableTextTests {
  private struct Local: Hashable, Sendable { var hidden = Hidden() }

  @Test func `Ids of private and local types have no addresses, at any depth (M1)`() {
    struct Inner: Hashable, Sendable { var number = 2 }
    #expect("\(EffectID(Hidden()))" == "Hidden(number: 1)")
    #expect("\(EffectID(Inner()))" == "Inner(number: 2)")
    #expect("\(EffectID(Choice.one(Hidden())))" == "one(EffectCoreTests.Hidden(number: 1))")
    #expect("\(EffectID(Choice.two))" == "two")
    #expect("\(EffectID([Inner()]))" == "[EffectCoreTests.StableTextTests.Inner(number: 2)]")
    #expect("\(EffectID(["a": Inner()]))" == #"["a": EffectCoreTests.StableTextTests.Inner(number: 2)]"#)
    #expect(
      "\(EffectID(Box(content: Box(content: Inner()))))"
        == "Box<Box<Inner>>(content: EffectCoreTests.Box<EffectCoreTests.StableTextTests.Inner>(content: EffectCoreTests.StableTextTests.Inner(number: 2)))"
    )
    #expect("\(EffectID(Model()))" == "EffectCoreTests.Model")
    #expect(
      "\(EffectID(Local()).scoped(by: EffectID(Choice.one(Hidden()))))"
        == "one(EffectCoreTests.Hidden(number: 1))/Local(hidden: EffectCoreTests.Hidden(number: 1))")
  }

  @Test func `Ids of types have no addresses`() {
    struct Inner {}
    #expect("\(EffectID(type: Inner.self))" == "Inner")
    #expect("\(EffectID(type: Box<Hidden>.self))" == "Box<Hidden>")
    #expect("\(EffectID(type: Result<[Hidden], Never>.self))" == "Result<Array<Hidden>, Never>")
    #expect(
      "\(EffectID(type: (Hidden, Int).self))" == "(EffectCoreTests.Hidden, Int)"
        || "\(EffectID(type: (Hidden, Int).self))" == "(Hidden, Int)")
    #expect("\(Effect<Int>.cancel(.all(of: Hidden.self)))".contains("unknown context") == false)
  }

  @Test func `Ids of identities and of key paths have no addresses`() {
    #expect("\(EffectID(ObjectIdentifier(Hidden.self)))" == "ObjectIdentifier")
    #expect(
      "\(EffectID(Box(content: ObjectIdentifier(Hidden.self))))" == "Box<ObjectIdentifier>(content: ObjectIdentifier)")
    #expect("\(EffectID(\[Int].count))" == #"\Array<Int>.<computed (Int)>"#)
    #expect("\(EffectID(\Hidden.number))" == #"\Hidden.number"#)
  }

  @Test func `Inputs, actions and errors have no addresses`() {
    struct Inner: Hashable, Sendable { var choice = Choice.one(Hidden()) }
    let text = "Inner(choice: EffectCoreTests.Choice.one(EffectCoreTests.Hidden(number: 1)))"
    #expect("\(Effect<Int>.run(input: Inner()) { _, _ in }.runs[0])" == "run(input: \(text))")
    #expect("\(Effect<Inner>.send(Inner()))" == "send(\(text))")
    struct Failed: Error { var inner = Inner() }
    #expect(ValueDescription.of(Failed()) == "Failed(inner: EffectCoreTests.StableTextTests.\(text))")
    #expect(ValueDescription.of({ 1 } as @Sendable () -> Int) == "(Function)")
  }

  @Test func `Two equal sets or dictionaries have one text, at any depth (V1)`() {
    struct Order: Hashable, Sendable {
      var items: [String: Int]
      var tags: Set<Int>
    }
    enum Choice: Hashable, Sendable { case order(Order), none }
    // The capacity decides in which order the members are printed.
    func members(capacity: Int) -> Set<Int> {
      var members = Set<Int>(minimumCapacity: capacity)
      for number in 0..<20 { members.insert(number) }
      return members
    }
    func order(capacity: Int) -> Order {
      var items = [String: Int](minimumCapacity: capacity)
      for number in 0..<20 { items["item \(number)"] = number }
      return Order(items: items, tags: members(capacity: capacity))
    }
    let (first, second) = (order(capacity: 0), order(capacity: 1_000))
    #expect(first == second && "\(first)" != "\(second)")
    func agree<Value>(_ value: (Order) -> Value) {
      #expect(ValueDescription.of(value(first)) == ValueDescription.of(value(second)))
    }
    agree { $0 }
    agree { $0.tags }
    agree { [$0] }
    agree { ($0.tags, number: 1) }
    agree { Choice.order($0) }
    agree { Optional.some($0) }
    #expect(ValueDescription.of(Set([2, 1])) == "[1, 2]")
    #expect(ValueDescription.of(["b": Set([2, 1]), "a": []]) == #"["a": [], "b": [1, 2]]"#)
    let choice = Choice.order(Order(items: ["b": 2, "a": 1], tags: []))
    #expect(ValueDescription.of(choice) == #"order(Order(items: ["a": 1, "b": 2], tags: []))"#)
    #expect(ValueDescription.of((Set([2, 1]), name: "a")) == #"([1, 2], name: "a")"#)
  }

  @Test func `A text that only looks like an address stays as it is`() {
    for text in [
      "(unknown context", "(unknown context at ", "(unknown context at $12", "(unknown context at $12)",
      "(unknown context at $xyz).A", "<computed 0x", "<computed 0x12", "ObjectIdentifier(0x12", "ObjectIdentifier(12)",
      "0x0000000012345678", "(", "<", "O", "",
    ] { #expect(ValueDescription.withoutAddresses(text) == text) }
    #expect(ValueDescription.of("(unknown context at $12).A") == #""(unknown context at $12).A""#)
    #expect(ValueDescription.withoutAddresses("ä (unknown context at $12).(unknown context at $af).Ö") == "ä Ö")
  }
}

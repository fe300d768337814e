// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

/// Values that refer to themselves, are huge, or hide their parts.
@Suite struct `The difference of difficult values` {
  private final class Node {
    var name: String
    var next: Node?

    init(_ name: String, _ next: Node? = nil) {
      self.name = name
      self.next = next
    }
  }

  private class Base {
    var number = 0
  }

  private final class Derived: Base {
    var name = ""
  }

  /// The test sets `next` of the first node to `nil` at its end, or the nodes keep each other.
  private func ring(_ names: String...) -> Node {
    let nodes = names.map { Node($0) }
    for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % nodes.count] }
    return nodes[0]
  }

  @Test func `Objects in a cycle are compared once`() {
    let (two, three, other) = (ring("a", "b"), ring("a", "b", "c"), ring("a", "x", "c"))
    defer { for node in [two, three, other] { node.next = nil } }
    #expect(StateDifference(from: three, to: other).lines == ["next.name:", #"  - "b""#, #"  + "x""#])
    // Of different lengths: every pair of them is met.
    #expect(StateDifference(from: two, to: three).description.contains("next.next.name:"))
  }

  @Test func `An object is the same as itself, and properties of superclasses are compared`() {
    let node = ring("a")
    defer { node.next = nil }
    #expect(StateDifference(from: node, to: node).isEmpty)
    let (old, new) = (Derived(), Derived())
    new.number = 1
    #expect(StateDifference(from: old, to: new).lines == ["number:", "  - 0", "  + 1"])
    #expect(StateDifference(from: Derived(), to: Derived()).lines.last?.hasSuffix("(another instance)") == true)
  }

  @Test func `A long chain of objects ends at a limit of depth`() {
    func chain(_ last: String) -> Node { (0..<5_000).reduce(Node(last)) { rest, index in Node("\(index)", rest) } }
    let (old, new) = (chain("x"), chain("y"))
    let lines = StateDifference(from: old, to: new).lines
    #expect(lines.count < 10)
    for node in [old, new] {
      // Released one after another, because a recursive release of so many needs a large stack.
      var next = node.next
      node.next = nil
      while let current = next {
        next = current.next
        current.next = nil
      }
    }
  }

  @Test func `Cases nested in cases end at the limit of depth`() {
    indirect enum Chain { case end(Int), link(Chain) }
    func chain(_ last: Int) -> Chain { (0..<51).reduce(Chain.end(last)) { rest, _ in .link(rest) } }
    let path = StateDifference(from: chain(1), to: chain(2)).lines.first
    #expect(path?.split(separator: ".").count == 50)
  }

  /// Is never equal, so its elements are compared one by one.
  private struct Unequal { var value: Int }

  @Test func `A huge value is compared up to a limit, which is reported`() {
    let old = (0..<300_000).map { Unequal(value: $0) }
    let lines = StateDifference(from: old, to: old).lines
    #expect(lines == ["… more than 500000 parts; the rest was not compared"])
    let small = Array(old.prefix(1_000))
    #expect(StateDifference(from: small, to: small).isEmpty)
  }

  @Test func `The output is bounded, whatever the values are`() {
    let long = String(repeating: "long ", count: 100_000)
    let old = Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0)\(long)", long) })
    let new = old.mapValues { "new \($0)" }
    let difference = StateDifference(from: old, to: new)
    #expect(difference.lines.last == "… and 180 more")
    #expect(difference.description.utf8.count < 100_000)
  }

  @Test func `A custom mirror decides which parts there are`() {
    struct Folder: CustomReflectable {
      var names: [String]
      var customMirror: Mirror { Mirror(self, children: names.map { ($0, $0.count) }, displayStyle: .struct) }
    }
    struct Secret: CustomReflectable {
      var key: Int
      var customMirror: Mirror { Mirror(self, children: ["key": "hidden"], displayStyle: .struct) }
    }
    // Other parts: the values are shown as a whole.
    #expect(
      StateDifference(from: Folder(names: ["a"]), to: Folder(names: ["b"])).lines == [
        "- Folder(a: 1)", "+ Folder(b: 1)",
      ])
    #expect(StateDifference(from: Secret(key: 1), to: Secret(key: 2)).isEmpty)
  }

  @Test func `A mirror that shows the value itself ends at the limit of depth`() {
    struct Endless: CustomReflectable {
      var number: Int
      var customMirror: Mirror { Mirror(self, children: ["self": self], displayStyle: .struct) }
    }
    #expect(StateDifference(from: Endless(number: 1), to: Endless(number: 2)).lines.count < 10)
  }

  @Test func `Where long strings begin to differ is shown, with what is around`() {
    let head = String(repeating: "0123456789", count: 12)
    #expect(
      StateDifference(from: ["text": head + "old" + head], to: ["text": head + "new" + head]).lines == [
        #"["text"], from character 121:"#,
        #"  - …"01234567890123456789old012345678901234567890123456789012345678901234567890123456"…"#,
        #"  + …"01234567890123456789new012345678901234567890123456789012345678901234567890123456"…"#,
      ])
    // The last one is longer.
    #expect(
      StateDifference(from: head, to: head + "!").lines == [
        "from character 121:", #"  - …"01234567890123456789""#, #"  + …"01234567890123456789!""#,
      ])
  }

  @Test func `Characters of several bytes stay whole`() {
    let head = String(repeating: "é", count: 30)
    #expect(
      StateDifference(from: head + "👩‍👩‍👧", to: head + "👩‍👩‍👦").lines == [
        "from character 31:", "  - …\"\(head.suffix(20))👩‍👩‍👧\"", "  + …\"\(head.suffix(20))👩‍👩‍👦\"",
      ])
  }

  @Test func `A string of megabytes is neither split nor counted`() {
    let head = String(repeating: "line\n", count: 400_000)
    #expect(
      StateDifference(from: head + "old", to: head + "new").lines.first == "from byte 2000001:")
  }

  @Test func `Lines that differ are shown as lines`() {
    #expect(
      StateDifference(from: (note: "a\nb", 1), to: (note: "a\nc", 1)).lines == [
        "note, from line 2:", #"  - "b""#, #"  + "c""#,
      ])
  }
}

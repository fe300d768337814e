// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@Suite struct `The difference of two values` {
  private struct Address: Equatable {
    var street = "Main Street"
    var number = 1
  }

  private struct Person: Equatable {
    var name = "Ann"
    var address = Address()
    var nickname: String?
    var tags: Set<String> = []
    var scores: [String: Int] = [:]
    var friends: [Address] = []
  }

  private enum Screen: Equatable {
    case empty
    case detail(Address)
    case pair(left: Int, right: Int)
    case count(Int)
  }

  private func difference(_ expected: Any, _ actual: Any) -> String {
    StateDifference(of: expected, and: actual).description
  }

  @Test func `names only the fields that differ, by their paths`() {
    let ann = Person()
    let bob = Person(name: "Bob", address: Address(number: 2))
    #expect(
      difference(ann, bob) == """
        name:
          - "Ann"
          + "Bob"
        address.number:
          - 1
          + 2
        """)
  }

  @Test func `takes enums apart when the case is the same`() {
    #expect(
      difference(Screen.detail(Address()), Screen.detail(Address(number: 2))) == """
        detail.number:
          - 1
          + 2
        """)
    #expect(
      difference(Screen.pair(left: 1, right: 2), Screen.pair(left: 1, right: 3)) == """
        pair.right:
          - 2
          + 3
        """)
    #expect(
      difference(Screen.count(1), Screen.empty) == """
        - .count(1)
        + .empty
        """)
  }

  @Test func `pairs the elements of arrays by position`() {
    #expect(
      difference([1, 2, 3], [1, 5, 3]) == """
        [1]:
          - 2
          + 5
        """)
    var person = Person()
    person.friends = [Address(), Address(number: 7)]
    #expect(
      difference(Person(), person).split(separator: "\n").count == 4)
  }

  @Test func `shows one insertion, removal or replacement of other length as that`() {
    #expect(difference([1, 2, 3], [0, 1, 2, 3]) == "[0]:\n  + 0")
    #expect(difference([1, 2, 3], [1, 3]) == "[1]:\n  - 2")
    #expect(difference([1, 2, 3, 4], [1, 2, 3]) == "[3]:\n  - 4")
    #expect(difference([1, 2, 9], [1, 3, 4, 9]) == "[1]:\n  - 2\n  + 3\n[2]:\n  + 4")
    #expect(difference([Int](), [7]) == "[0]:\n  + 7")
    // Equal elements at both ends must be counted only once.
    #expect(difference([1, 1], [1, 1, 1]) == "[2]:\n  + 1")
  }

  @Test func `pairs the values of dictionaries by key`() {
    #expect(
      difference(["a": 1, "b": 2, "c": 3], ["a": 1, "b": 5, "d": 4]) == """
        ["b"]:
          - 2
          + 5
        ["c"]:
          - 3
        ["d"]:
          + 4
        """)
    #expect(
      difference([1: Address()], [1: Address(number: 2)]) == """
        [1].number:
          - 1
          + 2
        """)
  }

  @Test func `shows the members that only one of two sets has`() {
    #expect(
      difference(Person(tags: ["a", "b", "c"]), Person(tags: ["b", "d"])) == """
        tags:
          - "a"
          - "c"
          + "d"
        """)
  }

  @Test func `shows what is in an optional`() {
    #expect(
      difference(Person(), Person(nickname: "An")) == """
        nickname:
          - nil
          + "An"
        """)
    #expect(
      difference(Person(nickname: "An"), Person(nickname: "Annie")) == """
        nickname:
          - "An"
          + "Annie"
        """)
    #expect(difference(Int?.some(1) as Any, Int?.none as Any) == "- 1\n+ nil")
  }

  @Test func `takes tuples apart`() {
    #expect(
      difference((name: "a", 1), (name: "a", 2)) == """
        1:
          - 1
          + 2
        """)
  }

  @Test func `distinguishes objects by identity`() {
    final class Plain {}
    struct Holder: Equatable {
      let object: Plain
      let number: Int
      static func == (left: Holder, right: Holder) -> Bool {
        left.object === right.object && left.number == right.number
      }
    }
    let object = Plain()
    let other = difference(Holder(object: Plain(), number: 1), Holder(object: object, number: 1))
    #expect(other.hasPrefix("object:\n  - ") && other.hasSuffix(" (another instance)"))
    #expect(
      difference(Holder(object: object, number: 1), Holder(object: object, number: 2)) == """
        number:
          - 1
          + 2
        """)
  }

  @Test func `uses the equality of a type before it compares the parts`() {
    struct Folded: Equatable {
      let text: String
      static func == (left: Folded, right: Folded) -> Bool { left.text.lowercased() == right.text.lowercased() }
    }
    #expect(
      difference([Folded(text: "A"), Folded(text: "B")], [Folded(text: "a"), Folded(text: "C")]) == """
        [1].text:
          - "B"
          + "C"
        """)
  }

  @Test func `reports that two values print the same`() {
    struct Odd: Equatable, CustomStringConvertible, CustomReflectable {
      var number: Int
      var description: String { "Odd()" }
      var customMirror: Mirror { Mirror(self, children: []) }
    }
    struct Holder: Equatable { var odd: Odd }
    #expect(
      difference(Holder(odd: Odd(number: 1)), Holder(odd: Odd(number: 2))) == """
        odd:
          - Odd()
          + Odd() (prints the same; `==` of Odd tells them apart)
        """)
    #expect(difference(Double.nan, Double.nan) == "")
    #expect(difference([1, Double.nan], [2, .nan]) == "[0]:\n  - 1.0\n  + 2.0")
    #expect(difference(1 as Any, 1.0 as Any) == "- 1\n+ 1.0")
    #expect(difference(1 as Int8, 1 as Int) == "- 1 (Int8)\n+ 1 (Int)")
  }

  @Test func `uses the short description of a type`() {
    #expect(
      difference([Duration.seconds(1)], [Duration.seconds(2)]) == """
        [0]:
          - 1.0 seconds
          + 2.0 seconds
        """)
  }

  @Test func `shows long strings by line`() {
    #expect(
      difference("one\ntwo\nthree\nfour", "one\n2\nthree and a half\nfour") == """
        from line 2:
          - "two"
          - "three"
          + "2"
          + "three and a half"
        """)
    #expect(difference("a\n", "a") == "from line 2:\n  - \"\"")
    #expect(
      difference("a\r\nb", "a\nb") == """
        - "a\\r\\nb"
        + "a\\nb"
        """)
  }

  @Test func `cuts endless values and endless lists`() {
    let long = String(repeating: "x", count: 5_000)
    #expect(difference(long, "y").contains("x… (5002 characters)\n+ \"y\""))
    let text = difference(Array(0..<100), Array(1...100))
    #expect(text.hasSuffix("[19]:\n  - 19\n  + 20\n… and 80 more"))
  }

  @Test func `grows no faster than the values`() {
    // Quadratic pairing of 100,000 elements would take minutes.
    #expect(difference(Array(0..<100_000), Array(1..<100_000)) == "[0]:\n  - 0")
    let old = Dictionary(uniqueKeysWithValues: (0..<20_000).map { ($0, $0) })
    #expect(difference(old, old.merging([7: 8]) { $1 }) == "[7]:\n  - 7\n  + 8")
    #expect(difference(Set(0..<20_000), Set(1..<20_000)) == "- 0")
  }

  /// Counts how often it is compared and described.
  private final class Effort {
    var compared = 0
    var described = 0
  }

  private struct Counted: Hashable, CustomStringConvertible {
    let effort: Effort
    let value: Int

    var description: String {
      effort.described += 1
      return "\(value)"
    }

    static func == (left: Counted, right: Counted) -> Bool {
      left.effort.compared += 1
      return left.value == right.value
    }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
  }

  private struct Large: Equatable {
    var nested: [[Counted]]
    var keyed: [Counted: Counted] = [:]
    var members: Set<Counted> = []
  }

  @Test(arguments: [1_000, 100_000])
  func `compares each part of a large state a few times, and describes only what differs`(size: Int) {
    let effort = Effort()
    func counted(_ value: Int) -> Counted { Counted(effort: effort, value: value) }
    let row = (0..<size / 100).map(counted)
    let old = Large(
      nested: Array(repeating: row, count: 100),
      keyed: Dictionary(uniqueKeysWithValues: (0..<size).map { (counted($0), counted($0)) }),
      members: Set((0..<size).map(counted)))
    var new = old
    new.nested[99][row.count - 1] = counted(-1)
    new.keyed[counted(5)] = counted(-5)
    new.members.remove(counted(3))
    effort.compared = 0
    let text = difference(old, new)
    #expect(
      text == """
        nested[99][\(row.count - 1)]:
          - \(row.count - 1)
          + -1
        keyed[5]:
          - 5
          + -5
        members:
          - 3
        """)
    // Three collections of this size. The keys of two of them are computed twice.
    #expect(effort.compared < 20 * size)
    #expect(effort.described < 20)
  }

  @Test func `prints values that are nested too deep in full`() {
    indirect enum List: Equatable {
      case end
      case link(Int, List)
    }
    func list(_ count: Int, last: Int) -> List {
      (0..<count).reduce(.link(last, .end)) { .link($1, $0) }
    }
    #expect(difference(list(500, last: 1), list(500, last: 2)).count < 5_000)
  }

  @Test func `leaves out parts that cannot be compared`() {
    struct Handler: Equatable {
      var number: Int
      var body: @Sendable () -> Void = {}
      static func == (left: Handler, right: Handler) -> Bool { left.number == right.number }
    }
    #expect(difference(Handler(number: 1), Handler(number: 2)) == "number:\n  - 1\n  + 2")
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Suite struct `The difference of rows with ids` {
  private struct Row: Equatable, Identifiable {
    var id: Int
    var title = ""
  }

  private func rows(_ ids: Int...) -> [Row] { ids.map { Row(id: $0, title: "\($0)") } }

  private func difference(_ old: [Row], _ new: [Row]) -> [String] { StateDifference(from: old, to: new).lines }

  @Test func `shows what was added, removed and changed, by id`() {
    var new = rows(1, 4, 3)
    new[2].title = "three"
    #expect(
      difference(rows(1, 2, 3), new) == [
        "[id: 2]:", #"  - Row(id: 2, title: "2")"#,
        "[id: 4]:", #"  + Row(id: 4, title: "4")"#,
        "[id: 3].title:", #"  - "3""#, #"  + "three""#,
      ])
    #expect(difference([], rows(1)) == ["[id: 1]:", #"  + Row(id: 1, title: "1")"#])
    #expect(difference(rows(1), []) == ["[id: 1]:", #"  - Row(id: 1, title: "1")"#])
  }

  @Test func `shows the fewest rows that must have moved`() {
    #expect(difference(rows(1, 2, 3, 4, 5), rows(2, 3, 4, 5, 1)) == ["[id: 1]:", "  moved from [0] to [4]"])
    #expect(difference(rows(1, 2, 3), rows(3, 1, 2)) == ["[id: 3]:", "  moved from [2] to [0]"])
    // A row in front of the others moves them, and is not their move.
    #expect(difference(rows(1, 2, 3), rows(9, 1, 2, 3)).count == 2)
  }

  @Test(arguments: [[], [1], [1, 2, 3], [3, 2, 1], [2, 1, 4, 3], [5, 1, 2, 9, 3]])
  func `What remains after the moved numbers rises, and nothing longer does`(numbers: [Int]) {
    let moved = Set(DifferenceWalk.outsideOfLongestRise(numbers))
    let rest = numbers.indices.filter { !moved.contains($0) }.map { numbers[$0] }
    #expect(zip(rest, rest.dropFirst()).allSatisfy { $0 < $1 })
    // Tried out: every selection.
    let longest = (0..<(1 << numbers.count)).map { selection in
      let chosen = numbers.indices.filter { selection & (1 << $0) != 0 }.map { numbers[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? chosen.count : 0
    }
    #expect(rest.count == longest.max())
  }

  @Test func `counts many rows, and shows the first`() {
    let many = (1...100).map { Row(id: $0) }
    #expect(
      difference([], many) == [
        #"+ 100 elements: Row(id: 1, title: ""), Row(id: 2, title: ""), Row(id: 3, title: ""), …"#
      ])
    #expect(difference(many, many.reversed()).first == "99 elements moved: id 100, 99, 98, …")
    #expect(
      StateDifference(from: [Int](), to: Array(1...100)).lines == ["[0..<100]:", "  + 100 elements: 1, 2, 3, …"])
    #expect(
      StateDifference(from: Array(1...9), to: [1, 9]).lines == ["[1..<8]:", "  - 7 elements: 2, 3, 4, …"])
  }

  @Test func `goes by position where ids are repeated`() {
    let new = [Row(id: 1), Row(id: 1, title: "b")]
    #expect(difference([Row(id: 1), Row(id: 1)], new) == ["[1].title:", #"  - """#, #"  + "b""#])
  }
}

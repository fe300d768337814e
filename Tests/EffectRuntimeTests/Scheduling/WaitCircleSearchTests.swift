// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Suite struct WaitCircleSearchTests {
  /// Work that needs other work; work in `queued` needs only one of it.
  private struct Graph {
    let needs: [Int32: [Int32]]
    let queued: Set<Int32>

    func search(through start: Int32, alsoAfter root: Int32? = nil) -> [Int32]? {
      WaitCircle.search(
        through: start, alsoAfter: root, needs: { needs[$0] ?? [] }, needsOne: { queued.contains($0) })
    }
  }

  private func circle(_ needs: [Int32: [Int32]], queued: Set<Int32> = []) -> Graph {
    Graph(needs: needs, queued: queued)
  }

  @Test func `Work that waits for nothing, or for work that can end, can end`() {
    #expect(circle([:]).search(through: 1) == nil)
    #expect(circle([1: [2, 3], 2: [3]]).search(through: 1) == nil)
  }

  @Test func `A circle is listed from what the start waits for, without the start (L2)`() {
    #expect(circle([1: [1]]).search(through: 1) == [1])
    #expect(circle([1: [2], 2: [3], 3: [1]]).search(through: 1) == [2, 3])
    #expect(circle([1: [4, 2], 2: [3], 3: [1], 4: []]).search(through: 1) == [2, 3])
  }

  @Test func `A circle that does not contain the start is not reported for it`() {
    #expect(circle([1: [2], 2: [3], 3: [2]]).search(through: 1) == nil)
  }

  @Test func `Queued work needs one of those that hold its slots, all other work needs everything`() {
    let needs: [Int32: [Int32]] = [1: [2, 3], 2: [1], 3: []]
    #expect(circle(needs).search(through: 1) == [2])
    #expect(circle(needs, queued: [1]).search(through: 1) == nil)
    #expect(circle([1: [2, 3], 2: [1], 3: [1]], queued: [1]).search(through: 1) != nil)
  }

  @Test func `A wait that is about to begin counts, and the circle begins with it`() {
    let needs: [Int32: [Int32]] = [9: [2], 2: [1]]
    #expect(circle(needs).search(through: 1) == nil)
    #expect(circle(needs).search(through: 1, alsoAfter: 9) == [9, 2])
    #expect(circle([9: [2]]).search(through: 1, alsoAfter: 9) == nil)
  }
}

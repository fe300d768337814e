// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Suite struct SlotsTests {
  @Test func `Memory beside the slab is allocated for blocks that are used, and every index has its own element`() {
    var array = SparseArray<Int32>(-1)
    let size = Int32(SparseBlock.size)
    let indices: [Int32] = [0, size - 1, size, 70_000, 70_001, 6_400, 2 * size - 1]
    for index in indices {
      array.use(index)
      array[index] = index
    }
    // Again, which must change nothing.
    for index in indices { array.use(index) }
    #expect(indices.map { array[$0] } == indices)
    // The first ones are in two blocks, 6,400 in another, and 70,000 with 70,001 in a fourth.
    #expect(array.elements.count == 4 * SparseBlock.size)
    #expect(array.elements.count { $0 >= 0 } == indices.count)
  }

  @Test func `Dispatches have blocks of their own, and a freed slot is used again only by the same kind`() {
    var slots = Slots()
    var (runs, roots): ([Int32], [Int32]) = ([], [])
    for number in 1...200 {
      roots.append(slots.allocateRoot(.dispatch(UInt64(number))))
      runs.append(slots.allocate(.none, phase: .running, parent: slots.token(roots[0]), root: roots[0]))
    }
    let block: (Int32) -> Int = { Int($0) / SparseBlock.size }
    #expect(Set(runs.map(block)).isDisjoint(with: roots.map(block)))
    #expect(Set(runs + roots).count == 400)
    #expect(slots.count == 400)
    let void = (runs + roots).map(slots.token)
    for index in runs + roots { _ = slots.free(index) }
    #expect(slots.count == 0)
    #expect(!void.contains { slots.contains($0) })
    let again = (0..<200).map { _ in
      (slots.allocate(.none, phase: .running, parent: .none, root: -1), slots.allocateRoot(.share))
    }
    #expect(Set(again.map(\.0)) == Set(runs))
    #expect(Set(again.map(\.1)) == Set(roots))
    #expect(!void.contains { slots.contains($0) })
  }

  @Test func `The slots behind the last one that is taken are released after a peak, and old tokens stay invalid`() {
    var slots = Slots()
    let roots = (0..<2_000).map { slots.allocateRoot(.dispatch(UInt64($0))) }
    let runs = roots.map { slots.allocate(.none, phase: .running, parent: slots.token($0), root: $0) }
    // Another generation, which is the highest.
    slots.renew(runs[1_999])
    let tokens = (roots + runs).map(slots.token)
    for index in roots + runs[..<1_000] + runs[1_064...] { _ = slots.free(index) }
    let kept = runs[1_000..<1_064].map(slots.token)
    let none = slots.shrink(above: 4_096)
    #expect(none == nil)
    let size = slots.shrink(above: 1_024)
    #expect(size == (Int(runs[1_063]) / SparseBlock.size + 1) * SparseBlock.size)
    #expect(kept.allSatisfy { slots.contains($0) })
    #expect(tokens.count { slots.contains($0) } == kept.count)
    let again = slots.shrink(above: 1_024)
    #expect(again == nil, "the last block is not free")
    // The lowest slots come first.
    let lowest = [slots.allocateRoot(.share), slots.allocate(.none, phase: .running, parent: .none, root: -1)]
    #expect(lowest == [roots.min(), runs.min()])
    for token in kept { _ = slots.free(token.slot) }
    let rest = shrink(&slots)
    #expect(rest == 2_000 + SparseBlock.size, "the roots have the first 2,000 slots")
    let new = (0..<4_000).map { _ in slots.allocate(.none, phase: .running, parent: .none, root: -1) }
    #expect(Set(new).count == 4_000)
    #expect(Set(new.map(slots.token)).isDisjoint(with: tokens + kept))
    #expect(!tokens.contains { slots.contains($0) })
  }

  /// A search for free slots that has found none is not repeated at once.
  private func shrink(_ slots: inout Slots) -> Int? {
    for _ in 0..<4_096 {
      if let size = slots.shrink(above: 1_024) { return size }
    }
    return nil
  }

  @Test func `A search that has found few free slots is repeated only after as many calls`() {
    var slots = Slots()
    let runs = (0..<2_000).map { _ in slots.allocate(.none, phase: .running, parent: .none, root: -1) }
    for index in runs where index != 1_800 && index != 5 { _ = slots.free(index) }
    var calls = 0
    let first = slots.shrink(above: 1_024)
    _ = slots.free(1_800)
    while slots.shrink(above: 1_024) == nil { calls += 1 }
    #expect(first == nil)
    #expect(calls == 200)
  }

  @Test func `Nothing is released while more than a little work remains`() {
    var slots = Slots()
    let runs = (0..<2_000).map { _ in slots.allocate(.none, phase: .running, parent: .none, root: -1) }
    for index in runs[65...] { _ = slots.free(index) }
    let before = slots.shrink(above: 1_024)
    _ = slots.free(runs[64])
    let after = slots.shrink(above: 1_024)
    #expect((before, after) == (nil, 64))
  }
}

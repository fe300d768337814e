// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Suite struct ChainTests {
  @Test(arguments: 0..<4 as Range<Int32>)
  func `Whichever slot is removed, the others stay in their order, forwards and back`(removed: Int32) {
    var chain = Chain()
    var list = Chain.List()
    for slot in 0..<4 as Range<Int32> { chain.append(slot, to: &list) }
    chain.remove(removed, from: &list)
    let left = (0..<4).filter { $0 != removed }
    #expect(chain.members(of: list) == left)
    #expect(list.first == left.first && list.last == left.last)
    #expect(left.dropFirst().map { chain.previous(before: $0) } == left.dropLast())
    #expect(left.dropLast().map { chain.next(after: $0) } == Array(left.dropFirst()))
    for slot in left { chain.remove(slot, from: &list) }
    #expect(list.isEmpty && list.last < 0)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectRuntime

@Suite struct StepListTests {
  /// The places of all steps, in the order in which they are taken.
  private func taken(_ list: StepList) -> [Int32] {
    var list = list
    var places: [Int32] = []
    while let step = list.next() {
      if case .refill(let place) = step { places.append(place) }
    }
    return places
  }

  private var three: StepList {
    var list = StepList()
    for place: Int32 in 1...3 { list.append(.refill(place)) }
    return list
  }

  @Test func `The last step is taken first`() {
    #expect(taken(StepList()).isEmpty)
    #expect(taken(three) == [3, 2, 1])
  }

  @Test(arguments: 0...5)
  func `Steps since a mark are taken in the order in which they were added, before the others`(count: Int32) {
    var list = three
    let mark = list.mark
    for place in 0..<count { list.append(.refill(10 + place)) }
    list.reverse(from: mark)
    #expect(taken(list) == (0..<count).map { 10 + $0 } + [3, 2, 1])
  }

  @Test func `A step at a mark is taken behind those since the mark`() {
    var list = three
    let mark = list.mark
    list.append(.refill(4))
    list.append(.refill(5))
    list.insert(.refill(9), at: mark)
    #expect(taken(list) == [5, 4, 9, 3, 2, 1])
  }
}

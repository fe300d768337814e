// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct WaitsTests {
  private let root = Token(slot: 1, generation: 4)
  private let other = Token(slot: 2, generation: 0)
  private let run = Token(slot: 70, generation: 1)
  private let first = Waiter()
  private let second = Waiter()

  @Test func `The waiters of a dispatch are returned in the order in which they came, once (L2)`() {
    var waits = Waits()
    #expect(waits.isEmpty)
    waits.add(first, for: root)
    waits.add(second, for: root)
    waits.add(first, for: other)
    #expect(waits.count == 2)
    #expect(waits.waiters(of: 1).map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
    let settled = [waits.settled(root), waits.settled(root)]
    #expect(settled[0]?.map(ObjectIdentifier.init) == [first, second].map(ObjectIdentifier.init))
    #expect(settled[1] == nil)
    #expect(waits.waiters(of: 1).isEmpty)
    #expect(waits.count == 1)
    #expect(waits.settled(other)?.count == 1)
    #expect(waits.isEmpty)
  }

  @Test func `What a run waits for is forgotten when the dispatch has settled`() {
    var waits = Waits()
    waits.add(first, for: root)
    waits.mark(first, for: root, inside: run)
    waits.add(second, for: other)
    waits.mark(second, for: other, inside: run)
    #expect(waits.hasRuns)
    #expect(waits.runs == [run])
    #expect(waits.waits(of: run).map(\.root) == [root, other])
    #expect(waits.settled(root)?.count == 1)
    #expect(waits.waits(of: run).map(\.root) == [other])
    #expect(waits.settled(other)?.count == 1)
    #expect(!waits.hasRuns)
    #expect(waits.isEmpty)
  }

  @Test func `If one of two runs ends its wait, the wait of the other one ends with the dispatch`() throws {
    var waits = Waits()
    let second = Waiter()
    let neighbour = Token(slot: 71, generation: 1)
    for (waiter, run) in [(first, run), (second, neighbour)] {
      waits.add(waiter, for: root)
      waits.mark(waiter, for: root, inside: run)
    }
    waits.end(try #require(waits.waits(of: run).first), of: run)
    #expect(waits.waits(of: neighbour).count == 1)
    #expect(waits.settled(root)?.count == 1)
    #expect(waits.waits(of: neighbour).isEmpty && !waits.hasRuns)
  }

  @Test func `A run may wait twice for one dispatch, and each wait ends by itself`() throws {
    var waits = Waits()
    for waiter in [first, second] {
      waits.add(waiter, for: root)
      waits.mark(waiter, for: root, inside: run)
    }
    waits.end(try #require(waits.waits(of: run).first), of: run)
    #expect(waits.waits(of: run).map { $0.waiter === second } == [true])
    #expect(waits.waiters(of: 1).map { $0 === second } == [true])
    waits.end(try #require(waits.waits(of: run).first), of: run)
    #expect(!waits.hasRuns)
    #expect(waits.waiters(of: 1).isEmpty)
    #expect(waits.settled(root)?.isEmpty == true, "it has had waiters")
    #expect(waits.isEmpty)
  }
}

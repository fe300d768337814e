// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@Suite struct `Size and allocations of effects` {
  @Test func `An effect of small actions has at most 24 bytes`() {
    #expect(MemoryLayout<Effect<UInt8>>.size <= 24)
    #expect(MemoryLayout<Effect<UInt8>>.stride <= 24)
    #expect(MemoryLayout<Effect<Int>>.stride <= 24)
    #expect(MemoryLayout<Effect<Void>>.stride <= 24)
  }

  @Test func `An id is one word and an overlap at most two`() {
    #expect(MemoryLayout<EffectID>.size == MemoryLayout<Int>.size)
    #expect(MemoryLayout<EffectID?>.size == MemoryLayout<Int>.size)
    #expect(MemoryLayout<Overlap>.size <= 16)
  }
}

@Suite(.enabled(if: Allocations.areCounted, "Allocations are counted with glibc and without sanitizers only"))
struct `Allocations of effects` {
  private final class Block {
    let next: Block?
    init(next: Block?) { self.next = next }
  }

  @Test func `The counter counts`() {
    #expect(Allocations.count {} == 0)
    #expect(Allocations.count { Allocations.keep(Block(next: nil)) } == 1)
    #expect(Allocations.count { Allocations.keep(Block(next: Block(next: Block(next: nil)))) } == 3)
    #expect(Allocations.count { Allocations.keep([UInt8](repeating: 0, count: 100)) } == 1)
    #expect(
      Allocations.count { unsafe UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64).deallocate() } == 1)
  }

  @Test func `The counter counts its own thread only`() throws {
    let counts = try withSmallStack {
      Allocations.count { Allocations.keep(Block(next: nil)) }
    }
    #expect(counts == 1)
  }

  @Test func `None allocates nothing`() {
    #expect(Allocations.count { Allocations.keep(Effect<UInt8>.none) } == 0)
    #expect(Allocations.count { Allocations.keep(Effect<UInt8>.none.isNone) } == 0)
    #expect(
      Allocations.count { Allocations.keep(Effect<UInt8>.none.cancellable(id: Self.id, overlap: .concurrent)) } == 0)
  }

  @Test func `Send allocates nothing`() {
    #expect(Allocations.count { Allocations.keep(Effect<UInt8>.send(1)) } == 0)
    #expect(Allocations.count { Allocations.keep(Effect<(Int, Int)>.send((1, 2))) } == 0)
  }

  @Test func `Mapping none and send allocates nothing`() {
    let (none, send) = (Effect<UInt8>.none, Effect<UInt8>.send(1))
    #expect(Allocations.count { Allocations.keep(none.map { Int($0) }) } == 0)
    #expect(Allocations.count { Allocations.keep(send.map { Int($0) }) } == 0)
  }

  @Test func `An id costs one allocation, hashing and comparing it none`() {
    #expect(Allocations.count { Allocations.keep(EffectID(7)) } == 1)
    let (a, b) = (EffectID(7).scoped(by: "x"), EffectID(7).scoped(by: "x"))
    #expect(Allocations.count { Allocations.keep(a == b) } == 0)
    #expect(Allocations.count { Allocations.keep(a.hashValue) } == 0)
  }

  @Test func `Nested merges are not copied`() {
    let many = Effect<UInt8>.merge((0..<100).map { .send($0) })
    let few = Effect<UInt8>.merge(.send(0), .send(1))
    func cost(_ inner: Effect<UInt8>) -> Int { Allocations.count { Allocations.keep(Effect.merge(inner, .send(1))) } }
    #expect(cost(many) == cost(few))
    #expect(cost(many) > 0)
  }

  private static let id: EffectID = "id"
}

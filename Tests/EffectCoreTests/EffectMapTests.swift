// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Synchronization
import TestSupport
import Testing

/// `map`, checked with every possible small tree.
@Suite struct `Mapping effects` {
  private static let allTrees = EffectSyntax.small
  private let trees = allTrees

  @Test func `Map keeps shape, names and runs, and changes actions`() {
    let wrong = trees.first { tree in
      let mapped = tree.effect.map { $0 + 1000 }
      let expected = tree.normal.mapped { $0 + 1000 }
      return EffectSyntax(reading: mapped) != EffectSyntax(reading: tree.effect).mapped { $0 + 1000 }
        || mapped.description != expected.description || mapped.runs != tree.effect.runs
    }
    #expect(wrong == nil)
  }

  @Test func `Map changes the type of actions`() {
    let effect: Effect<String> = Effect.merge(.send(1), .cancel(id: "c"), .send(2)).map { "number \($0)" }
    #expect(effect.description == #"merge(send("number 1"), cancel("c"), send("number 2"))"#)
  }

  @Test func `Map with nothing to change is the effect itself`() {
    let wrong = trees.first { EffectSyntax(reading: $0.effect.map { $0 }) != EffectSyntax(reading: $0.effect) }
    #expect(wrong == nil)
  }

  @Test func `Map of a composition is the composition of maps`() {
    let wrong = trees.first { tree in
      let twice = tree.effect.map { $0 + 1 }.map { $0 * 10 }
      let once = tree.effect.map { ($0 + 1) * 10 }
      return EffectSyntax(reading: twice) != EffectSyntax(reading: once)
    }
    #expect(wrong == nil)
  }

  @Test func `Closures of a composition send what the composition of maps sends`() async {
    for tree in EffectSyntax.all(leaves: 2, depth: 2) {
      let twice = await tree.effect.map { $0 + 1 }.map { $0 * 10 }.performed()
      let once = await tree.effect.map { ($0 + 1) * 10 }.performed()
      let plain = await tree.effect.performed()
      #expect(twice == once)
      #expect(once == plain.map { ($0 + 1) * 10 })
    }
  }

  @Test func `The transformation is called once for each send, and not for runs`() {
    let calls = Mutex<[Int]>([])
    let effect = Effect.concatenate(.send(1), .merge(.send(2), .run { send in send(9) }), .send(3))
    _ = effect.map { action in calls.withLock { $0.append(action) } }
    #expect(calls.withLock { $0 } == [1, 2, 3])
  }

  @Test func `A mapped catch sends mapped actions`() async {
    struct Broken: Error {}
    let effect = Effect<Int>.run { send in
      send(1)
      throw Broken()
    } catch: { error, send in
      if error is Broken { send(2) }
    }
    #expect(await effect.map { "\($0)" }.performed() == ["1", "2"])
  }

  @Test func `A mapped run without catch still has no catch`() {
    let operations = Effect<Int>.run { _ in }.map { "\($0)" }.operations
    #expect(operations.map { $0.failure == nil } == [true])
  }

  @Test func `Map keeps all properties of a run`() throws {
    let effect = Effect<Int>.run(id: "a", overlap: .drop, input: 5, name: "five", priority: .high) { _, _ in }
    let operation = try #require(effect.map { "\($0)" }.operations.first)
    let original = try #require(effect.operations.first)
    #expect(EffectRun(operation) == EffectRun(id: "a", overlap: .drop, input: 5, name: "five"))
    #expect(operation.priority == .high)
    #expect(operation.site.description == original.site.description)
  }

  @Test func `Map keeps the overlap and the source line of a tree`() throws {
    let effect = Effect.merge(.send(1), .send(2)).cancellable(id: "t", overlap: .drop)
    guard case .cancellable(let before) = effect, case .cancellable(let after) = effect.map({ "\($0)" }) else {
      Issue.record("not a tree")
      return
    }
    #expect(after.overlap == .drop)
    #expect(after.label.site.description == before.label.site.description)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

/// `scoped`, checked with every possible small tree.
@Suite struct `Scoping effects` {
  private static let allTrees = EffectSyntax.small
  private let trees = allTrees

  @Test func `Scoped puts the names of runs, cancels and trees inside the scope, and changes actions`() {
    let wrong = trees.first { tree in
      let scoped = tree.effect.scoped("row") { $0 + 1000 }
      let expected = tree.normal.scoped(by: "row").mapped { $0 + 1000 }
      return EffectSyntax(reading: scoped).flattened != expected || scoped.description != expected.description
        || scoped.runs != expected.runs
    }
    #expect(wrong == nil)
  }

  @Test func `The later scope is the outer one`() {
    let wrong = trees.first { tree in
      let scoped = tree.effect.scoped("inner") { $0 }.scoped("outer") { $0 }
      return EffectSyntax(reading: scoped).flattened != tree.normal.scoped(by: "inner").scoped(by: "outer")
    }
    #expect(wrong == nil)
  }

  @Test func `Scoping twice is scoping once by the path of both`() {
    let path = EffectID("inner").scoped(by: "outer")
    let wrong = trees.first { tree in
      EffectSyntax(reading: tree.effect.scoped("inner") { $0 }.scoped("outer") { $0 })
        != EffectSyntax(reading: tree.effect.scoped(path) { $0 })
    }
    #expect(wrong == nil)
  }

  @Test func `Map after scoped leaves the scope alone`() {
    let wrong = trees.first { tree in
      EffectSyntax(reading: tree.effect.scoped("row") { $0 }.map { $0 + 1 })
        != EffectSyntax(reading: tree.effect.scoped("row") { $0 + 1 })
    }
    #expect(wrong == nil)
  }

  @Test func `Every branch of a scoped tree has its scope`() {
    let scope = EffectID("inner").scoped(by: "outer")
    for tree in EffectSyntax.all(leaves: 2, depth: 2) {
      #expect(tree.effect.branchScopes.allSatisfy { $0 == nil })
      let once = tree.effect.scoped("inner") { $0 }
      #expect(once.branchScopes.allSatisfy { $0 == "inner" })
      #expect(once.scoped("outer") { $0 }.map { $0 }.branchScopes.allSatisfy { $0 == scope })
      #expect(once.branchScopes.count == tree.effect.branchScopes.count)
    }
  }

  @Test func `A run without an id is identified by its scopes alone`() throws {
    let effect = Effect<Int>.run { _ in }.scoped("inner") { $0 }.scoped("outer") { $0 }
    let operation = try #require(effect.operations.first)
    #expect(operation.id == nil)
    #expect(operation.scope == EffectID("inner").scoped(by: "outer"))
    #expect(effect.runs == [EffectRun()])
  }

  @Test func `A run with an id has no separate scope`() throws {
    let operation = try #require(
      Effect<Int>.run(id: "a", overlap: .concurrent) { _ in }.scoped("row") { $0 }.operations.first)
    #expect(operation.id == EffectID("a").scoped(by: "row"))
    #expect(operation.scope == nil)
  }

  @Test func `A name given outside a scope does not hide the scope`() {
    let inside = Effect<Int>.run { _ in }.cancellable(id: "a", overlap: .concurrent).scoped("row") { $0 }
    let outside = Effect<Int>.run { _ in }.scoped("row") { $0 }.cancellable(id: "a", overlap: .concurrent)
    #expect(inside.description == #"run("row"/"a")"#)
    #expect(outside.description == #"cancellable("a", run())"#)
    #expect(outside.operations.map(\.scope) == ["row"])
  }

  @Test func `Any hashable value is a scope`() {
    enum Tab: Hashable { case first }
    let effect = Effect<Int>.cancel(id: "a")
    #expect(effect.scoped(Tab.first) { $0 }.description == #"cancel(first/"a")"#)
    #expect(effect.scoped(7) { $0 }.description == #"cancel(7/"a")"#)
    #expect(effect.scoped(EffectID(7)) { $0 }.description == #"cancel(7/"a")"#)
  }

  @Test func `The rows of the manual keep their work separate`() {
    enum Action: Sendable { case row(Int, String) }
    let row = Effect<String>.merge(
      .cancel(id: "search"), .run(id: "search", overlap: .concurrent, input: "x") { _, _ in }, .send("typed"))
    let effects = [1, 2].map { id in row.scoped(id) { Action.row(id, $0) } }
    #expect(
      Effect.merge(effects).description == """
        merge(cancel(1/"search"), run(1/"search", input: "x"), send(row(1, "typed")), \
        cancel(2/"search"), run(2/"search", input: "x"), send(row(2, "typed")))
        """)
  }
}

extension Effect {
  /// The scope of every branch of the tree.
  fileprivate var branchScopes: [EffectID?] {
    switch self {
    case .none, .send, .run, .cancel: []
    case .merge(let parts), .concatenate(let parts): [parts.node.scope] + parts.flatMap(\.branchScopes)
    case .cancellable(let tree): [tree.node.scope] + tree.content.branchScopes
    }
  }
}

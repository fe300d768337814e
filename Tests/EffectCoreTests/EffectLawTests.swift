// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

/// The laws of effects, checked with every possible small tree.
@Suite struct `Laws of effects` {
  private static let allTrees = EffectSyntax.small
  private let trees = allTrees

  @Test func `Every possible small tree was checked, each once`() {
    #expect(trees.count == TestSize.of(21_769, short: 1_019))
    #expect(Set(trees.map(\.description)).count == trees.count)
  }

  @Test func `Building an effect gives its normal form`() {
    let wrong = trees.first { EffectSyntax(reading: $0.effect).flattened != $0.normal }
    #expect(wrong == nil)
  }

  @Test func `A branch has at least two parts and none of them is empty`() {
    let wrong = trees.first { tree in
      EffectSyntax(reading: tree.effect).nodes.contains { node in
        switch node {
        case .merge(let parts), .concatenate(let parts): parts.count < 2 || parts.contains(.none)
        case .cancellable(_, let content): content == .none
        case .none, .send, .run, .cancel: false
        }
      }
    }
    #expect(wrong == nil)
  }

  @Test func `A description is the normal form as text`() {
    let wrong = trees.first { $0.effect.description != $0.normal.description }
    #expect(wrong == nil)
  }

  @Test func `Runs are listed from left to right`() {
    let wrong = trees.first { $0.effect.runs != $0.normal.runs }
    #expect(wrong == nil)
  }

  @Test(arguments: Branch.allCases)
  func `A branch of nothing is none`(_ branch: Branch) {
    #expect(branch([]).isNone)
  }

  @Test(arguments: Branch.allCases)
  func `A branch of one effect is that effect`(_ branch: Branch) {
    let wrong = trees.first { tree in
      EffectSyntax(reading: branch([tree.effect])) != EffectSyntax(reading: tree.effect)
    }
    #expect(wrong == nil)
  }

  @Test(arguments: Branch.allCases)
  func `None vanishes at any position`(_ branch: Branch) {
    let small = EffectSyntax.all(leaves: 1, depth: 1).map(\.effect)
    for parts in small.flatMap({ a in small.flatMap { b in [[a], [a, b]] } }) {
      let plain = EffectSyntax(reading: branch(parts))
      for position in 0...parts.count {
        var padded = parts
        padded.insert(.none, at: position)
        #expect(EffectSyntax(reading: branch(padded)) == plain)
      }
    }
  }

  @Test(arguments: Branch.allCases)
  func `Nesting does not matter`(_ branch: Branch) {
    let small = EffectSyntax.all(leaves: 1, depth: 1)
    for a in small {
      for b in small {
        for c in small { expectSameMeaning(EffectSyntax.bracketings(of: [a, b, c], with: branch.syntax)) }
      }
    }
  }

  @Test(arguments: Branch.allCases)
  func `Nesting of longer lists does not matter`(_ branch: Branch) {
    let parts: [EffectSyntax] = [
      .send(1), .concatenate([.send(2), .cancel(path: ["c"])]), .none, .merge([.send(3), .send(4)]),
      .cancellable(path: ["t"], .merge([.send(5), .run(path: ["r"], isNamed: true, input: 6)])),
    ]
    let bracketings = EffectSyntax.bracketings(of: parts, with: branch.syntax)
    // The fifth of Schröder's numbers, which count exactly these trees.
    #expect(bracketings.count == 45)
    expectSameMeaning(bracketings)
  }

  private func expectSameMeaning(_ bracketings: [EffectSyntax]) {
    let first = bracketings[0].effect
    let wrong = bracketings.first { $0.effect.description != first.description || $0.effect.runs != first.runs }
    #expect(wrong == nil, "should be \(first)")
  }
}

/// The two ways to combine several effects into one.
enum Branch: CaseIterable, Sendable {
  case merge, concatenate

  func callAsFunction(_ parts: [Effect<Int>]) -> Effect<Int> {
    switch self {
    case .merge: .merge(parts)
    case .concatenate: .concatenate(parts)
    }
  }

  func syntax(_ parts: [EffectSyntax]) -> EffectSyntax {
    switch self {
    case .merge: .merge(parts)
    case .concatenate: .concatenate(parts)
    }
  }
}

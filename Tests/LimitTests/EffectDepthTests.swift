// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

/// A million levels on a stack of 512 KiB.
///
/// A level costs about ten microseconds, so not every shape is tested at that depth, and none in a debug build. The
/// others have 50,000 levels. That is still ten bytes of stack for each level, and any recursion needs more than fifty.
@Suite struct `Depth of effects` {
  private static let levels = 50_000
  #if DEBUG
    private static let deepestShapes: [DeepEffect] = []
  #else
    private static let deepestShapes: [DeepEffect] = [.leftMerge, .rightConcatenate, .alternating, .cancellable]
  #endif
  private static let shapes = DeepEffect.allCases.map { ($0, deepestShapes.contains($0) ? 1_000_000 : levels) }

  @Test func `The shapes match their names`() {
    #expect(
      DeepEffect.allCases.map { $0.make(levels: 3).description } == [
        #"merge(run("deepest", input: 0), send(1), send(2), send(3))"#,
        #"merge(send(3), send(2), send(1), run("deepest", input: 0))"#,
        #"concatenate(run("deepest", input: 0), send(1), send(2), send(3))"#,
        #"concatenate(send(3), send(2), send(1), run("deepest", input: 0))"#,
        #"concatenate(merge(send(2), concatenate(run("deepest", input: 0), send(1))), send(3))"#,
        #"cancellable(3, cancellable(2, cancellable(1, run("deepest", input: 0))))"#,
        """
        concatenate(cancellable(3, merge(send(2), cancellable(2, \
        concatenate(cancellable(1, run("deepest", input: 0)), send(1))))), send(3))
        """,
      ])
  }

  @Test(arguments: shapes)
  func `A deep tree is built, scoped, printed, listed and released`(
    _ shape: DeepEffect, levels: Int
  ) throws {
    let facts = try withSmallStack {
      let effect = shape.make(levels: levels).scoped("row") { $0 + 3 }
      return (description: effect.description, runs: effect.runs)
    }
    #expect(facts.runs == [EffectRun(id: EffectID("deepest").scoped(by: "row"), overlap: .concurrent, input: 0)])
    // Not the two texts themselves, because a failure would print millions of characters.
    let isAsExpected = facts.description == shape.text(levels: levels, adding: 3, scope: "\"row\"/")
    #expect(isAsExpected)
  }

  @Test(arguments: shapes)
  func `A deep tree is mapped, and is itself unchanged`(_ shape: DeepEffect, levels: Int) throws {
    let descriptions = try withSmallStack {
      let effect = shape.make(levels: levels)
      let mapped = effect.map { $0 + 1 }
      return [effect.description, mapped.description]
    }
    let areAsExpected = descriptions == [0, 1].map { shape.text(levels: levels, adding: $0) }
    #expect(areAsExpected)
  }

  @Test(arguments: DeepEffect.allCases)
  func `The inner half outlives the tree`(_ shape: DeepEffect) throws {
    let description = try withSmallStack {
      var tree = shape.make(levels: Self.levels)
      var inner = tree
      for _ in 0..<Self.levels / 2 * shape.branchesPerLevel { inner = inner.innerBranch }
      tree = .none
      return inner.description
    }
    let isAsExpected = description == shape.text(levels: Self.levels / 2)
    #expect(isAsExpected)
  }

  @Test func `Trees that share their inner half are released one after the other`() throws {
    let counts = try withSmallStack {
      let shared = DeepEffect.alternating.make(levels: Self.levels)
      var trees = [
        shared.cancellable(id: "a", overlap: .concurrent), .merge(shared, .send(1)), .concatenate(shared, shared),
      ]
      var counts: [Int] = []
      while let tree = trees.popLast() { counts.append(tree.runs.count) }
      return counts + [shared.runs.count]
    }
    #expect(counts == [2, 1, 1, 1])
  }

  @Test func `A tree that is wide at every level is released`() throws {
    let count = try withSmallStack {
      let tree = (1...Self.levels / 10).reduce(Effect<Int>.send(0)) { tree, level in
        let side = Effect<Int>.concatenate(.run { _ in }, .cancel(id: level))
        return .merge(side, tree, side, .send(level).cancellable(id: level, overlap: .concurrent))
      }
      return tree.runs.count
    }
    #expect(count == 2 * (Self.levels / 10))
  }

  @Test func `Many parts of one branch are one level`() {
    let effect = Effect.merge((1...Self.levels).map { .send($0) })
    guard case .merge(let parts) = effect.map({ $0 + 1 }) else {
      Issue.record("not a merge")
      return
    }
    #expect(parts.count == Self.levels)
    #expect(parts.last.map { "\($0)" } == "send(\(Self.levels + 1))")
  }

  @Test func `A recursive enum overflows the same stack`() async {
    let result = await #expect(processExitsWith: .failure) {
      try withSmallStack {
        _ = (1...1_000_000).reduce(EffectSyntax.none) { tree, _ in .merge([tree, .none]) }
      }
    }
    // Killed by the system, not ended by an error of the helper.
    guard case .signal = result?.exitStatus else {
      Issue.record("ended with \(String(describing: result?.exitStatus))")
      return
    }
  }
}

extension Effect {
  /// The only part that has parts itself, or the innermost run.
  fileprivate var innerBranch: Effect {
    switch self {
    case .none, .send, .run, .cancel: self
    case .merge(let parts), .concatenate(let parts):
      parts.first { if case .send = $0 { false } else { true } } ?? .none
    case .cancellable(let tree): tree.content
    }
  }
}

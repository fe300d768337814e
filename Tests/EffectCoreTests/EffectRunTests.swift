// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

/// `runs` and the values it lists.
@Suite struct `Runs as values` {
  private struct Point: Hashable { var x = 0, y = 0 }

  private class Animal: Hashable, @unchecked Sendable {
    static func == (left: Animal, right: Animal) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  private final class Bird: Animal, @unchecked Sendable {}

  @Test func `A reducer can be tested by its runs, without a store`() {
    let effect = Effect<String>.merge(
      .cancel(id: "more"),
      .run(id: "search", overlap: .restart, input: "swift") { query, send in send(query) },
      .concatenate(.send("x"), .run(name: "log") { _ in }))
    #expect(
      effect.runs == [EffectRun(id: "search", overlap: .restart, input: "swift"), EffectRun(name: "log")])
  }

  @Test func `The source line is carried and not compared`() {
    let line = #line
    let effect = Effect<Int>.run(id: "a", overlap: .concurrent) { _ in }
    let expected = EffectRun(id: "a", overlap: .concurrent)
    #expect(effect.runs == [expected])
    #expect(effect.runs.map(\.site.line) == [line + 1])
    #expect(expected.site.line == line + 2)
    #expect(effect.runs.map(\.site.description) == ["EffectCoreTests/EffectRunTests.swift:\(line + 1)"])
  }

  @Test func `The source line is that of the call, for every kind of run`() {
    let line = #line
    let effects: [Effect<Int>] = [
      .run { _ in },
      .run(id: 1, overlap: .concurrent) { _ in },
      .run(input: 1) { _, _ in },
      .run(id: 1, overlap: .concurrent, input: 1) { _, _ in },
      .stream(sequence: { Values([1]) }) { $0 },
      Effect.run { _ in }.cancellable(id: 1, overlap: .concurrent).map { $0 }.scoped(2) { $0 },
    ]
    #expect(Effect.merge(effects).runs.map(\.site.line) == (2...7).map { line + $0 })
  }

  @Test func `A call site counts lines from 1 and does not overflow`() {
    #expect(CallSite(fileID: "M/F.swift", line: 12).description == "M/F.swift:12")
    #expect(CallSite(fileID: "M/F.swift", line: UInt(UInt32.max) + 5).line == Int(UInt32.max))
  }

  @Test func `Id, overlap, input and name are compared`() {
    let run = EffectRun(id: "a", overlap: .drop, input: 1, name: "n")
    #expect(run == EffectRun(id: "a", overlap: .drop, input: 1, name: "n"))
    #expect(run != EffectRun(id: "b", overlap: .drop, input: 1, name: "n"))
    #expect(run != EffectRun(input: 1, name: "n"))
    #expect(run != EffectRun(id: "a", overlap: .drop(limit: 2), input: 1, name: "n"))
    #expect(run != EffectRun(id: "a", overlap: .drop, input: 2, name: "n"))
    #expect(run != EffectRun(id: "a", overlap: .drop, name: "n"))
    #expect(run != EffectRun(id: "a", overlap: .drop, input: 1, name: "m"))
    #expect(run != EffectRun(id: "a", overlap: .drop, input: 1))
  }

  @Test func `Inputs are equal when type and value are`() {
    let inputs: [any Hashable & Sendable] = [
      1, 2, UInt8(1), 1.0, "1", "2", Point(), Point(x: 1), true, Int?.some(1), Int?.none, String?.none, [1],
      Set([1]), Animal(), Bird(),
    ]
    for (i, left) in inputs.enumerated() {
      #expect(!EffectInput.areEqual(left, nil))
      #expect(!EffectInput.areEqual(nil, left))
      for (j, right) in inputs.enumerated() {
        #expect(
          EffectInput.areEqual(left, right) == (i == j), "\(left): \(type(of: left)), \(right): \(type(of: right))")
        #expect((EffectRun(input: left) == EffectRun(input: right)) == (i == j))
      }
    }
    #expect(EffectInput.areEqual(nil, nil))
  }

  @Test func `A run prints as in its effect`() {
    #expect("\(EffectRun())" == "run()")
    #expect(
      "\(EffectRun(id: "a", overlap: .join(limit: 2), input: Point(), name: "n"))"
        == #"run("a", input: Point(x: 0, y: 0), name: "n", overlap: join(limit: 2))"#)
  }
}

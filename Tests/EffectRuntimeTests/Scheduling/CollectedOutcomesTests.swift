// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct CollectedOutcomesTests {
  private let run = EffectRun(id: "save", overlap: .concurrent, fileID: "App/Save.swift", line: 7)

  @Test func `Outcomes are collected for those dispatches that were started, until they are removed (L7)`() {
    var collected = CollectedOutcomes()
    #expect(collected.isEmpty)
    #expect(collected.remove(1) == nil)
    collected.add(run, .finished, to: 1)
    #expect(collected.isEmpty)

    collected.start(1)
    collected.start(2)
    #expect(collected.contains(1) && collected.contains(2) && !collected.contains(3))
    collected.add(run, .finished, to: 1)
    collected.add(run, .dropped, to: 1)
    #expect(collected[1]?.map(\.outcome) == [.finished, .dropped])
    #expect(collected[2]?.count == 0)
    #expect(collected[3] == nil)

    #expect(collected.remove(1)?.count == 2)
    #expect(collected.remove(1) == nil)
    #expect(!collected.isEmpty)
    #expect(collected.remove(2)?.count == 0)
    #expect(collected.isEmpty)
    #expect(collected.all.isEmpty)
  }
}

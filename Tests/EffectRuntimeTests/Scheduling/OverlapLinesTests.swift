// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct OverlapLinesTests {
  private func line(_ number: UInt) -> CallSite { CallSite(fileID: "App/Feature.swift", line: number) }

  @Test func `A line counts as present until its last work has settled (O1)`() {
    var lines = OverlapLines()
    #expect(lines.isEmpty)
    lines.arrived(line(1), .drop)
    lines.arrived(line(1), .drop)
    lines.left(line(1), .drop)
    #expect(!lines.isEmpty)
    #expect(lines.differences(from: line(2), .restart).map(\.line) == [1])
    lines.left(line(1), .drop)
    #expect(lines.isEmpty)
    #expect(lines.differences(from: line(3), .restart).map(\.line) == [])
  }

  @Test func `Lines of equal kind do not differ, and a line with two kinds counts as two`() {
    var lines = OverlapLines()
    lines.arrived(line(1), .drop)
    lines.arrived(line(2), .enqueue)
    lines.arrived(line(2), .restart)
    #expect(lines.differences(from: line(3), .drop).map(\.line) == [2, 2])
    #expect(lines.differences(from: line(1), .drop).map(\.line) == [2, 2])
    #expect(lines.differences(from: line(1), .drop).map(\.line) == [])
    #expect(lines.differences(from: line(3), .restart).map(\.line) == [1, 2])
  }
}

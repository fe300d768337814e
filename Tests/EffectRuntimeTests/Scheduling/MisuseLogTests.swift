// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct MisuseLogTests {
  private let place: Int32 = 3
  private let first = CallSite(fileID: "App/First.swift", line: 1)
  private let second = CallSite(fileID: "App/Second.swift", line: 2)

  /// A log that records the lines of one id, where work of the first line is present.
  private var recording: MisuseLog {
    var lines = OverlapLines()
    lines.arrived(first, .restart)
    var log = MisuseLog()
    log.record(lines, at: place)
    return log
  }

  @Test func `A misuse is reported once for each key`() {
    var log = MisuseLog()
    #expect(log.isEmpty)
    let isFirst = ["1|2", "1|2", "1|3"].map { log.reportsFirst($0) }
    #expect(isFirst == [true, false, true])
    #expect(!log.isEmpty)
    #expect(!log.hasLines)
  }

  @Test func `A line differs from present lines with another kind, once for a pair of lines (O1)`() {
    var log = recording
    #expect(log.differences(from: second, .drop, at: place).map(\.line) == [1])
    #expect(log.differences(from: second, .drop, at: place).map(\.line) == [])
    #expect(log.differences(from: second, .restart, at: place).map(\.line) == [])
  }

  @Test func `Lines are forgotten when no work of the id is left`() {
    var log = recording
    log.arrived(second, .drop, at: place)
    #expect(log.left(first, .restart, at: place) == false)
    #expect(log.hasLines)
    #expect(log.differences(from: first, .restart, at: place).map(\.line) == [2])
    #expect(log.left(second, .drop, at: place) == true)
    #expect(!log.hasLines)
    #expect(log.isEmpty)
  }

  @Test func `Lines of an id that is not recorded are ignored`() {
    var log = MisuseLog()
    log.arrived(first, .restart, at: place)
    #expect(log.left(first, .restart, at: place) == false)
    #expect(log.isEmpty)
  }
}

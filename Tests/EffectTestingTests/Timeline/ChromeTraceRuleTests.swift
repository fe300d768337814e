// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import Foundation
import TestSupport
import Testing

@testable import EffectTesting

@Suite struct `Rules of Chrome traces` {
  private struct Entry: Decodable {
    let ph: String
    let name: String
    let tid: Int
    let ts: Double?
    let dur: Double?
    let id: Int?
    var start: Int { Int((1_000 * (ts ?? 0)).rounded()) }
    var end: Int { start + Int((1_000 * (dur ?? 0)).rounded()) }
  }

  private struct File: Decodable { let traceEvents: [Entry] }

  private func entries(_ events: [TraceEvent<TraceScript.Action>]) throws -> [Entry] {
    try JSONDecoder().decode(File.self, from: Data(Timeline.chromeTrace(events).utf8)).traceEvents
  }

  @Test func `Slices are nested, arrows lead from slice to slice, and all are sorted, for any trace`()
    throws
  {
    var traces = (UInt64(0)..<25).map { Soup(seed: $0).events(200) }
    traces += [Scripts.naive(), Scripts.safe(), Scripts.queue(), Scripts.retry(), Scripts.tree()].map(\.events)
    traces += [Scripts.many(), Scripts.texts(), Scripts.join(), Scripts.instant()].map(\.events)
    for (place, trace) in traces.enumerated() {
      let entries = try entries(trace).filter { $0.ph != "M" }
      #expect(entries.map(\.start) == entries.map(\.start).sorted(), "trace \(place)")
      #expect(entries.allSatisfy { $0.start >= 0 && $0.end >= $0.start })
      var open: [Int: [Int]] = [:]
      var isNested = true
      for slice in entries where slice.ph == "X" {
        var around = open[slice.tid] ?? []
        while let last = around.last, last <= slice.start { around.removeLast() }
        if let last = around.last, slice.end > last { isNested = false }
        open[slice.tid] = around + [slice.end]
      }
      #expect(isNested, "trace \(place)")
      let flows = Dictionary(grouping: entries.filter { $0.ph == "s" || $0.ph == "f" }) { $0.id }
      #expect(flows.values.allSatisfy { $0.map(\.ph) == ["s", "f"] }, "trace \(place)")
      let slices = Dictionary(grouping: entries.filter { $0.ph == "X" }) { $0.tid }
      #expect(
        flows.values.joined().allSatisfy { end in
          slices[end.tid]?.contains { $0.start <= end.start && end.start < $0.end } ?? false
        }, "trace \(place)")
    }
  }

  @Test func `That a run joins another one is marked in the row of the other one (O5)`() throws {
    let marks = try entries(Scripts.join().events).filter { $0.ph == "i" && $0.name.contains("joins") }
    #expect(marks.map(\.name) == ["2 joins 1", "3 joins 1"])
    #expect(marks.map(\.tid) == [2, 2])
  }

  @Test func `Runs share a row if one has ended before the other begins`() throws {
    let rows = try Set(entries(Scripts.many().events).filter { $0.ph == "X" }.map(\.tid))
    #expect(rows == [1, 2])
    let race = try Set(entries(Scripts.naive().events).filter { $0.ph == "X" }.map(\.tid))
    #expect(race == [1, 2, 3, 4, 5, 6])
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import race_lab

@Suite struct `Settings of a race` {
  private static let whole = [
    "overlap": "restart", "limit": "1", "latency": "decreasing", "least": "300", "most": "1500", "deaf": "true",
  ]

  @Test func `All of it is read`() {
    let latency = Latency(kind: .decreasing, range: 300...1500)
    #expect(Settings { Self.whole[$0] } == Settings(overlap: .restart, latency: latency, isDeaf: true))
  }

  @Test(arguments: [
    ("concurrent", Overlap.concurrent), ("restart", .restart(limit: 2)), ("drop", .drop(limit: 2)),
    ("enqueue", .enqueue(limit: 2)), ("keepLatest", .keepLatest(limit: 2)), ("join", .join(limit: 2)),
  ])
  func `Each overlap is read from its name`(name: String, overlap: Overlap) {
    let text = Self.whole.merging(["overlap": name, "limit": "2"]) { $1 }
    #expect(Settings { text[$0] }?.overlap == overlap)
  }

  @Test(arguments: [
    ("overlap", "exclusive"), ("overlap", ""), ("limit", "0"), ("limit", "10"), ("limit", "1e9"), ("latency", "never"),
    ("least", "-1"), ("least", "1501"), ("most", "5001"), ("most", "99999999999999999999"), ("deaf", "perhaps"),
  ])
  func `A value beyond its limits is refused`(name: String, value: String) {
    let text = Self.whole.merging([name: value]) { $1 }
    #expect(Settings { text[$0] } == nil)
  }

  @Test(arguments: whole.keys)
  func `A missing value is refused`(name: String) {
    #expect(Settings { $0 == name ? nil : Self.whole[$0] } == nil)
  }
}

@Suite struct `Latencies` {
  private static let queries = ["s", "sw", "swi", "swif", "swift", "swifts"]

  @Test func `The longer the query, the sooner the answer`() {
    let latency = Latency(kind: .decreasing, range: 300...1500)
    #expect(Self.queries.map { latency.milliseconds(for: $0, seed: 1) } == [1500, 1200, 900, 600, 300, 300])
  }

  @Test func `Random ones differ by query and race, stay in their range, and are the same for both searches`() {
    let latency = Latency(kind: .random, range: 10...2000)
    let times = (0..<200).map { latency.milliseconds(for: "\($0)", seed: 7) }
    #expect(times == (0..<200).map { latency.milliseconds(for: "\($0)", seed: 7) })
    #expect(times != (0..<200).map { latency.milliseconds(for: "\($0)", seed: 8) })
    #expect(times.allSatisfy { (10...2000).contains($0) })
    #expect(Set(times).count > 150)
    #expect(Latency(kind: .random, range: 5...5).milliseconds(for: "s", seed: 7) == 5)
  }

  @Test func `Fixed ones are all the same`() {
    #expect(Set(Self.queries.map { Latency(kind: .fixed, range: 9...9).milliseconds(for: $0, seed: 1) }) == [9])
  }

  @Test func `Birds are found by any part of their name`() {
    #expect(Backend.birds(named: "SWIFT").count == 6)
    #expect(Backend.birds(named: "swift").first == "Alpine swift")
    #expect(Backend.birds(named: "x?").isEmpty)
  }
}

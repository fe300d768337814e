// This source file is part of swift-effects. License: Apache-2.0.

internal import Foundation

/// The printed text, and whether all results are as expected.
struct Report {
  private(set) var isGood = true
  private var capacity = 1.0

  mutating func begin(busy: Int, capacity: Double) {
    self.capacity = capacity
    print(
      "beside \(busy) busy threads the store reduces \(Self.grouped(capacity)) actions a second, a microsecond of work each"
    )
    print("load                     sent/s peak  backlog    p50 us     p99 us   p99.9 us     max us    heap MB")
  }

  mutating func add(_ wave: Wave, _ latencies: Histogram, _ samples: [Sample]) {
    let backlog = samples.map(\.backlog).max() ?? 0
    let numbers: [Double] = [
      samples.map(\.sent).max() ?? 0, backlog, latencies.microseconds(0.5), latencies.microseconds(0.99),
      latencies.microseconds(0.999), Double(latencies.longest) / 1e3, samples.map(\.megabytes).max() ?? 0,
    ]
    let widths = [12, 9, 10, 11, 11, 11, 11]
    print(
      wave.name.padding(toLength: 25, withPad: " ", startingAt: 0)
        + zip(numbers, widths).map { number, width in
          let text = Self.grouped(number)
          return String(repeating: " ", count: max(1, width - text.count)) + text
        }.joined())
    if let peak = wave.peak, peak > 1 { compare(latencies, backlog) }
    if wave.peak == nil, backlog > 16 { fail("more than one action of each producer waited: \(backlog)") }
  }

  /// If the load is too high, an action waits for the actions before it and for nothing else.
  private func compare(_ latencies: Histogram, _ backlog: Double) {
    print(
      "  \(Self.grouped(backlog)) actions are \(String(format: "%.1f", backlog / capacity)) s of work; the longest wait was "
        + "\(String(format: "%.1f", Double(latencies.longest) / 1e9)) s")
  }

  mutating func close(_ state: Feature.State, isLive: Bool) {
    print("out of order \(state.outOfOrder), answered by runs \(Self.grouped(Double(state.answered)))")
    if state.outOfOrder > 0 { fail("actions were lost, doubled or overtaken") }
    if isLive { fail("something still runs") }
  }

  mutating func close(sent: Int, reduced: Int) {
    print("sent \(Self.grouped(Double(sent))), reduced \(Self.grouped(Double(reduced)))")
    if sent != reduced { fail("\(sent - reduced) actions were lost") }
  }

  mutating func close(heapBefore before: Double, after: Double) {
    print("heap before \(String(format: "%.1f", before)) MB, after \(String(format: "%.1f", after)) MB")
    if after > before + 8 { fail("memory was not given back") }
  }

  private mutating func fail(_ what: String) {
    isGood = false
    print("FAILED: \(what)")
  }

  static func grouped(_ number: Double) -> String {
    var (text, digits) = ("", String(Int(number.rounded())))
    while digits.count > 3 {
      text = "," + digits.suffix(3) + text
      digits.removeLast(3)
    }
    return digits + text
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// By which lines the states of a search multiply.
///
/// In each state a line has a situation: its runs are not there, wait, or are at some point. As many states as have the most frequent
/// situation would be there without the line. So all states, divided by these, are its factor.
struct StateWeights {
  private struct Line {
    let name: String
    var counts: [Int: Int] = [:]
    /// Its situation in the state at hand, as a hash.
    var situation = 0
    /// In how many states it was there.
    var count = 0
  }

  private var lines: [String: Line] = [:]
  private var count = 0

  /// The next state is read.
  mutating func begin() {
    for key in lines.keys { lines[key]?.situation = 0 }
  }

  /// A part of the situation of a line.
  ///
  /// - Parameters:
  ///   - key: distinguishes the line from others.
  ///   - name: what a result calls it.
  ///   - part: not zero; parts can be added in any order.
  mutating func add(_ key: String, _ name: @autoclosure () -> String, _ part: Int) {
    lines[key, default: Line(name: name())].situation &+= part
  }

  /// The state that was read is a new one.
  mutating func keep() {
    count += 1
    for (key, line) in lines where line.situation != 0 {
      lines[key]?.counts[line.situation, default: 0] += 1
      lines[key]?.count += 1
    }
  }

  /// The lines with the largest factors, at most two, if there are any that at least double the states.
  var heaviest: [(name: String, factor: Double)] {
    let all = lines.values.map { line in
      (line.name, Double(count) / Double(max(count - line.count, line.counts.values.max() ?? 0, 1)))
    }
    return Array(all.filter { $0.1 >= 2 }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.prefix(2))
  }

  /// What a result says about them; empty if nothing.
  var advice: String {
    let texts = heaviest.map { name, factor in
      let tenths = Int((factor * 10).rounded())
      return "\(name) (\(tenths / 10)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") times)"
    }
    return texts.isEmpty ? "" : "; the states multiply by \(texts.joined(separator: " and ")): try with fewer of them"
  }
}

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

  private struct Key: Hashable {
    let line: String
    let isDeadline: Bool
  }

  private var lines: [Key: Line] = [:]
  private var count = 0

  /// The next state is read.
  mutating func begin() {
    for key in lines.keys { lines[key]?.situation = 0 }
  }

  /// A part of the situation of a line.
  ///
  /// - Parameters:
  ///   - line: distinguishes the line from others.
  ///   - isDeadline: whether it is about the deadlines of the line, which count as another line.
  ///   - name: what a result calls it.
  ///   - part: not zero; parts can be added in any order.
  mutating func add(_ line: String, isDeadline: Bool = false, _ name: @autoclosure () -> String, _ part: Int) {
    lines[Key(line: line, isDeadline: isDeadline), default: Line(name: name())].situation &+= part
  }

  /// The state that was read is a new one.
  mutating func keep() {
    count += 1
    for (key, line) in lines where line.situation != 0 {
      lines[key]?.counts[line.situation, default: 0] += 1
      lines[key]?.count += 1
    }
  }

  /// The lines with the largest factors, at most two, if there are any that at least double the states. Only one of a line and its
  /// deadlines: with fewer runs there are also fewer deadlines.
  var heaviest: [(name: String, factor: Double)] {
    let all = lines.map { key, line in
      let without = max(count - line.count, line.counts.values.max() ?? 0, 1)
      return (line: key.line, name: line.name, factor: Double(count) / Double(without))
    }
    let sorted = all.filter { $0.factor >= 2 }.sorted { ($1.factor, $0.name) < ($0.factor, $1.name) }
    guard let first = sorted.first else { return [] }
    let second = sorted.first { $0.line != first.line }
    return [first, second].compactMap { line in line.map { ($0.name, $0.factor) } }
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

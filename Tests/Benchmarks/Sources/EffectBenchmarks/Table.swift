// This source file is part of swift-effects. License: Apache-2.0.

/// The printed table: one line for each contestant, as wide as a terminal.
enum Table {
  static let heading = line("row", "contestant", "each", "ratio", "goal", "", "quarter points")

  static func lines(of outcome: Outcome) -> String {
    let unit = outcome.unit
    var lines = ["\(outcome.name): \(outcome.title)"]
    let each = "\(grouped(outcome.framework)) \(unit)"
    if let limit = outcome.limit {
      let spread = "\(grouped(outcome.spread.lowerBound)) to \(grouped(outcome.spread.upperBound))"
      lines.append(line("", outcome.contestant, each, "", "\(limit)", verdict(outcome.isWithinLimit), spread))
    } else {
      lines.append(line("", outcome.contestant, each, "", "", "", ""))
    }
    for comparison in outcome.comparisons {
      let (goal, spread) = (comparison.goal, comparison.spread)
      let (ratio, quarters) =
        switch goal {
        case .atMost: ("\(two(comparison.ratio))x", span(spread))
        case .shown where comparison.ratio < 1:
          ("\(two(1 / comparison.ratio))x slower", span(1 / spread.upperBound...1 / spread.lowerBound))
        case .timesFaster, .shown: ("\(two(comparison.ratio))x faster", span(spread))
        case .adds: ("\(grouped(comparison.ratio)) \(unit) more", span(spread))
        }
      let median = "\(grouped(comparison.median)) \(unit)"
      lines.append(
        line("", comparison.rival, median, ratio, "\(goal)", verdict(comparison.isMet, of: goal), quarters))
    }
    return lines.joined(separator: "\n")
  }

  static func lines(of outcome: Growth.Outcome, in growth: Growth) -> String {
    var lines = ["\(growth.name): \(outcome.cost), \(growth.title)"]
    for (size, each) in zip(growth.sizes, outcome.medians) {
      let (size, each) = (grouped(size), "\(grouped(each)) ns")
      if lines.count == growth.sizes.count {
        let ratio = "\(two(outcome.ratio))x"
        lines.append(
          line("", size, each, ratio, "\(growth.goal)", verdict(outcome.isMet, of: growth.goal), span(outcome.spread)))
      } else {
        lines.append(line("", size, each, "", "", "", ""))
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func verdict(_ isMet: Bool) -> String { isMet ? "met" : "MISSED" }

  private static func verdict(_ isMet: Bool, of goal: Goal) -> String {
    if case .shown = goal { "" } else { verdict(isMet) }
  }

  private static func span(_ range: ClosedRange<Double>) -> String {
    "\(two(range.lowerBound)) to \(two(range.upperBound))"
  }

  private static func line(
    _ row: String, _ contestant: String, _ each: String, _ ratio: String, _ goal: String, _ verdict: String,
    _ spread: String
  ) -> String {
    let cells = [
      padded(row, 4), padded(contestant, 20), leftPadded(each, 12), leftPadded(ratio, 15), "   " + padded(goal, 18),
      padded(verdict, 8), spread,
    ]
    var text = cells.joined()
    while text.last == " " { text.removeLast() }
    return text
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func leftPadded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// `12,345` from a hundred upwards, `42.1` below.
  static func grouped(_ value: Double) -> String {
    value >= 100 ? grouped(Int(value.rounded())) : fixed(value, decimals: 1)
  }

  private static func grouped(_ value: Int) -> String {
    let digits = Array("\(value)")
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  private static func two(_ value: Double) -> String { fixed(value, decimals: 2) }

  private static func fixed(_ value: Double, decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((value.magnitude * Double(scale)).rounded())
    let fraction = "\(scaled % scale)"
    let sign = value < 0 ? "-" : ""
    return "\(sign)\(scaled / scale).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// The printed table: one line a contestant, as wide as a terminal.
enum Table {
  static let heading = line("row", "contestant", "each", "ratio", "to reach", "", "quarter points")

  static func lines(of outcome: Outcome) -> String {
    let unit = outcome.row.unit
    var lines = ["\(outcome.row.name): \(outcome.row.title)"]
    lines.append(line("", outcome.row.framework.name, "\(grouped(outcome.framework)) \(unit)", "", "", "", ""))
    for comparison in outcome.comparisons {
      let met = comparison.isMet ? "met" : "MISSED"
      let (ratio, verdict) =
        switch comparison.rival.goal {
        case .atMost: ("\(two(comparison.ratio))x", met)
        case .timesFaster: ("\(two(comparison.ratio))x faster", met)
        case .shown: ("\(two(comparison.ratio))x faster", "")
        }
      let spread = "\(two(comparison.spread.lowerBound)) to \(two(comparison.spread.upperBound))"
      let median = "\(grouped(comparison.median)) \(unit)"
      lines.append(
        line("", comparison.rival.contestant.name, median, ratio, "\(comparison.rival.goal)", verdict, spread))
    }
    return lines.joined(separator: "\n")
  }

  private static func line(
    _ row: String, _ contestant: String, _ each: String, _ ratio: String, _ goal: String, _ verdict: String,
    _ spread: String
  ) -> String {
    let cells = [
      padded(row, 4), padded(contestant, 16), leftPadded(each, 12), leftPadded(ratio, 15), "   " + padded(goal, 16),
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

  /// `12,345` from a hundred on, `42.1` below.
  static func grouped(_ value: Double) -> String {
    guard value >= 100 else { return fixed(value, decimals: 1) }
    let digits = Array("\(Int(value.rounded()))")
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

// This source file is part of swift-effects. License: Apache-2.0.

internal import Foundation

/// The soak as a picture: load, latency and memory over the same seconds.
struct Plot {
  let samples: [Sample]

  private struct Line {
    var name: String
    var colour: String
    var value: (Sample) -> Double
  }

  private static let (width, height): (Double, Double) = (860, 170)
  private static let (left, top, gap): (Double, Double, Double) = (90, 34, 52)

  var svg: String {
    let load = panel(
      0, "actions a second",
      [
        Line(name: "sent", colour: "sent") { $0.sent }, Line(name: "reduced", colour: "reduced") { $0.reduced },
      ], isLogarithmic: false)
    let latency = panel(
      1, "from send to reduced",
      [
        Line(name: "max", colour: "max") { $0.longest }, Line(name: "p99.9", colour: "p999") { $0.p999 },
        Line(name: "p99", colour: "p99") { $0.p99 }, Line(name: "p50", colour: "p50") { $0.p50 },
      ], isLogarithmic: true)
    let memory = panel(
      2, "megabytes of heap", [Line(name: "heap", colour: "heap") { $0.megabytes }], isLogarithmic: false)
    let total = 3 * (Self.height + Self.gap) + Self.top
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.left + Self.width + 80)) \(Int(total))" font-family="sans-serif" \
      font-size="13">
      <style>
      :root { color-scheme: light dark }
      svg { background: #fff } text { fill: #333 } .grid { stroke: #ddd } path { fill: none; stroke-width: 1.6 }
      path.sent { stroke: #9a6b00 } path.reduced { stroke: #0b6bcb } path.heap { stroke: #7a3fb0 }
      path.max { stroke: #b3261e } path.p999 { stroke: #b85c00 } path.p99 { stroke: #0b6bcb } path.p50 { stroke: #1a7f37 }
      text.sent { fill: #9a6b00 } text.reduced { fill: #0b6bcb } text.heap { fill: #7a3fb0 } text.max { fill: #b3261e }
      text.p999 { fill: #b85c00 } text.p99 { fill: #0b6bcb } text.p50 { fill: #1a7f37 }
      @media (prefers-color-scheme: dark) {
        svg { background: #16181c } text { fill: #ddd } .grid { stroke: #3a3d44 }
        path.sent { stroke: #e0b050 } path.reduced, path.p99 { stroke: #6cb2ff } path.heap { stroke: #c59cf0 }
        path.max { stroke: #ff8a80 } path.p999 { stroke: #ffb070 } path.p50 { stroke: #6fd08c }
        text.sent { fill: #e0b050 } text.reduced, text.p99 { fill: #6cb2ff } text.heap { fill: #c59cf0 }
        text.max { fill: #ff8a80 } text.p999 { fill: #ffb070 } text.p50 { fill: #6fd08c }
      }
      </style>
      \(load)\(latency)\(memory)</svg>

      """
  }

  private func panel(_ index: Int, _ title: String, _ lines: [Line], isLogarithmic: Bool) -> String {
    let base = Self.top + Double(index) * (Self.height + Self.gap)
    let most = lines.flatMap { line in samples.map(line.value) }.max() ?? 1
    let high: Double = isLogarithmic ? log10(max(most, 10)).rounded(.up) : rounded(most)
    func y(_ value: Double) -> Double {
      let part: Double = isLogarithmic ? log10(max(value, 1)) / high : value / high
      return base + Self.height * (1 - min(max(part, 0), 1))
    }
    var text = #"<text x="\#(Int(Self.left))" y="\#(Int(base - 12))" font-weight="bold">\#(title)</text>"# + "\n"
    for tick in ticks(high, isLogarithmic) {
      text += """
        <line class="grid" x1="\(Int(Self.left))" x2="\(Int(Self.left + Self.width))" y1="\(format(y(tick)))" y2="\(format(y(tick)))"/>
        <text x="\(Int(Self.left - 8))" y="\(format(y(tick) + 4))" text-anchor="end">\(name(tick, isLogarithmic))</text>

        """
    }
    let last = samples.last?.second ?? 1
    for (number, line) in lines.enumerated() {
      let points = samples.map { sample in
        "\(format(Self.left + Self.width * sample.second / last)),\(format(y(line.value(sample))))"
      }
      text += #"<path class="\#(line.colour)" d="M\#(points.joined(separator: "L"))"/>"# + "\n"
      text +=
        #"<text class="\#(line.colour)" x="\#(Int(Self.left + Self.width + 8))" y="\#(Int(base) + 14 + 18 * number)">"#
      text += "\(line.name)</text>\n"
    }
    for minute in stride(from: 0, through: last, by: last > 240 ? 60 : 10) {
      let x = Self.left + Self.width * minute / last
      let label = last > 240 ? "\(Int(minute / 60)) min" : "\(Int(minute)) s"
      text +=
        #"<text x="\#(format(x))" y="\#(format(base + Self.height + 18))" text-anchor="middle">\#(label)</text>"# + "\n"
    }
    return text
  }

  private func ticks(_ high: Double, _ isLogarithmic: Bool) -> [Double] {
    isLogarithmic ? (0...Int(high)).map { pow(10.0, Double($0)) } : [0, high / 2, high]
  }

  private func name(_ tick: Double, _ isLogarithmic: Bool) -> String {
    guard isLogarithmic else { return Report.grouped(tick) }
    return tick < 1e3 ? "\(Int(tick)) us" : tick < 1e6 ? "\(Int(tick / 1e3)) ms" : "\(Int(tick / 1e6)) s"
  }

  /// The next number that is suitable for the end of a scale.
  private func rounded(_ most: Double) -> Double {
    let magnitude = pow(10.0, log10(max(most, 1)).rounded(.down))
    return ([1, 2, 4, 8, 10].first { $0 * magnitude >= most } ?? 10) * magnitude
  }

  private func format(_ number: Double) -> String { String(format: "%.1f", number) }
}

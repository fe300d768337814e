// This source file is part of swift-effects. License: Apache-2.0.

/// A row for each file: a bar, and its phase.
func rows(_ items: [Downloads.Item]) -> [String] {
  items.map { item in
    let width = 24
    let full = item.file.size == 0 ? width : item.received * width / item.file.size
    let bar = String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
    return "\(item.id) [\(bar)] \(item.phase)"
  }
}

/// In a terminal, rows that are drawn over the ones before.
func redrawn(_ rows: [String], over count: Int) -> String {
  (count > 0 ? "\u{1B}[\(count)A" : "") + rows.map { "\u{1B}[2K\($0)\n" }.joined() + "\u{1B}[J"
}

// This source file is part of swift-effects. License: Apache-2.0.

/// A row of the table.
protocol Measurable: Sendable {
  /// What `--only` takes.
  var name: String { get }
  /// What is measured, for people.
  var title: String { get }

  func report(_ options: Options) async -> Report
}

/// What came of measuring a row.
struct Report {
  let text: String
  let isMet: Bool
}

extension Measurable {
  /// Whether `--only` means this row: by its name, or by that of its group, up to a hyphen.
  func isNamed(_ name: String) -> Bool {
    self.name == name || self.name.hasPrefix("\(name)-")
  }
}

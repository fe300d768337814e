// This source file is part of swift-effects. License: Apache-2.0.

/// A row of the table.
protocol Measurable: Sendable {
  /// What `--only` takes.
  var name: String { get }
  /// What is measured, for people.
  var title: String { get }
  /// Whether it takes minutes, and so is measured only if its full name is given.
  var isLong: Bool { get }

  func report(_ options: Options) async -> Report
}

/// What came of measuring a row.
struct Report {
  let text: String
  let isMet: Bool
}

extension Measurable {
  var isLong: Bool { false }

  /// Whether `--only` means this row: by its name, or by that of its group, up to a hyphen.
  func isNamed(_ name: String) -> Bool {
    self.name == name || (!isLong && self.name.hasPrefix("\(name)-"))
  }
}

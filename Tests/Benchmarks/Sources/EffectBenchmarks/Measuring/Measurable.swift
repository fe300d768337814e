// This source file is part of swift-effects. License: Apache-2.0.

/// A row of the table.
protocol Measurable: Sendable {
  /// The name for `--only`.
  var name: String { get }
  /// What is measured, as text for the reader.
  var title: String { get }
  /// Whether it takes minutes, so that it is measured only if its full name is given.
  var isLong: Bool { get }

  func report(_ options: Options) async -> Report
}

/// The result of a row, as text.
struct Report {
  let text: String
  /// Whether all goals of the row are met.
  let isMet: Bool
}

extension Measurable {
  var isLong: Bool { false }

  /// Whether its name begins with that of a group, up to a hyphen.
  func isInGroup(_ group: String) -> Bool { !isLong && name.hasPrefix("\(group)-") }
}

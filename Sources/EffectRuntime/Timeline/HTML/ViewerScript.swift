// This source file is part of swift-effects. License: Apache-2.0.

extension Viewer {
  /// What the page does; one function scope, from parts by concern.
  static let script = [
    "(() => {\n\"use strict\";", model, phases, layout, shapes, drawing, marks, input, details, list, start, "})();",
  ].joined(separator: "\n")
}

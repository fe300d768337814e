// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How parts of the screen stand out: control sequences of the terminal, each undone by `plain`.
struct Style: Equatable, Sendable {
  /// What contains the query.
  var match: String
  /// The help line.
  var help: String
  /// A search that has failed.
  var failure: String

  static let plain = "\u{1B}[0m"

  /// Colours.
  static let colours = Style(match: "\u{1B}[1;33m", help: "\u{1B}[36m", failure: "\u{1B}[31m")
  /// No colour, but bold and underlined, as https://no-color.org allows.
  static let noColours = Style(match: "\u{1B}[1;4m", help: "", failure: "\u{1B}[1m")

  /// What the environment asks for: `NO_COLOR`, if it is set and not empty, means no colour.
  static var ofEnvironment: Style { of { name in unsafe getenv(name).map { unsafe String(cString: $0) } } }

  static func of(environment variable: (String) -> String?) -> Style {
    let isPlain = variable("NO_COLOR").map { !$0.isEmpty } ?? false
    return isPlain || variable("TERM") == "dumb" ? noColours : colours
  }
}

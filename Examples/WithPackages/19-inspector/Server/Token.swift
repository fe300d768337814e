// This source file is part of swift-effects. License: Apache-2.0.

/// A secret of one inspector, the first part of the path of each request.
struct Token: Sendable {
  /// The path of the page: 128 random bits between slashes.
  let path: String

  init() {
    var random = SystemRandomNumberGenerator()
    let digits = String(UInt128.random(in: .min ... .max, using: &random), radix: 16)
    path = "/\(String(repeating: "0", count: 32 - digits.count))\(digits)/"
  }

  /// What follows the token in a path, with a slash before it; `nil` if the path does not begin with the token.
  ///
  /// - Complexity: how long it takes says nothing about the token.
  func rest(of path: String) -> String? {
    let (expected, given) = (Array(self.path.utf8), Array(path.utf8.prefix(self.path.utf8.count)))
    guard given.count == expected.count, zip(expected, given).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
    return "/" + String(decoding: path.utf8.dropFirst(expected.count), as: UTF8.self)
  }
}

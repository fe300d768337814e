// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// How much the texts of two ids differ.
enum EditDistance {
  /// How many characters must be inserted, removed or replaced; two swapped characters count as two.
  ///
  /// - Complexity: O(length of one times length of the other), of at most 200 characters each.
  static func between(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.prefix(200)), Array(right.prefix(200)))
    var distances = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var diagonal = distances[0]
      distances[0] = row + 1
      for (column, other) in right.enumerated() {
        let replaced = diagonal + (character == other ? 0 : 1)
        diagonal = distances[column + 1]
        distances[column + 1] = min(replaced, diagonal + 1, distances[column] + 1)
      }
    }
    return distances[right.count]
  }

  static func between(_ left: EffectID, _ right: EffectID) -> Int { between("\(left)", "\(right)") }
}

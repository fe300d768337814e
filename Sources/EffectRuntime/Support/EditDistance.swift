// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// How much the texts of two ids differ.
package enum EditDistance {
  /// How many characters must be inserted, removed or replaced; two swapped characters count as two.
  ///
  /// - Complexity: O(length of one times length of the other), of at most 200 characters each.
  package static func between(_ left: String, _ right: String) -> Int {
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

  package static func between(_ left: EffectID, _ right: EffectID) -> Int { between("\(left)", "\(right)") }

  /// Whether one of two ids may be a misspelling of the other: at most two characters differ, and half of them are equal.
  package static func areSimilar(_ left: EffectID, _ right: EffectID) -> Bool {
    let (left, right) = (name(left), name(right))
    let shorter = min(left.count, right.count)
    // Of most ids the lengths already differ too much.
    guard left != right, max(left.count, right.count) - shorter <= 2 else { return false }
    let distance = between(left, right)
    return distance <= 2 && distance * 2 <= shorter
  }

  /// The id that resembles this one most.
  package static func nearest(to id: EffectID, in others: some Sequence<EffectID>) -> EffectID? {
    others.map { (id: $0, distance: between($0, id), text: "\($0)") }
      .min { ($0.distance, $0.text) < ($1.distance, $1.text) }?.id
  }

  /// The text of an id without quotes, which would count as equal characters.
  private static func name(_ id: EffectID) -> String { "\(id)".filter { $0 != "\"" } }
}

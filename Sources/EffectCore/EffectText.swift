// This source file is part of swift-effects. License: Apache-2.0.

/// How values are written in descriptions of effects.
package enum EffectText {
  /// The value's own description; strings in quotes, so that `"3"` and `3` can be told apart.
  package static func of(_ value: some Any) -> String {
    if let string = value as? String { return String(reflecting: string) }
    return String(describing: value)
  }
}

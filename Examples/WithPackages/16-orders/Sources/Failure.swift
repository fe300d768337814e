// This source file is part of swift-effects. License: Apache-2.0.

/// A sentence for a person.
struct Failure: Error, CustomStringConvertible, Equatable {
  let description: String
}

// This source file is part of swift-effects. License: Apache-2.0.

/// What a person is told in one sentence.
struct Failure: Error, CustomStringConvertible, Equatable {
  let description: String
}

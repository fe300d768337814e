// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The case that a `receive` step names by the function that makes it, such as `Search.Action.found`.
struct ActionCase<Action, Payload> {
  private let make: (Payload) -> Action
  private let known = ConstructedCase<Action, Payload>()
  /// Whether the case has two or three values.
  let hasSeveralValues: Bool

  /// Why reflection cannot read such a case; `nil` if it can.
  static var obstacle: String? { ConstructedCase<Action, Payload>.obstacle?.description }

  /// The payload; `nil` if the action is of another case. Throws if the function does not make a case of its payload.
  func payload(of action: Action) throws(CaseFault) -> Payload? { try known.payload(of: action, madeBy: make) }
}

extension ActionCase {
  /// A case of one value.
  init(_ make: @escaping (Payload) -> Action) {
    self.make = make
    hasSeveralValues = false
  }

  /// A case of two values, with or without labels.
  init<First, Second>(_ make: @escaping (First, Second) -> Action) where Payload == (First, Second) {
    self.make = { make($0.0, $0.1) }
    hasSeveralValues = true
  }

  /// A case of three values, with or without labels.
  init<First, Second, Third>(_ make: @escaping (First, Second, Third) -> Action)
  where Payload == (First, Second, Third) {
    self.make = { make($0.0, $0.1, $0.2) }
    hasSeveralValues = true
  }
}

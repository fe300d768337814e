// This source file is part of swift-effects. License: Apache-2.0.

/// A reducer as people write it without a framework; the two hand-written contestants run these.
protocol PlainReducer<State, Action>: SendableMetatype {
  associatedtype State
  associatedtype Action: Sendable
  func reduce(into state: inout State, action: Action) -> PlainEffect<Action>
}

/// What such a reducer can ask for.
enum PlainEffect<Action: Sendable>: Sendable {
  case none
  case send(Action)
}

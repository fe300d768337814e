// This source file is part of swift-effects. License: Apache-2.0.

/// An actor that reduces an action and then the actions that its effects send, in a loop.
///
/// The least code for a chain on an isolation: no queue and no lock. The only effect that it supports is `.send`.
actor PlainActor<R: PlainReducer> {
  private let reducer: R
  private var state: R.State

  init(_ state: sending R.State, _ reducer: sending R) {
    self.state = state
    self.reducer = reducer
  }

  func send(_ action: R.Action) {
    var next = action
    while case .send(let following) = reducer.reduce(into: &state, action: next) { next = following }
  }
}

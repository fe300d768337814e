// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

/// The places of `PlainGateway` as a model: what its actor does between two `await`s is one reduction here. The explorer cannot
/// run the actor itself, which makes its own tasks, but it finds in the model what a first version of it may do wrong.
struct Places: Reducer {
  /// What a first version may do wrong.
  enum Mistake {
    /// A client that leaves gives its place back at once, while the upstream service still works for it.
    case givesBackTooEarly
    /// A client that leaves while it waits is not removed from the line. It is given a place, and never gives it back.
    case staysInLine
  }

  struct State: Equatable {
    /// Places that are taken.
    var taken = 0
    /// Requests that wait for one, the first one first.
    var line: [Int] = []
    /// Requests whose upstream calls are active.
    var calling: Set<Int> = []
    /// Clients that have left.
    var gone: Set<Int> = []
  }

  enum Action: Equatable, Sendable {
    case arrived(Int)
    case left(Int)
    case returned(Int)
  }

  let limit: Int
  var mistake: Mistake?
  let item: @Sendable (Int) async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .arrived(let number):
      if state.gone.contains(number) { return .none }
      guard state.taken < limit else {
        state.line.append(number)
        return .none
      }
      state.taken += 1
      return call(number, &state)
    case .left(let number):
      state.gone.insert(number)
      if state.calling.contains(number) {
        // The upstream service is notified, and the call returns some time later.
        return mistake == .givesBackTooEarly ? leavePlace(&state) : .none
      }
      if mistake != .staysInLine { state.line.removeAll { $0 == number } }
      return .none
    case .returned(let number):
      state.calling.remove(number)
      if mistake == .givesBackTooEarly, state.gone.contains(number) { return .none }
      return leavePlace(&state)
    }
  }

  private func call(_ number: Int, _ state: inout State) -> Effect<Action> {
    // A task that was cancelled meanwhile throws before its call, so nothing returns.
    if state.gone.contains(number) { return .none }
    state.calling.insert(number)
    return .run(id: number, overlap: .concurrent) { [item] send in
      try? await item(number)
      send(.returned(number))
    }
  }

  private func leavePlace(_ state: inout State) -> Effect<Action> {
    guard state.line.isEmpty else { return call(state.line.removeFirst(), &state) }
    state.taken -= 1
    return .none
  }
}

@Suite struct `A model of the places` {
  private let item = Mock<Int, Void>(answering: { _ in })

  private func script(_ run: Exploration.Script<Places.Action>) {
    run.send(.arrived(1))
    run.send(.arrived(2))
    run.send(.left(1))
    run.send(.left(2))
  }

  @Test func `No order takes more places than there are, and each place is given back`() async {
    let result = await explore(
      initialState: .init(), reducer: Places(limit: 1, item: item.callAsFunction)
    ) { run in
      script(run)
    } always: { state in
      state.calling.count <= 1
    } finally: { state in
      state.taken == 0 && state.line.isEmpty
    }
    result.expectComplete()
  }

  @Test func `A place that is given back too early is taken twice`() async {
    await explore(
      initialState: .init(), reducer: Places(limit: 1, mistake: .givesBackTooEarly, item: item.callAsFunction),
      sometimes: ["two calls with one place": { $0.calling.count == 2 }]
    ) { script($0) }
  }

  @Test func `A place that is given to a client that has left is lost`() async {
    await explore(
      initialState: .init(), reducer: Places(limit: 1, mistake: .staysInLine, item: item.callAsFunction),
      sometimes: [
        "taken without a call": { $0.gone == [1, 2] && $0.calling.isEmpty && $0.line.isEmpty && $0.taken == 1 }
      ]
    ) { script($0) }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// `.join` in every order. The model that the other overlaps are compared with does not include it.
struct JoinOrderTests {
  /// Requests with a number. Each one waits for an answer and reports it.
  private enum Event: Hashable { case ask(Int), answer, over(Int) }

  private func orders(_ inputs: [Int]) async -> (Set<[Event]>, Exploration) {
    var orders: Set<[Event]> = []
    let account = await Account(search: .full(.deliveries)) { schedule in
      let run = schedule.store(
        initialState: [Event](),
        reducer: Planted<[Event], Event> { state, action in
          state.append(action)
          guard case .ask(let number) = action else { return .none }
          return .concatenate(
            .run(id: "load", overlap: .join, input: inputs[number]) { _, send in send(.answer) }, .send(.over(number)))
        }, requiring: [.nothingRunsAtTheEnd, .noDeadlock()],
        finally: { orders.insert(Self.normal($0)).inserted || true })
      for number in inputs.indices { run.send(.ask(number)) }
    }
    return (orders, account.result)
  }

  /// Several requests may share an answer. The rules do not define which of them goes on first.
  private static func normal(_ order: [Event]) -> [Event] {
    var order = order
    for index in order.indices.dropFirst() {
      if case .over(let number) = order[index], case .over(let other) = order[index - 1], number < other {
        order.swapAt(index, index - 1)
      }
    }
    return order
  }

  @Test func `Equal requests share the answer while it runs, and each goes on after it, in every order (O1)`()
    async
  {
    let (orders, result) = await orders([7, 7])
    #expect(result.completeLevel == .deliveries)
    #expect(
      orders == [
        [.ask(0), .ask(1), .answer, .over(0), .over(1)],
        [.ask(0), .answer, .over(0), .ask(1), .answer, .over(1)],
        // Joined between the answer and the end of the run: the actions that the run has sent are not sent again.
        [.ask(0), .answer, .ask(1), .over(0), .over(1)],
      ])
  }

  @Test func `A different request waits for its turn, in every order (O1)`() async {
    let (orders, result) = await orders([7, 8])
    #expect(result.completeLevel == .deliveries)
    #expect(
      orders == [
        [.ask(0), .ask(1), .answer, .over(0), .answer, .over(1)],
        [.ask(0), .answer, .over(0), .ask(1), .answer, .over(1)],
        [.ask(0), .answer, .ask(1), .over(0), .answer, .over(1)],
      ])
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectTesting

/// The text of a failure names two actions whose order matters.
@Suite struct CauseTests {
  /// The paragraph about the order; empty if the text has none.
  private func order(of failures: [Failure]) -> String {
    let paragraphs = failures.first?.text.replacing("\n\n", with: "\u{1}").split(separator: "\u{1}") ?? []
    return paragraphs.first { $0.hasPrefix("The order of two actions") }.map(String.init) ?? ""
  }

  @Test func `An answer that comes after a newer query`() async {
    let found = await failures {
      await explore(initialState: Queries.State(), reducer: Queries(overlap: .concurrent)) { run in
        run.send(.typed(1))
        run.send(.typed(2))
      } always: {
        Queries.isFresh($0)
      }
    }
    #expect(
      order(of: found) == """
        The order of two actions matters:
          first   `.typed(2)`
          second  `.found(1)` of run 1
        If the second one comes first, all conditions hold.
        """)
  }

  @Test func `Two runs whose answers come in the wrong order`() async {
    let found = await failures {
      await explore(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          if action == 0 { return .merge([1, 2].map { digit in .run { send in send(digit) } }) }
          state = state * 10 + action
          return .none
        }
      ) { run in
        run.send(0)
      } always: {
        $0 != 21
      }
    }
    #expect(
      order(of: found) == """
        The order of two actions matters:
          first   `2` of run 2
          second  `1` of run 1
        If the second one comes first, all conditions hold.
        """)
  }

  @Test func `An action that is sent twice is named by its line`() async {
    let found = await failures {
      await explore(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          if action == 0 {
            state += 1
            return .run { send in send(5) }
          }
          state = state == 2 ? -1 : 0
          return .none
        }
      ) { run in
        run.send(0, fileID: "App/Screen.swift", line: 3)
        run.send(0, fileID: "App/Screen.swift", line: 4)
      } always: {
        $0 >= 0
      }
    }
    #expect(
      order(of: found) == """
        The order of two actions matters:
          first   `0` sent at App/Screen.swift:4
          second  `5` of run 1
        If the second one comes first, all conditions hold.
        """)
  }

  @Test func `A bug in every order has no such actions`() async {
    let found = await failures {
      await explore(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          if action == 0 { return .merge([1, 2].map { digit in .run { send in send(digit) } }) }
          state += action
          return .none
        }
      ) { run in
        run.send(0)
      } always: {
        $0 < 3
      }
    }
    #expect(found.count == 1)
    #expect(order(of: found) == "")
  }

  @Test func `Pairs are compared by action and run, and equal ones are counted`() {
    func reduced(_ actions: [(String, TraceRun?)]) -> ReducedActions {
      ReducedActions(
        actions.enumerated().map { number, action in
          TraceEvent(
            number: UInt64(number), time: .zero, cause: nil,
            kind: .reduced(action.0, action.1.map { .run($0) } ?? .followUp))
        })
    }
    let first = reduced([("a", nil), ("b", nil), ("a", nil)])
    #expect(first.exchanged(in: reduced([("a", nil), ("b", nil), ("a", nil)])).isEmpty)
    let pairs = first.exchanged(in: reduced([("a", nil), ("a", nil), ("b", nil)]))
    #expect(pairs.map(\.first.identity) == [#"`"b"` 1"#])
    #expect(pairs.map(\.second.identity) == [#"`"a"` 2"#])
    // An action that is missing, though its run is not, makes another difference than an order.
    #expect(first.exchanged(in: reduced([("b", nil)])).isEmpty)
    #expect(first.exchanged(in: reduced([("b", nil), ("a", nil)])).isEmpty)
    #expect(first.exchanged(in: reduced([("a", nil), ("a", nil), ("b", nil), ("c", nil)])).count == 1)
  }

  @Test func `A run that the other order does not start is a consequence, and one that acts otherwise is not`() async {
    let run = TraceRun(number: 1, description: EffectRun(id: "late"))
    func reduced(_ actions: [String], starts: Bool, sends: Bool) -> ReducedActions {
      var kinds = actions.map { TraceEvent<any Sendable>.Kind.reduced($0, .followUp) }
      if starts { kinds.append(.run(run, .registered(.starting))) }
      if sends { kinds.append(.reduced("c", .run(run))) }
      return ReducedActions(
        kinds.enumerated().map { TraceEvent(number: UInt64($0), time: .zero, cause: nil, kind: $1) })
    }
    let failed = reduced(["a", "b"], starts: true, sends: true)
    #expect(failed.exchanged(in: reduced(["b", "a"], starts: false, sends: false)).count == 1)
    #expect(failed.exchanged(in: reduced(["b", "a"], starts: true, sends: true)).count == 1)
    #expect(failed.exchanged(in: reduced(["b", "a"], starts: true, sends: false)).isEmpty)
  }
}

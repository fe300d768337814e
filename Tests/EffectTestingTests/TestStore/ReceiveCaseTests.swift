// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

/// `receive(Action.found)`: an action is received by the name of its case.
@Suite struct ReceiveCaseTests {
  private struct Row: Sendable, Equatable { var id: Int }

  // Not `Equatable`.
  private enum Action: Sendable {
    case go(Int)
    case found([Int])
    case loaded([Int])
    case labelled(items: [Int])
    case pair(Int, String)
    case named(id: Int, text: String)
    case three(Int, with: String?, Row)
    case optional(Int?)
    case anything(value: any Sendable)
    case confirm(@Sendable (Bool) -> Void)
    case failed(any Error)
    case child(Inner)
    indirect case nested(Action)
    case nothing
  }

  private enum Inner: Sendable { case a(Int), b(Int) }
  private struct Broken: Error {}

  private func store(_ sent: Action) -> TestStore<Reduce<Int, Action>> {
    TestStore(
      initialState: 0,
      reducer: Reduce { state, action in
        if case .go = action { return .run { send in send(sent) } }
        state += 1
        return .none
      })
  }

  private func receives<Payload>(
    _ sent: Action, _ make: @escaping (Payload) -> Action, _ body: (Payload?) -> Bool
  ) async -> Bool {
    let store = store(sent)
    store.send(.go(1))
    let payload = await store.receive(make) { $0 = 1 }
    await store.finish()
    return body(payload)
  }

  @Test func `A case is received by its name, and its payload is returned`() async {
    #expect(await receives(.found([1, 2]), Action.found) { $0 == [1, 2] })
    #expect(await receives(.labelled(items: [3]), Action.labelled(items:)) { $0 == [3] })
    #expect(await receives(.optional(nil), Action.optional) { $0 == .some(nil) })
    #expect(await receives(.anything(value: 7), Action.anything) { $0 as? Int == 7 })
    #expect(await receives(.optional(4), Action.optional) { $0 == 4 })
    #expect(await receives(.failed(Broken()), Action.failed) { $0 is Broken })
    #expect(await receives(.child(.b(5)), Action.child) { if case .b(5)? = $0 { true } else { false } })
    #expect(await receives(.nested(.found([6])), Action.nested) { if case .found([6])? = $0 { true } else { false } })
  }

  @Test func `A case of two or three values is received, with and without labels`() async {
    for (sent, isNamed) in [(Action.pair(1, "a"), false), (.named(id: 1, text: "a"), true)] {
      let store = store(sent)
      store.send(.go(1))
      let pair = await isNamed ? store.receive(Action.named) { $0 = 1 } : store.receive(Action.pair) { $0 = 1 }
      #expect(pair?.0 == 1 && pair?.1 == "a")
      await store.finish()
    }
    let store = store(.three(1, with: nil, Row(id: 2)))
    store.send(.go(1))
    let three = await store.receive(Action.three) { $0 = 1 }
    #expect(three?.0 == 1 && three?.1 == nil && three?.2 == Row(id: 2))
    await store.finish()
  }

  @Test func `Without a closure the state must not change`() async {
    let unchanged = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Action> { _, action in
        if case .go = action { .run { send in send(.pair(1, "a")) } } else { .none }
      })
    unchanged.send(.go(1))
    #expect(await unchanged.receive(Action.pair)?.1 == "a")
    await unchanged.finish()
  }

  /// What fails if this action is received as that case.
  private func failure<Payload>(_ sent: Action, _ make: @escaping (Payload) -> Action) async -> String {
    let texts = await reportedFailures {
      let store = store(sent)
      store.send(.go(1))
      let payload = await store.receive(make) { $0 = 1 }
      #expect(payload == nil)
    }
    return texts.joined(separator: "\n")
  }

  @Test func `Another case with an equal payload is a failure that shows it, and the line of the test`() async {
    for (text, shown) in [
      (await failure(.loaded([1]), Action.found), ".loaded([1])"),
      (await failure(.nothing, Action.found), ".nothing"),
      (await failure(.found([1]), Action.labelled), ".found([1])"),
      (await failure(.child(.a(1)), Action.go), ".child("),
    ] {
      let line = "let payload = await store.receive(make) { $0 = 1 }"
      let expected = "an action of the case that the test names: `\(line)`"
      #expect(text.contains(expected), "\(text)")
      #expect(text.contains(shown), "\(text)")
    }
  }

  private struct Mirrored: Reducer {
    enum Action: Sendable, CustomReflectable {
      case go, found(Int)
      var customMirror: Mirror { Mirror(self, children: []) }
    }

    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      if case .go = action { .run { send in send(.found(1)) } } else { .none }
    }
  }

  @Test func `A payload that is a function is a failure that names the way out, and is not called`() async {
    let text = await failure(.confirm { _ in Issue.record("called") }, Action.confirm)
    #expect(text.contains("but reflection cannot read a function. Name the case with a path"), "\(text)")
  }

  @Test func `An action whose cases cannot be read is a failure that names the way out`() async {
    let texts = await reportedFailures {
      let store = TestStore(initialState: 0, reducer: Mirrored())
      store.send(.go)
      #expect(await store.receive(Mirrored.Action.found) == nil)
      await store.receive(where: { if case .found = $0 { true } else { false } })
      await store.finish()
    }
    let text = texts.joined()
    let beginning = "A `receive` step names a case of ReceiveCaseTests.Mirrored.Action, but reflection does not show"
    #expect(text.hasPrefix(beginning), "\(text)")
    let extract = "{ if case .found(let value) = $0 { value } else { nil } }"
    let code = "await store.receive(CasePath(embed: Mirrored.Action.found, extract: \(extract)))"
    #expect(text.contains("Name the case with a path: `\(code)`."), "\(text)")
  }
}

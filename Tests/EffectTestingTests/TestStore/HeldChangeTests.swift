// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// A change that is expected too early: a held follow-up makes it.
@Suite struct `A change that a held action makes` {
  private struct Indirect: Reducer {
    struct State: Equatable, Sendable { var count = 0, name = "" }
    enum Action: Equatable, Sendable { case direct, indirect, other }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .direct: return .send(.indirect)
      case .indirect:
        state.count += 1
        state.name = "new"
        return .send(.other)
      case .other: return .none
      }
    }
  }

  private static let head = """
    The state after sending .direct is not what the test expects (- expected, + actual):


    """
  private static let advice = """
    This change is made by .indirect from a `.send` effect in the turn of .direct. It is held until the test receives it. \
    Expect the change there
    """

  @Test func `is named, also if the test is not exhaustive and expects only a part of it (V1)`() async {
    let store = TestStore(initialState: .init(), reducer: Indirect())
    store.exhaustivity = .off
    let found = await failures {
      store.send(.direct) { $0.count = 1 }
      await store.receive(.indirect) { $0.count = 1 }
      await store.finish()
    }
    #expect(found.map(\.line) == [#line - 4])
    #expect(found.first?.text.hasPrefix(Self.head) == true)
    #expect(found.first?.text.contains(Self.advice) == true)
    #expect(found.first?.text.contains("await store.receive(.indirect) {") == true)
    #expect(found.first?.text.contains("fix the reducer") == false)
  }

  @Test func `is named in an exhaustive test (V1)`() async {
    let store = TestStore(initialState: .init(), reducer: Indirect())
    let found = await failures {
      store.send(.direct) { ($0.count, $0.name) = (1, "new") }
      await store.receive(.indirect) { ($0.count, $0.name) = (1, "new") }
      await store.receive(.other)
      await store.finish()
    }
    #expect(found.map(\.line) == [#line - 5])
    #expect(found.first?.text.contains(Self.advice) == true)
  }

  @Test func `is not named if another change is expected`() async {
    let store = TestStore(initialState: .init(), reducer: Indirect())
    store.exhaustivity = .off
    let found = await failures {
      store.send(.direct) { $0.count = 2 }
      await store.finish()
    }
    #expect(found.map { $0.text.contains("This change is made by") } == [false])
    #expect(found.first?.text.contains("Otherwise fix the reducer.") == true)
  }
}

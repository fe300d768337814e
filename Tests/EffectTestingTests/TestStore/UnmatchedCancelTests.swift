// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// A failure names the cancel that matched nothing, if that may be the reason (rule V1).
@Suite struct `A cancel that matches nothing` {
  private enum Action: Equatable, Sendable { case start, stop(String), other, found }

  private func store(_ body: @escaping @concurrent @Sendable (Send<Action>) async throws -> Void) -> TestStore<
    Reduce<Int, Action>
  > {
    TestStore(
      initialState: 0,
      reducer: Reduce { _, action in
        switch action {
        case .start: .run(id: "search", overlap: .restart, fileID: "App/Search.swift", line: 3, body)
        case .stop(let id): .cancel(id: id)
        case .other: .run(id: "other", overlap: .restart) { send in try await send.sleep(for: .seconds(9)) }
        case .found: .none
        }
      })
  }

  private func sleeping() -> TestStore<Reduce<Int, Action>> {
    store { send in
      try await send.sleep(for: .seconds(1))
      send(.found)
    }
  }

  @Test func `Is named by the failure of a run that goes on (V1)`() async {
    let store = sleeping()
    store.send(.start)
    store.send(.stop("serach"))
    let found = await failures { await store.finish() }
    #expect(
      found.map(\.text) == [
        """
        A run is still in flight at the end of the test:

          run("search", overlap: restart) at App/Search.swift:3, caused by .start: asleep for 1.0 seconds more

        Let it end before `finish()`: `store.advance(by: .seconds(1))`, send what cancels it, or cancel what was sent.

        After `.stop("serach")`, a cancel of `"serach"` matched nothing. Active: `run("search")`. Did you mean `.cancel(id: "search")`?
        """
      ])
  }

  @Test func `Is named by the failure of an action that comes nevertheless (V1)`() async {
    let store = sleeping()
    store.send(.start)
    store.send(.stop("serach"))
    store.advance(by: .seconds(1))
    let found = await failures { await store.finish() }
    #expect(
      found.map { $0.text.hasSuffix("Active: `run(\"search\")`. Did you mean `.cancel(id: \"search\")`?") } == [true],
      "\(found)")
    let other = sleeping()
    other.send(.start)
    other.send(.stop("serach"))
    other.advance(by: .seconds(1))
    let wrong = await failures { await other.receive(.start) }
    let unmatched = #"After `.stop("serach")`, a cancel of `"serach"` matched nothing"#
    #expect(wrong.map { $0.text.contains(unmatched) } == [true])
  }

  @Test func `Is named by the failure of a test that forgets to finish (V1)`() async {
    let found = await failures {
      let store = sleeping()
      store.send(.start)
      store.send(.stop("serach"))
    }
    #expect(found.map { $0.text.contains("After `.stop(\"serach\")`, a cancel of ") } == [true])
  }

  @Test func `Is named once, and only the last one (V1)`() async {
    let store = sleeping()
    store.send(.start)
    store.send(.stop("searhc"))
    store.send(.stop("serach"))
    store.advance(by: .seconds(1))
    let found = await failures {
      await store.receive(.start)
      store.send(.other)
      await store.finish()
    }
    #expect(found.count { $0.text.contains("` matched nothing") } == 1)
    #expect(found.first?.text.contains("`.stop(\"serach\")`") == true)
  }

  @Test func `Is named if the id was never used, also if it is similar to no other (V1)`() async {
    let store = sleeping()
    store.send(.start)
    store.send(.stop("something else"))
    let found = await failures { await store.finish() }
    #expect(
      found.map {
        $0.text.hasSuffix(
          "After `.stop(\"something else\")`, a cancel of `\"something else\"` matched nothing. Active: `run(\"search\")`."
        )
      } == [true])
  }

  @Test func `Is not named if its id was used and is similar to no other (V1)`() async {
    let store = sleeping()
    store.send(.other)
    store.send(.start)
    store.send(.stop("other"))
    store.send(.stop("other"))
    let found = await failures { await store.finish() }
    #expect(found.map { $0.text.contains("matched nothing") } == [false])
  }

  @Test func `Is not named if it came before the run, or if nothing else fails (V1)`() async {
    let store = sleeping()
    store.send(.stop("serach"))
    store.send(.start)
    let found = await failures { await store.finish() }
    #expect(found.map { $0.text.contains("matched nothing") } == [false])
    let other = sleeping()
    other.send(.start)
    other.send(.stop("serach"))
    other.send(.stop("search"))
    await other.finish()
    let wrong = sleeping()
    wrong.send(.start)
    wrong.send(.stop("serach"))
    let state = await failures { wrong.send(.found) { $0 = 3 } }
    #expect(state.map { $0.text.contains("matched nothing") } == [false], "a state is not about work")
    wrong.cancelInFlight()
    await wrong.finish()
  }

  @Test func `Is searched for only in a log that has one (V1)`() async {
    let store = sleeping()
    store.send(.start)
    #expect(!store.log.hasUnmatched)
    store.send(.stop("serach"))
    #expect(store.log.hasUnmatched)
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `The id that was meant is written as in the scope of the cancel (V1)`() async {
    let child = Reduce<Int, Action> { _, action in
      switch action {
      case .start: .run(id: "search", overlap: .restart) { send in try await send.sleep(for: .seconds(1)) }
      case .stop(let id): .cancel(id: id)
      default: .none
      }
    }
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Action> { state, action in child.reduce(into: &state, action: action).scoped("tab") { $0 } })
    store.send(.start)
    store.send(.stop("serach"))
    let found = await failures { await store.finish() }
    #expect(found.first?.text.contains("Did you mean `.cancel(id: \"search\")`?") == true, "\(found)")
  }

  @Test func `Short ids and ids with few equal characters do not resemble one another`() {
    let cases: [(EffectID, EffectID, Bool)] = [
      ("a", "b", false), ("search", "serach", true), ("save", "svae", true), ("load", "loads", true),
      ("load", "save", false),
      ("search", "searchResults", false), ("search", "search", false),
    ]
    for (left, right, isSimilar) in cases {
      #expect(EditDistance.areSimilar(left, right) == isSimilar, "\(left), \(right)")
    }
  }

  @Test func `Edit distances count characters`() {
    let cases = [
      ("", "", 0), ("search", "search", 0), ("search", "serach", 2), ("search", "searches", 2), ("a", "xyz", 3),
    ]
    for (left, right, distance) in cases {
      #expect(EditDistance.between(left, right) == distance)
      #expect(EditDistance.between(right, left) == distance)
    }
  }
}

/// A cancel of an id that only work to come has: it begins later, so a test warns (rule E3).
@Suite struct `A cancel that comes too early` {
  private enum Action: Equatable, Sendable { case start, stop }

  private func sleeping(_ id: String, line: UInt) -> Effect<Action> {
    .run(id: id, overlap: .enqueue, fileID: "App/Import.swift", line: line) { send in
      try await send.sleep(for: .seconds(1))
    }
  }

  private func notes(_ stop: Effect<Action>, _ effect: @escaping @Sendable () -> Effect<Action>) async -> [String] {
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Action> { _, action in
        switch action {
        case .start: effect()
        case .stop: stop
        }
      })
    let notes = Diary<String>()
    await Reporter.$noteDiversion.withValue(Reporter.NoteDiversion { notes.write($0) }) {
      store.send(.start)
      store.send(.stop)
      store.send(.stop)
      if !store.effects.isEmpty { store.cancelInFlight() }
      await store.finish()
    }
    return notes.all
  }

  private let stop = Effect<Action>.cancel(id: "save", fileID: "App/Import.swift", line: 9)

  @Test func `Is a warning that names both lines (E3)`() async {
    let found = await notes(stop) { .concatenate(self.sleeping("load", line: 3), self.sleeping("save", line: 4)) }
    #expect(
      found == [
        """
        `cancel("save")` at App/Import.swift:9 matched nothing, and the work of this id at App/Import.swift:4 begins later: it is \
        in a part to come of a `concatenate`, or in a tree that is queued.

        A cancel by id does not reach what has not arrived at its id. Give the whole effect an id of its own and cancel that:
        `.cancellable(id: "whole", overlap: .concurrent)` and `.cancel(id: "whole")`.
        """
      ])
  }

  @Test func `Is a warning at any depth, also in a tree that is queued, and for several ids (E3, E6)`() async {
    let deep = await notes(stop) {
      .concatenate(
        self.sleeping("load", line: 3), .send(.stop),
        .merge(.send(.stop), .concatenate(self.sleeping("x", line: 4), self.sleeping("save", line: 5))))
    }
    #expect(deep.count == 1)
    let tree = await notes(stop) {
      .concatenate(
        self.sleeping("load", line: 3),
        Effect.merge(self.sleeping("x", line: 4), .send(.stop)).cancellable(id: "save", overlap: .drop, line: 5))
    }
    #expect(tree.map { $0.contains(":5 begins later") } == [true])
    let queued = await notes(stop) {
      let content = Effect.merge(self.sleeping("y", line: 6), self.sleeping("save", line: 7))
      return .merge(
        self.sleeping("whole", line: 3), content.cancellable(id: "whole", overlap: .enqueue))
    }
    #expect(queued.map { $0.contains(":7 begins later") } == [true])
    let several = await notes(.cancel(ids: ["a", "save"])) {
      .concatenate(self.sleeping("load", line: 3), self.sleeping("save", line: 4))
    }
    #expect(several.count == 1)
  }

  @Test func `Is no warning if the cancel is a part of the sequence, or reaches other work (E3)`() async {
    let within = await notes(.none) { .concatenate(self.stop, self.sleeping("save", line: 3)) }
    #expect(within == [])
    let last = await notes(.none) {
      .concatenate(
        .merge(self.stop, self.sleeping("load", line: 3)), self.sleeping("x", line: 4), self.sleeping("save", line: 5))
    }
    #expect(last == [])
    let both = await notes(stop) { .concatenate(self.sleeping("save", line: 3), self.sleeping("save", line: 4)) }
    #expect(both == [])
    let over = await notes(stop) { .concatenate(self.sleeping("save", line: 3), self.sleeping("load", line: 4)) }
    #expect(over == [])
  }
}

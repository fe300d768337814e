// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// The texts of failures about mocks, word for word.
@Suite struct `What a failure says about a mock` {
  /// The name of this file in a text.
  private func text(_ failure: Failure?) -> String {
    (failure?.text ?? "").replacing(#/\w+/MockTextTests\.swift:\d+/#, with: "App/Tests.swift:8")
  }

  private func store(_ find: Mock<String, [String]>, _ overlap: Overlap = .concurrent) -> TestStore<Finder> {
    TestStore(initialState: .init(), reducer: Finder(overlap: overlap, find: find.callAsFunction)).patient
  }

  @Test func `An answer to a mock that was not called`() async {
    let find = Mock<String, [String]>()
    let found = await failures { find.answer(["S"], line: 7) }
    #expect(found.map(\.line) == [7])
    #expect(
      text(found.first) == """
        There is no call to answer: the mock `find` at App/Tests.swift:8 has not been called.

        Send the action whose effect calls it before this line. If the effect waits for its time, write \
        `store.advanceToNext()` as well; if it works outside of the test's control, `await store.settle()`.
        """)
  }

  @Test func `A second answer, and one that is too late`() async {
    let find = Mock<String, [String]>()
    let store = store(find, .restart)
    store.send(.typed("s")) { $0.query = "s" }
    store.send(.typed("sw")) { $0.query = "sw" }
    find.answer(["SW"])
    await store.receive(.found(["SW"])) { $0.results = ["SW"] }
    store.send(.typed("x")) { ($0.query, $0.results) = ("x", []) }
    find.answer(throwing: Offline())
    await store.receive(.failed("Offline()")) { $0.error = "Offline()" }
    let found = await failures {
      find.answer(["SW"], line: 7)
      find.answer(throwing: Offline(), where: { $0 == "s" }, line: 9)
    }
    #expect(found.map(\.line) == [7, 9])
    for failure in found {
      #expect(
        text(failure) == """
          There is no call to answer: every call of the mock `find` at App/Tests.swift:8 has ended.

            "s": cancelled
            "sw": answered
            "x": failed

          A call is answered once, and a cancelled call has ended by itself. Leave this line out, or send the action whose \
          effect makes a further call before it.
          """)
    }
    await store.finish()
  }

  @Test func `A position or a predicate that no pending call has`() async {
    let find = Mock<String, [String]>()
    let store = store(find)
    for query in ["a", "b", "c"] { store.send(.typed(query)) { $0.query = query } }
    find.answer(["B"], at: 1)
    await store.receive(.found(["B"])) { $0.results = ["B"] }
    let found = await failures {
      find.answer(["C"], at: 2, line: 7)
      find.answer(["C"], at: -1, line: 8)
      find.answer(["C"], where: { $0 == "d" }, line: 9)
    }
    #expect(found.map(\.line) == [7, 8, 9])
    let rest = """
       of the mock `find` at App/Tests.swift:8. Its calls:

        "a": pending, at: 0
        "b": answered
        "c": pending, at: 1

      Choose a pending call, for example the oldest one: `find.answer([])`.
      """
    #expect(text(found.first) == "No call is pending at position 2\(rest)")
    #expect(text(found.dropFirst().first) == "No call is pending at position -1\(rest)")
    #expect(text(found.last) == "The predicate accepts no pending call\(rest)")
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `Many calls`() async {
    let find = Mock<String, [String]>()
    let store = store(find)
    for number in 1...30 {
      store.send(.typed("\(number)")) { $0.query = "\(number)" }
      guard number <= 12 else { continue }
      find.answer([])
      await store.receive(.found([]))
    }
    let found = await failures { find.answer([], at: 18) }
    let lines = text(found.first).split(separator: "\n")
    #expect(lines[1] == "  … 2 that ended earlier")
    #expect(lines[2] == "  \"3\": answered")
    #expect(lines[12] == "  \"13\": pending, at: 0")
    #expect(lines[22] == "  … and 8 that are pending")
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `An answer to a mock that answers by itself`() async {
    let find = Mock<String, [String]>(answering: { [$0] })
    let found = await failures { find.answer(["S"], line: 7) }
    #expect(found.map(\.line) == [7])
    #expect(
      text(found.first) == """
        No call waits for `answer`: the mock at App/Tests.swift:8 answers its calls itself.

        Leave this line out, or make the mock without `answering:`: `let find = Mock<String, Array<String>>()`.
        """)
  }

  @Test func `A receive while the only run waits for a mock`() async {
    let find = Mock<String, [String]>()
    let store = store(find)
    store.send(.typed("s")) { $0.query = "s" }
    store.send(.typed("sw")) { $0.query = "sw" }
    find.answer(["S"])
    await store.receive(.found(["S"])) { $0.results = ["S"] }
    let found = await failures { await store.receive(.found(["SW"])) { $0.results = ["SW"] } }
    #expect(
      found.map(text) == [
        """
        Expected to receive .found(["SW"]), but no action arrived.

        Every run waits for an answer of a mock:

          run("find", input: "sw") at App/Finder.swift:31, caused by .typed("sw"): waits for an answer of the mock `find` at \
        App/Tests.swift:8, called with "sw"

        Answer before this step: `find.answer([])`.
        """
      ])
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `A receive while one run waits for a mock, one sleeps, and one does both`() async {
    let load = Mock<Void, Void>()
    let store = counterStore(
      .merge(
        work { _ in
          try await load()
        },
        work { send in
          try await send.sleep(for: .seconds(2))
        },
        work { send in
          async let answer: Void = load()
          try await send.sleep(for: .seconds(3))
          try await answer
        }))
    store.send(.start)
    let found = await failures { await store.receive(.increment) { $0.count = 1 } }
    #expect(
      found.map(text) == [
        """
        Expected to receive .increment, but no action arrived.

        Every run waits for an answer of a mock, or sleeps on the test's clock, which shows 0.0 seconds:

          run("work") at App/Feature.swift:12, caused by .start: waits for an answer of the mock `load` at App/Tests.swift:8
          run("work") at App/Feature.swift:12, caused by .start: asleep for 2.0 seconds more
          run("work") at App/Feature.swift:12, caused by .start: asleep for 3.0 seconds more, and waits for an answer of the \
        mock `load` at App/Tests.swift:8

        Answer before this step: `load.answer()` or `load.answer(at: 1)`. Or let time pass: \
        `store.advance(by: .seconds(2))`.
        """
      ])
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `Time is not advised where no run sleeps`() async {
    let gate = Gate()
    let load = Mock<Void, Int>()
    let both = Reduce<Int, Bool> { _, isBegin in
      isBegin ? .merge(.run { _ in await gate.wait() }, .run { _ in _ = try await load() }) : .none
    }
    let store = TestStore(initialState: 0, reducer: both)
    store.externalWait = .zero
    store.send(true)
    let found = await failures { await store.finish() }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("`load.answer(0)`, send what cancels them") == true, "\(found)")
    #expect(found.first?.text.contains("advance") == false)
    gate.open()
  }

  @Test func `A run that waits for a mock at the end of the test`() async {
    let find = (Mock<String, [String]>())
    let store = store(find)
    let sent = store.send(.typed("s")) { $0.query = "s" }
    let list = """
      run("find", input: "s") at App/Finder.swift:31, caused by .typed("s"): waits for an answer of the mock at \
      App/Tests.swift:8, called with "s"
      """
    let found = await failures { await sent.finish() }
    #expect(
      found.map(text) == [
        """
        What was sent has not settled; this run is still in flight:

          \(list)

        Let it end before this step: `answer` of this mock with a value of type Array<String>, or send what cancels it.
        """
      ])
    let other = TestStore(initialState: .init(), reducer: Finder(find: find.callAsFunction)).patient
    other.send(.typed("s")) { $0.query = "s" }
    let left = await failures { await other.finish() }
    #expect(
      left.map(text) == [
        """
        A run is still in flight at the end of the test:

          \(list)

        Let it end before `finish()`: `answer` of this mock with a value of type Array<String> and `at: 1`, send what cancels \
        it, or cancel what was sent.
        """
      ])
    store.cancelInFlight()
    await store.finish()
  }
}

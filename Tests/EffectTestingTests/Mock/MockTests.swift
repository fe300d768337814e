// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import EffectTesting

/// A mock whose calls wait for the test. The stores would wait an hour for work outside, so a step that waits hangs.
@Suite struct `A mock in a test store` {
  private let find = Mock<String, [String]>()

  private func store(_ overlap: Overlap = .concurrent) -> TestStore<Finder> {
    TestStore(initialState: .init(), reducer: Finder(overlap: overlap, find: find.callAsFunction)).patient
  }

  @Test func `Calls are listed in their order, and the oldest one is answered first`() async {
    let store = store()
    #expect(find.pending == [])
    store.send(.typed("s")) { $0.query = "s" }
    store.send(.typed("sw")) { $0.query = "sw" }
    #expect(find.pending == ["s", "sw"])
    find.answer(["S"])
    #expect(find.pending == ["sw"])
    await store.receive(.found(["S"])) { $0.results = ["S"] }
    find.answer(["SW"])
    await store.receive(.found(["SW"])) { $0.results = ["SW"] }
    await store.finish()
  }

  @Test func `A call is chosen by its position or by its input, and throws what the test says`() async {
    let store = store()
    for query in ["a", "b", "c", "d"] { store.send(.typed(query)) { $0.query = query } }
    find.answer(["B"], at: 1)
    find.answer(throwing: Offline(), at: 2)
    find.answer(["C"], where: { $0 > "a" })
    find.answer(throwing: Offline(), where: { _ in true })
    #expect(find.pending == [])
    await store.receive(.found(["B"])) { $0.results = ["B"] }
    // A `catch` closure is a task of its own, behind the answers that were given.
    await store.receive(.found(["C"])) { $0.results = ["C"] }
    await store.receive(.failed("Offline()")) { $0.error = "Offline()" }
    await store.receive(.failed("Offline()"))
    await store.finish()
  }

  // MARK: - Calls that are not expected

  @Test func `A call of a mock that must not be called is one failure, at the line of the mock`() async {
    let mock = Mock<String, [String]>.unexpected()
    let line = #line - 1
    let store = TestStore(initialState: .init(), reducer: Finder(find: mock.callAsFunction)).patient
    let found = await failures {
      store.send(.typed("s")) { $0.query = "s" }
      await store.finish()
    }
    #expect(
      found == [
        Failure(
          line: line,
          """
          The mock at EffectTestingTests/MockTests.swift:\(line) was called with "s", and the test expects no call.

          If the call is right, make the mock by `let mock = Mock<String, Array<String>>()`, and answer the call: \
          `mock.answer([])`.

          It happened in run("find", input: "s") at App/Finder.swift:31, caused by .typed("s") at \
          EffectTestingTests/MockTests.swift:\(line + 4).
          """)
      ])
  }

  @Test func `Such a call fails an exploration, also if the feature catches its error`() async {
    let found = await failures {
      await explore(initialState: .init(), reducer: Finder(find: Mock.unexpected().callAsFunction)) { run in
        run.send(.typed("s"))
      }
    }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("was called with \"s\", and the test expects no call.") == true)
  }

  @Test func `It is one failure in a feature without end, whose schedules are all cut`() async {
    let find = Mock<Int, Int>.unexpected()
    let found = await failures {
      await explore(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          state = action
          return .run { send in send((try? await find(action)) ?? action + 1) }
        }, options: .init(steps: 20)
      ) { run in
        run.send(0)
      }
    }
    #expect(found.map { $0.text.contains("was called with 0, and the test expects no call.") } == [true])
  }

  @Test func `A feature that does not call it is green`() async {
    let store = TestStore(initialState: .init(), reducer: Finder(find: Mock.unexpected().callAsFunction)).patient
    store.assert { _ in }
    await store.finish()
  }

  // MARK: - Answers that come too early

  @Test func `An answer that comes too early is one failure, and the call gets it when a step waits for it`() async {
    let store = store()
    let found = await failures {
      find.answer(["S"])
      store.send(.typed("s")) { $0.query = "s" }
      await store.receive(.found(["S"])) { $0.results = ["S"] }
      await store.finish()
    }
    #expect(found.map(\.line) == [#line - 5])
    #expect(found.first?.text.hasPrefix("There is no call to answer") == true)
  }

  @Test func `An answer that comes too early and again in time is one failure`() async {
    let store = store()
    let found = await failures {
      find.answer(["A"])
      store.send(.typed("s")) { $0.query = "s" }
      find.answer(["S"])
      await store.receive(.found(["S"])) { $0.results = ["S"] }
      store.send(.typed("sw")) { ($0.query, $0.results) = ("sw", []) }
    }
    #expect(found.map(\.line) == [#line - 6])
    #expect(find.pending == ["sw"])
    find.answer(["SW"])
    await store.receive(.found(["SW"])) { $0.results = ["SW"] }
    await store.finish()
  }

  @Test func `A call whose answer came too early does not keep finish, an answer or a shutdown waiting`() async {
    let found = await failures {
      let sent = store()
      find.answer(["S"])
      let action = sent.send(.typed("s")) { $0.query = "s" }
      sent.exhaustivity = .off
      await action.finish()
      await sent.finish()
      #expect(sent.state.results == ["S"])
      let shut = store()
      find.answer(throwing: Offline())
      shut.exhaustivity = .off
      shut.send(.typed("s")) { $0.query = "s" }
      await shut.shutdown(.draining).finish()
      await shut.finish()
      #expect(shut.state.error == "Offline()")
    }
    #expect(found.map(\.line) == [#line - 14, #line - 7])
  }

  @Test func `An early answer that is a known issue has no effect`() async {
    let store = store()
    _ = await failures(knownIssuesCount: false) { find.answer(["S"]) }
    store.send(.typed("s")) { $0.query = "s" }
    let found = await failures { await store.receive(.found(["S"])) { $0.results = ["S"] } }
    #expect(found.map { $0.text.contains("Every run waits for an answer of a mock") } == [true])
    find.answer(["S"])
    await store.receive(.found(["S"])) { $0.results = ["S"] }
    await store.finish()
  }

  @Test func `A run that is cancelled ends its call at once, and its mock throws CancellationError`() async {
    let errors = Diary<String>()
    let store = TestStore(
      initialState: .init(),
      reducer: Finder(overlap: .restart) { [find] query in
        do {
          return try await find(query)
        } catch {
          errors.write("\(query): \(type(of: error))")
          throw error
        }
      }
    ).patient
    store.send(.typed("s")) { $0.query = "s" }
    store.send(.typed("sw")) { $0.query = "sw" }
    #expect(errors.all == ["s: CancellationError"])
    #expect(find.pending == ["sw"])
    store.send(.stop)
    #expect(errors.all == ["s: CancellationError", "sw: CancellationError"])
    #expect(find.pending == [])
    await store.finish()
  }

  @Test func `A call of a cancelled task throws at once`() async {
    let find = find
    let task = Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      return try await find("late")
    }
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(find.pending == [])
  }

  @Test func `A time limit ends the call`() async {
    let load = Mock<Void, Int>()
    let store = counterStore(
      .run(id: "work", overlap: .concurrent) { send in
        send(.set(try await load()))
      } catch: { error, send in
        send(.note("\(type(of: error))"))
      }.timeout(after: .seconds(2)))
    store.send(.start)
    #expect(load.pending.count == 1)
    store.advance(by: .seconds(2))
    #expect(load.pending.isEmpty)
    await store.receive(.note("EffectTimeout"))
    await store.finish()
  }

  @Test func `One run may wait for several calls`() async {
    let load = Mock<(String, Int), Int>()
    let store = counterStore(
      work { send in
        async let left = load(("left", 1))
        async let right = load(("right", 2))
        send(.set(try await left + right))
      })
    store.send(.start)
    #expect(load.pending.map(\.0).sorted() == ["left", "right"])
    load.answer(1, where: { $0.0 == "right" })
    load.answer(2, where: { $0 == ("left", 1) })
    await store.receive(.set(3)) { $0.count = 3 }
    await store.finish()
  }

  @Test func `No step waits in real time for a run that waits for a mock`() async {
    let found = await failures {
      let store = store()
      let sent = store.send(.typed("s")) { $0.query = "s" }
      store.advance(by: .seconds(1))
      await store.settle()
      await store.settle(until: "find")
      await store.receive(.found(["S"])) { $0.results = ["S"] }
      await sent.finish()
      await store.finish()
    }
    #expect(found.count == 2)
    #expect(find.pending == [])
  }

  @Test func `A call outside of the test's control is waited for, and so is its answer`() async {
    let load = Mock<Void, Int>()
    let store = counterStore(
      work { send in
        let count = try await Task.detached { try await load() }.value
        send(.set(count))
      })
    store.send(.start)
    await load.pending(atLeast: 1)
    load.answer(5)
    await store.receive(.set(5)) { $0.count = 5 }
    await store.finish()
  }

  @Test func `An input may use its mock when it is released`() async throws {
    final class Query: Sendable {
      let released: @Sendable () -> Void
      init(_ released: @escaping @Sendable () -> Void) { self.released = released }
      deinit { released() }
    }
    let load = Mock<Query, Void>()
    // More calls than the mock remembers.
    for _ in 0..<20 {
      let call = Task { try await load(Query { [weak load] in _ = load?.pending }) }
      await load.pending(atLeast: 1)
      load.answer()
      try await call.value
    }
    #expect(load.pending.isEmpty)
  }

  @Test func `A call on the main actor is pending when the store has settled`() async {
    let load = Mock<Void, Int>()
    let store = counterStore(work { send in send(.set(try await loadOnMain(load))) })
    store.send(.start)
    await store.settle()
    #expect(load.pending.count == 1)
    load.answer(5)
    await store.receive(.set(5)) { $0.count = 5 }
    await store.finish()
  }

  @Test func `A step that waits in real time is woken by a call on another thread`() async {
    for _ in 0..<200 {
      let (gate, load) = (Gate(), Mock<Void, Int>())
      let store = counterStore(
        work { send in
          send(.set(try await loadOnMain(load, behind: gate)))
        })
      store.send(.start)
      let opening = Task.detached { gate.open() }
      await store.settle()
      #expect(load.pending.count == 1)
      load.answer(5)
      await store.receive(.set(5)) { $0.count = 5 }
      await store.finish()
      await opening.value
    }
  }

  @Test func `An answer may come from another thread`() async {
    let store = store()
    store.send(.typed("s")) { $0.query = "s" }
    await Task.detached { [find] in find.answer(["S"]) }.value
    await store.receive(.found(["S"])) { $0.results = ["S"] }
    await store.finish()
  }

  @Test func `An answer may be given within a predicate, a reducer or a run`() async {
    let load = Mock<Int, Int>()
    let store = TestStore(
      initialState: Counter(),
      reducer: Reduce<Counter, CounterAction> { state, action in
        switch action {
        case .start:
          return .merge(
            [1, 2, 3].map { number in .run { send in send(.set(try await load(number))) } }
              + [.run { _ in load.answer(10, where: { $0 == 1 }) }])
        case .note:
          load.answer(30, where: { $0 == 3 })
          return .none
        case .set(let count):
          state.count = count
          return .none
        default: return .none
        }
      }
    ).patient
    store.send(.start)
    await store.receive(.set(10)) { $0.count = 10 }
    store.send(.note("answers the third"))
    await store.receive(.set(30)) { $0.count = 30 }
    load.answer(
      20,
      where: { number in
        #expect(load.pending == [number])
        return number == 2
      })
    await store.receive(.set(20)) { $0.count = 20 }
    await store.finish()
  }

  @Test func `An answer within a predicate takes the call, and the next one is chosen`() async {
    let store = store()
    for query in ["a", "b"] { store.send(.typed(query)) { $0.query = query } }
    find.answer(
      ["outer"],
      where: { [find] _ in
        if find.pending.count == 2 { find.answer(["inner"]) }
        return true
      })
    await store.receive(.found(["inner"])) { $0.results = ["inner"] }
    await store.receive(.found(["outer"])) { $0.results = ["outer"] }
    await store.finish()
  }

  @Test func `Two stores may share a mock: each knows which of its runs wait`() async {
    let (one, two) = (store(), store())
    one.send(.typed("one")) { $0.query = "one" }
    two.send(.typed("two")) { $0.query = "two" }
    #expect(find.pending == ["one", "two"])
    find.answer(["ONE"])
    await one.receive(.found(["ONE"])) { $0.results = ["ONE"] }
    await one.finish()
    find.answer(["TWO"])
    await two.receive(.found(["TWO"])) { $0.results = ["TWO"] }
    await two.finish()
  }

  @Test func `A store that ends or is released leaves no call behind`() async {
    var numbers: [UInt64] = []
    for isReleased in [false, true] {
      let found = await failures {
        let store = store()
        numbers.append(store.mailbox.identity)
        store.send(.typed("s")) { $0.query = "s" }
        #expect(AwaitedAnswers.of(store.mailbox.identity).count == 1)
        if !isReleased { await store.finish() }
      }
      #expect(found.count == 1)
      #expect(find.pending == [])
    }
    for number in numbers { #expect(AwaitedAnswers.of(number).isEmpty) }
  }

  @Test func `A mock that answers by itself answers within the step`() async {
    let asked = Diary<String>()
    let find = Mock<String, [String]>(answering: { query in
      asked.write(query)
      if query == "x" { throw Offline() }
      return [query]
    })
    let store = TestStore(initialState: .init(), reducer: Finder(find: find.callAsFunction)).patient
    store.send(.typed("s")) { $0.query = "s" }
    #expect(find.pending == [] && asked.all == ["s"])
    await store.receive(.found(["s"])) { $0.results = ["s"] }
    store.send(.typed("x")) { ($0.query, $0.results) = ("x", []) }
    await store.receive(.failed("Offline()")) { $0.error = "Offline()" }
    await store.finish()
  }

  @Test func `Under a real store a test waits until a call is pending`() async {
    let find = find
    let store = Store(initialState: .init(), reducer: Finder(find: find.callAsFunction))
    let first = store.send(.typed("s"))
    await find.pending(atLeast: 1)
    let second = store.send(.typed("sw"))
    await find.pending(atLeast: 2)
    #expect(find.pending == ["s", "sw"])
    find.answer(["SW"], at: 1)
    await second.finish()
    #expect(await store.state.results == ["SW"])
    find.answer(["S"])
    await first.finish()
    #expect(await store.state.results == ["S"])
  }

  @Test func `A wait for a call ends when its task is cancelled, and at once for no call`() async {
    await find.pending(atLeast: 0)
    let task = Task { [find] in await find.pending(atLeast: 1) }
    task.cancel()
    await task.value
  }
}

@MainActor private func loadOnMain(_ load: Mock<Void, Int>, behind gate: Gate? = nil) async throws -> Int {
  await gate?.wait()
  return try await load()
}

// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// A failure, or a note, names what the test can change.
@Suite struct `Failures name the right cause` {
  // MARK: - The wrong order

  @Test func `A wrong order names the actions in the right one`() async {
    let store = counterStore(work { send in for count in 1...4 { send(.set(count)) } })
    store.send(.start)
    let found = await failures { await store.receive(.set(3)) { $0.count = 3 } }
    #expect(found.map(\.line) == [#line - 1])
    let end = """
      It came from run("work") at App/Feature.swift:12. Actions are received in the order they arrive: receive this one \
      first, or fix what the effect sends. To receive it, write `await store.receive(.set(1)) { $0.count = 1 }`.

      The expected action has come too, behind it. Receive them in this order:

        .set(1) from run("work") at App/Feature.swift:12
        .set(2) from run("work") at App/Feature.swift:12
        .set(3) from run("work") at App/Feature.swift:12
      """
    #expect(found.first?.text.hasSuffix(end) == true, "\(found)")
    store.exhaustivity = .off
    await store.finish()
  }

  @Test func `An action of a cancelled run does not count as come`() async {
    let store = counterStore(
      .merge(
        .run(id: "first", overlap: .concurrent) { send in
          send(.stop)
          send(.note("between"))
        }, work { send in send(.set(3)) }))
    store.send(.start)
    await store.receive(.stop)
    let found = await failures { await store.receive(.set(3)) { $0.count = 3 } }
    #expect(found.first?.text.contains(".note(\"between\")") == true, "\(found)")
    #expect(found.first?.text.contains("behind it") == false, "\(found)")
    await store.finish()
  }

  // MARK: - An older answer

  @Test(arguments: [Overlap.concurrent, .enqueue])
  func `An older answer that comes last names both runs and the overlap (O1)`(overlap: Overlap) async {
    let find = Mock<String, [String]>()
    let store = TestStore(initialState: .init(), reducer: Finder(overlap: overlap, find: find.callAsFunction)).patient
    store.send(.typed("a")) { $0.query = "a" }
    store.send(.typed("b")) { $0.query = "b" }
    find.answer(["A"])
    let found = await failures { await store.receive(.found(["A"])) }
    let text = """
      Two runs of "find" at App/Finder.swift:31 were active at the same time, because their overlap is `.concurrent`: \
      .found(["A"]) came from the older one, after the newer one had begun. If only the newest may answer, write \
      `overlap: .restart` there.
      """
    #expect(found.count == 1)
    #expect(found.first?.text.contains(text) == (overlap == .concurrent), "\(found)")
    store.exhaustivity = .off
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `Two runs of one line without an id are named in the same way (O1)`() async {
    let load = Mock<Int, Int>()
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state = action
        if action >= 10 { return .none }
        return .run(fileID: "App/Load.swift", line: 7) { send in send(try await load(action)) }
      }
    ).patient
    store.send(1) { $0 = 1 }
    store.send(2) { $0 = 2 }
    load.answer(10)
    let found = await failures { await store.receive(10) }
    #expect(
      found.first?.text.contains(
        """
        Two runs at App/Load.swift:7 were active at the same time, because they have no id: 10 came from the older one, after the \
        newer one had begun. If only the newest may answer, write `id: "search", overlap: .restart` there.
        """) == true, "\(found)")
    store.exhaustivity = .off
    store.cancelInFlight()
    await store.finish()
  }

  /// To cancel in the action that the failure is about would cancel the new run.
  @Test func `The error of an older run behind a newer one names its catch`() async {
    enum Action: Equatable, Sendable { case saveTapped, saved, failed }
    let save = Mock<Void, Void>()
    let text = await reportedFailures {
      await explore(
        initialState: false,
        reducer: Reduce<Bool, Action> { isSaving, action in
          isSaving = action == .saveTapped
          guard isSaving else { return .none }
          return .run(id: "save", overlap: .restart, fileID: "App/Form.swift", line: 9) { send in
            try await save()
            send(.saved)
          } catch: { _, send in
            send(.failed)
          }
          .timeout(after: .seconds(5))
        }, requiring: [.isRunning("save", exactlyWhile: { $0 })]
      ) { script in
        script.send(.saveTapped)
        script.send(.saveTapped)
      }
    }
    #expect(
      text.first?.contains(
        """
        .failed came from the `catch` of run 1 of "save", which had begun before run 2 of this id began: no overlap cancels a `catch` \
        that has begun. If only the newest may answer, merge `.cancel(id: "save")` with the new run, or send the input with the error \
        and compare it. A cancel where this action is reduced would cancel the new run.
        """) == true, "\(text)")
  }

  // MARK: - One wrong place of many

  @Test func `A closure that is wrong in one place is corrected there`() async {
    struct Row: Equatable, Sendable, Identifiable { let id: Int; var title: String }
    let rows = (0..<5).map { Row(id: $0, title: "the title of row \($0)") }
    let store = TestStore(
      initialState: [Row](),
      reducer: Reduce<[Row], Int> { state, _ in
        state = rows
        return .none
      })
    let found = await failures {
      store.send(1) { state in
        state = rows
        state[2].title = "x"
      }
      await store.finish()
    }
    #expect(
      found.map { $0.text.split(separator: "\n").last } == [
        "If the reducer is right, the closure lacks this at its end: `$0[2].title = \"the title of row 2\"`."
      ])
  }

  // MARK: - A removed child

  private struct Parent: Reducer {
    struct State: Equatable { var sheet: Counter? }
    enum Action: Equatable, Sendable { case sheet(CounterAction), refresh }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .sheet(let action):
        return counter().reduce(into: &state.sheet, action: action, fileID: "App/Parent.swift", line: 5)
          .scoped("sheet") { .sheet($0) }
      case .refresh:
        return .run(fileID: "App/Parent.swift", line: 8) { send in send(.sheet(.increment)) }
      }
    }
  }

  private func missing(line: Int) -> Failure {
    Failure(
      line: line,
      """
      An action came for a child that does not exist now: .increment

        for "sheet" at App/Parent.swift:5

      No child reduced it. Create the child's state before you send the action, and do not send it after the child was removed. \
      Start work for the child as an effect of the child. Code that removes the child outside of its `ifLet`, `ifCase`, \
      `forEach` or `stack` returns `.cancel(scope:)`, too. Then the work ends with the child.
      """)
  }

  @Test func `An action for a removed child is one failure, with a change that was expected of it`() async {
    struct NoSheet: Error {}
    let store = TestStore(initialState: Parent.State(), reducer: Parent())
    let found = await failures {
      store.send(.sheet(.increment)) { $0.sheet?.count = 1 }
      store.send(.sheet(.increment)) { $0.sheet = Counter(count: 1) }
      store.send(.sheet(.increment)) { _ in throw NoSheet() }
    }
    #expect(found == [missing(line: #line - 4), missing(line: #line - 3), missing(line: #line - 2)])
    // What comes after it is compared again.
    let later = await failures { store.send(.refresh) { $0.sheet = Counter() } }
    #expect(later.count == 1)
    store.exhaustivity = .off
    _ = await failures { await store.finish() }
  }

  @Test func `An action for a removed child is one failure, if the test does not expect the action`() async {
    let store = TestStore(initialState: Parent.State(), reducer: Parent())
    store.send(.refresh)
    let found = await failures { await store.finish() }
    #expect(found == [missing(line: #line - 1)])
  }

  @Test func `An action for a removed child is one failure, if the test expects the action`() async {
    let store = TestStore(initialState: Parent.State(), reducer: Parent())
    store.send(.refresh)
    let found = await failures { await store.receive(.sheet(.increment)) { $0.sheet?.count = 1 } }
    #expect(found == [missing(line: #line - 1)])
    await store.finish()
  }

  // MARK: - Runs outside

  @Test func `For a run that is suspended outside, nothing says that time must pass`() async {
    let gate = Gate()
    let run = """
        run("work") at App/Feature.swift:12, caused by .start: suspended outside of the test's control

      More time on the test's clock changes nothing for a run that is suspended outside. Give the feature a dependency \
      that answers in the test, or raise `store.externalWait`.
      """
    let store = counterStore(work { _ in await gate.wait() })
    store.externalWait = .zero
    let start = store.send(.start)
    let shutdown = store.shutdown(.draining)
    // The run is named once: the second wait for it is the same mistake.
    let found = await failures {
      await start.finish()
      await shutdown.finish()
    }
    #expect(
      found == [
        Failure(
          line: #line - 3,
          """
          What was sent has not settled; this run is still in flight:

          \(run) Or send what cancels it.
          """)
      ])
    let drained = counterStore(work { _ in await gate.wait() })
    drained.externalWait = .zero
    drained.send(.start)
    let draining = await failures { await drained.shutdown(.draining).finish() }
    #expect(
      draining == [
        Failure(
          line: #line - 1,
          """
          The shutdown has not ended; this run is still in flight:

          \(run) Or cancel it by `.draining(cancelling:)`, a limit, or `store.shutdown(.cancelling)`.
          """)
      ])
    let other = counterStore(work { _ in await gate.wait() })
    other.externalWait = .zero
    other.send(.start)
    let atEnd = await failures { await other.finish() }
    #expect(
      atEnd == [
        Failure(
          line: #line - 1,
          """
          A run is still in flight at the end of the test:

          \(run) Or send what cancels it, or cancel what was sent.
          """)
      ])
    gate.open()
    await store.finish()
    await drained.finish()
  }

  // MARK: - Real time

  @Test func `A receive that has waited in real time names the run, once, and goes on`() async {
    let gate = Gate()
    let store = counterStore(
      work { send in
        await gate.wait()
        send(.increment)
        send(.decrement)
      })
    store.noticesWaits = true
    store.send(.start)
    let notes = Diary<String>()
    let note = Reporter.NoteDiversion { text in
      notes.write(text)
      gate.open()
    }
    await Reporter.$noteDiversion.withValue(note) {
      await store.receive(.increment) { $0.count = 1 }
      await store.receive(.decrement) { $0.count = 0 }
      await store.finish()
    }
    #expect(
      notes.all == [
        """
        This step has waited 100 ms of real time for .increment, because these runs are suspended outside of the test's \
        control:

          run("work") at App/Feature.swift:12

        It goes on waiting, at most `externalWait`. Give the feature a dependency that answers in the test.
        """
      ])
  }

  @Test func `A receive that fails within the time of a note makes no note`() async {
    let gate = Gate()
    let store = counterStore(work { _ in await gate.wait() })
    store.noticesWaits = true
    store.externalWait = .milliseconds(20)
    store.send(.start)
    let notes = Diary<String>()
    let found = await Reporter.$noteDiversion.withValue(Reporter.NoteDiversion { notes.write($0) }) {
      await failures { await store.receive(.increment) { $0.count = 1 } }
    }
    #expect(found.count == 1)
    #expect(notes.all.isEmpty)
    gate.open()
    store.externalWait = plenty
    await store.finish()
  }
}

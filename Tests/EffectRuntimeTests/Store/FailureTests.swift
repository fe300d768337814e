// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private struct Broken: Error {}

/// Outside of the tests, because code inside an exit test has no lines of its own.
private func failingStore() -> Store<Reduce<Int, Int>> {
  Store(
    initialState: 0,
    reducer: Reduce { _, action in
      switch action {
      case 1: .run(id: "load", overlap: .concurrent, input: 7) { _, _ in throw Broken() }
      default: .run(id: "save", overlap: .concurrent) { _ in throw Broken() }
      }
    })
}

private func disagreeingStore() -> Store<Reduce<Int, Int>> {
  Store(
    initialState: 0,
    reducer: Reduce { _, action in
      guard action == 1 else { return .cancel(id: "load") }
      return .merge(
        .run(id: "load", overlap: .restart) { _ in },
        .run(id: "load", overlap: .concurrent) { _ in })
    })
}

/// A run without a `catch` that is out of time at first, and throws later.
private func slowStore() -> Store<Reduce<Int, Int>> {
  Store(
    initialState: 0,
    reducer: Reduce { _, action in
      .run(id: "load", overlap: .concurrent) { send in
        if action == 1 { try await send.sleep(for: .seconds(1_000)) }
        throw Broken()
      }.timeout(after: action == 1 ? .milliseconds(1) : .seconds(1_000))
    })
}

@Suite struct FailureTests {
  @Test func `Without a handler each failing line is printed once, on standard error (E5)`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      // Two stores: only the line counts.
      for _ in 1...2 {
        let store = failingStore()
        for _ in 1...3 {
          await store.send(1).finish()
          await store.send(2).finish()
        }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("has no `catch`") }
    #if DEBUG
      #expect(lines.count == 2)
      for run in [#"run("load", input: 7)"#, #"run("save")"#] {
        let end =
          "\(run) threw Broken() and has no `catch`. "
          + #"Let the feature handle it: add `catch: { error, send in send(.failed("\(error)")) }` to the run, and "#
          + "`case failed(String)` to the actions if there is none, and reduce that action. Or catch the error inside the run."
        let isThere = lines.contains { line in
          line.hasPrefix("EffectRuntimeTests/FailureTests.swift:") && line.hasSuffix(end)
        }
        #expect(isThere, "\(text)")
      }
    #else
      #expect(lines.isEmpty)
    #endif
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(!output.contains("catch"))
  }

  @Test func `Without a handler each kind of failure of a line is printed once (E5)`() async {
    let run = EffectRun(name: "x", fileID: "App/Feed.swift", line: 7)
    let failures: [EffectFailure] = [
      EffectFailure(error: EffectTimeout(limit: .seconds(1)), run: run), EffectFailure(error: Broken(), run: run),
      EffectFailure(error: WaitsForItself(.shutdown), run: run),
      EffectFailure(error: ClockFailure(.wait, error: nil), run: run),
    ]
    #expect(Set(failures.map(\.key)).count == failures.count)
    for failure in failures { #expect(failure.key == EffectFailure(error: failure.error, run: run).key) }
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for _ in 1...2 {
        let store = slowStore()
        for action in [1, 2, 1, 2] { await store.send(action).finish() }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("has no `catch`") }
    #if DEBUG
      #expect(lines.count == 2, "\(text)")
      #expect(lines.count { $0.contains("threw Broken()") } == 1)
    #else
      #expect(lines.isEmpty)
    #endif
  }

  @Test func `Without a handler each pair of lines that disagree about an id is printed once (O1)`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for _ in 1...2 {
        let store = disagreeingStore()
        for _ in 1...3 { store.send(1) }
        await store.send(2).finish()
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("two overlaps under one id") }
    #if DEBUG
      #expect(lines.count == 1, "\(text)")
      #expect(lines.first?.split(separator: "FailureTests.swift:").count == 3, "it names both lines")
    #else
      #expect(lines.isEmpty)
    #endif
  }

  @Test func `A run that fails stops nothing else: others of its turn, tree and id go on (E5, E6)`() async {
    let failures = Recorder<String>()
    let gate = Gate()
    let store = Store(
      initialState: [Int](),
      reducer: Reduce<[Int], Int> { state, action in
        state.append(action)
        guard action == 1 else { return .none }
        let healthy = Effect<Int>.run(id: "x", overlap: .concurrent, name: "healthy") { send in
          await gate.pass()
          send(2)
        }
        let broken = Effect<Int>.run(id: "x", overlap: .concurrent, name: "broken") { _ in throw Broken() }
        return .merge(
          .concatenate(.merge(healthy, broken), .send(3)).cancellable(id: "tree", overlap: .concurrent), healthy,
          broken, healthy)
      }, onFailure: { failures.record($0.run.name ?? "?") })
    let dispatch = store.send(1)
    await failures.wait(for: "broken", count: 2)
    gate.open()
    await dispatch.finish()
    #expect(await store.state.sorted() == [1, 2, 2, 2, 3])
    #expect(failures.events == ["broken", "broken"])
    #expect(await store.isEmpty)
  }

  @Test func `A catch cannot throw an error itself; what it sends is reduced (E5)`() async {
    let store = Store(
      initialState: [Int](),
      reducer: Reduce<[Int], Int> { state, action in
        state.append(action)
        return action == 1
          ? .concatenate(
            .run { _ in
              throw Broken()
            } catch: { error, send in
              send(error is Broken ? 2 : -1)
              #expect(await send.delivered(3))
            }, .send(4)) : .none
      }, onFailure: { Issue.record("\($0)") })
    await store.send(1).finish()
    #expect(await store.state == [1, 2, 3, 4])
    #expect(await store.isEmpty)
  }

  @Test(arguments: [true, false])
  func `An error of a cancelled run is neither reported nor passed to its catch (E4)`(isCancellation: Bool) async {
    let log = Recorder<String>()
    let gate = Gate()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, action in
        switch action {
        case 1:
          .run(id: "x", overlap: .restart(exclusive: true)) { _ in
            log.record("started")
            await gate.pass()
            if isCancellation { throw CancellationError() } else { throw Broken() }
          } catch: { _, _ in
            log.record("caught")
          }
        case 2: .run(id: "x", overlap: .restart(exclusive: true)) { _ in log.record("next") }
        default: .none
        }
      }, onFailure: { log.record("\($0)") })
    store.send(1)
    await log.wait(for: "started")
    let next = store.send(2)
    gate.open()
    await next.finish()
    #expect(log.events == ["started", "next"])
    #expect(await store.isEmpty)
  }

  @Test func `An active run that throws a cancellation error has failed like any other (E4, E5)`() async {
    let failures = Recorder<String>()
    let store = Store(
      initialState: 0, reducer: Reduce<Int, Int> { _, _ in .run { _ in throw CancellationError() } },
      onFailure: { failures.record("\($0.error)") })
    await store.send(1).finish()
    #expect(failures.events == ["CancellationError()"])
  }
}

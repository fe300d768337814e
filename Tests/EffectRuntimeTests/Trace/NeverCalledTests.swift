// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[Int], Int>

/// A trace reports that a run has started if its closure was called, and never otherwise (V1).
@MainActor @Suite(.timeLimit(.minutes(5))) struct NeverCalledTests {
  private let calls = Tally()

  private func makeStore(_ effect: @escaping @Sendable (Int) -> Effect<Int>) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { @Sendable state, action in
        state.append(action)
        return effect(action)
      }, isolation: MainActor.shared)
  }

  private func story(_ log: TraceLog<Int>) -> [String] {
    log.events.compactMap { if case .run = $0.kind { "\($0.kind)" } else { nil } }
      .map { $0.split(separator: ":")[0].description }
  }

  @Test func `A run that is cancelled before its closure is called has not started (V1, E3)`() async {
    let store = makeStore { [calls] action in
      switch action {
      // In one turn: between two turns a run may be handed over.
      case 0: .merge(.send(1), .send(2))
      case 1: .run(id: "a", overlap: .concurrent) { _ in calls.increment() }
      default: .cancel(id: "a")
      }
    }
    let log = store.trace.log()
    store.send(0)
    await store.shutdown(.draining)
    #expect(calls.value == 0)
    #expect(story(log) == ["run 1 registered", "run 1 cancelled"])
  }

  @Test func `The same for a run that is replaced, and the one that replaces it starts (V1, O1)`() async {
    let store = makeStore { [calls] action in
      // In one turn: between two turns a run may be handed over.
      action == 0
        ? .merge(.send(1), .send(2), .send(3)) : .run(id: "a", overlap: .restart) { _ in calls.increment() }
    }
    let log = store.trace.log()
    store.send(0)
    await store.shutdown(.draining)
    #expect(calls.value == 1)
    #expect(story(log).filter { $0.hasSuffix("started") } == ["run 3 started"])
  }

  @Test func `A run that was called before its cancel has started before (V1)`() async {
    let gate = Gate()
    let store = makeStore { [calls] action in
      action == 1
        ? .run(id: "a", overlap: .concurrent) { _ in
          calls.increment()
          await gate.pass()
        } : .cancel(id: "a")
    }
    let log = store.trace.log()
    store.send(1)
    await calls.reaches(1)
    store.send(2)
    gate.open()
    await store.shutdown(.draining)
    #expect(story(log) == ["run 1 registered", "run 1 started", "run 1 cancelled", "run 1 returned"])
  }

  @Test func `A run has started before what it sends, each attempt and its catch too (V1, C2)`() async {
    struct Failed: Error {}
    let store = makeStore { action in
      action == 1
        ? .run { send in
          send(2)
          throw Failed()
        } catch: { _, send in
          send(3)
        }.retry(attempts: 2) : .none
    }
    let log = store.trace.log()
    await store.send(1).finish()
    await store.shutdown(.draining)
    let story = log.events.compactMap { event -> String? in
      switch event.kind {
      case .accepted(let action, _): "accepted \(action)"
      case .run(_, .started(let attempt)): "started \(attempt)"
      default: nil
      }
    }
    #expect(story.prefix(5) == ["accepted 1", "started 1", "accepted 2", "started 2", "accepted 2"])
    #expect(story.last == "accepted 3")
  }

  @Test func `Whenever cancels come, as many runs have started as were called (V1)`() async {
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { @Sendable [calls] _, action in
        action == 0
          ? .merge((1...3).map { .run(id: $0, overlap: .concurrent) { _ in calls.increment() } })
          : .cancel(id: action)
      })
    let started = Tally()
    let listening = store.trace.listen { event in
      if case .run(_, .started) = event.kind { started.increment() }
    }
    for round in 0..<500 {
      store.send(0, isolation: nil)
      store.send(1 + round % 3, isolation: nil)
      if round.isMultiple(of: 7) { await store.send(0, isolation: nil).finish() }
    }
    await store.shutdown(.draining)
    listening.cancel()
    #expect(started.value == calls.value)
  }
}

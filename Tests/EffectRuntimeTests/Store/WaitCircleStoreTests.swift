// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// Runs that wait for each other, in a store: one of them is reported, and all go on (rule L2).
@Suite(.timeLimit(.minutes(5))) struct `Circles of waits in a store` {
  private enum Action: Equatable, Sendable { case first, second, third, more }
  private typealias Feature = Reduce<[Action], Action>

  private let failures = Recorder<String>()
  private let reference = StoreReference<Feature>()

  private func makeStore(_ effect: @escaping @Sendable (Action) -> Effect<Action>) -> Store<Feature> {
    let store = Store(
      initialState: [],
      reducer: Feature { state, action in
        state.append(action)
        return effect(action)
      }, onFailure: { [failures] in failures.record("\($0)") })
    reference.store = store
    return store
  }

  private func waiting(_ id: EffectID, for goal: Mailed<StoreTask>, line: UInt) -> Effect<Action> {
    .run(id: id, overlap: .concurrent, fileID: "App/Feed.swift", line: line) { _ in await goal.value().finish() }
  }

  @Test func `Two runs that wait for each other's action both go on, and one is reported (L2)`() async {
    let (first, second) = (Mailed<StoreTask>(), Mailed<StoreTask>())
    let store = makeStore { [self] action in
      switch action {
      case .first: waiting("a", for: second, line: 3)
      case .second: waiting("b", for: first, line: 5)
      default: .none
      }
    }
    let tasks = (store.send(.first), store.send(.second))
    first.deliver(tasks.0)
    second.deliver(tasks.1)
    await tasks.0.finish()
    await tasks.1.finish()
    // Which of them waits last depends on the scheduler.
    func text(_ late: String, _ early: String) -> String {
      "App/Feed.swift:\(late) waits in a circle: `finish()` or `request` waits for \(early), which waits for this run. The "
        + "wait was ended. Send an action when the work is done instead, or wait outside the runs."
    }
    #expect(failures.events.count == 1)
    #expect(
      failures.events == [text("3: run(\"a\")", "run(\"b\") at App/Feed.swift:5")]
        || failures.events == [text("5: run(\"b\")", "run(\"a\") at App/Feed.swift:3")], "\(failures.events)")
    #expect(await store.effects.isEmpty)
    #expect(await store.effects.waits.isEmpty)
  }

  @Test func `The same with three runs (L2)`() async {
    let tasks = (0..<3).map { _ in Mailed<StoreTask>() }
    let store = makeStore { [self] action in
      switch action {
      case .first: waiting("a", for: tasks[1], line: 1)
      case .second: waiting("b", for: tasks[2], line: 2)
      case .third: waiting("c", for: tasks[0], line: 3)
      case .more: .none
      }
    }
    let sent = [store.send(.first), store.send(.second), store.send(.third)]
    for (task, mail) in zip(sent, tasks) { mail.deliver(task) }
    for task in sent { await task.finish() }
    #expect(failures.events.count == 1)
  }

  @Test func `A request for work that is queued behind it throws that it waits for itself (L3, L2)`() async {
    let answers = Recorder<String>()
    let store = makeStore { [reference] action in
      switch action {
      case .first:
        .run(id: "a", overlap: .enqueue) { _ in
          do {
            _ = try await reference.store?.request(.second) { $0.count }
            answers.record("answered")
          } catch {
            answers.record("\(error)")
          }
        }
      case .second: .run(id: "a", overlap: .enqueue) { _ in answers.record("second") }
      default: .none
      }
    }
    await store.send(.first).finish()
    await store.shutdown(.draining)
    #expect(answers.events == ["waitsForItself", "second"])
    #expect(failures.events.count == 1)
  }

  @Test func `The outcomes of such a request are not kept (L3, L2)`() async {
    let store = makeStore { [reference] action in
      switch action {
      case .first:
        .run(id: "a", overlap: .enqueue) { _ in
          _ = try? await reference.store?.request(.second) { state, _ in state.count }
        }
      case .second: .run(id: "a", overlap: .enqueue) { _ in }
      default: .none
      }
    }
    await store.send(.first).finish()
    await store.shutdown(.draining)
    #expect(failures.events.count == 1)
    #expect(await !store.collects)
  }
}

extension Store {
  /// Whether outcomes are collected for any request.
  fileprivate var collects: Bool { !core.value.engine.scheduler.collected.isEmpty }
}

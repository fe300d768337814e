// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private struct Broken: Error {}

private typealias Feature = Reduce<[Int], Int>

/// Requests that are answered with the outcomes of all they caused (rule L3).
@MainActor @Suite(.timeLimit(.minutes(5))) struct RequestOutcomesTests {
  private func makeStore(_ effect: @escaping @Sendable (Int) -> Effect<Int>) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { @Sendable state, action in
        state.append(action)
        return effect(action)
      }, isolation: MainActor.shared, onFailure: { _ in })
  }

  @Test func `A request gets state and outcomes, in the order of settling (L7)`() async throws {
    let store = makeStore { action in
      switch action {
      case 1: .concatenate(.run(name: "first") { send in send(2) }, .run(name: "last") { _ in throw Broken() })
      case 2: .run(id: "x", overlap: .drop) { _ in }
      default: .none
      }
    }
    let (state, names, allFinished) = try await store.request(1) { state, outcomes in
      (state, outcomes.map { "\($0.run.name ?? "x"): \($0.outcome)" }, outcomes.allFinished)
    }
    #expect(state == [1, 2])
    #expect(Set(names) == ["first: finished", "x: finished", "last: failed: Broken()"])
    // Which of `x` and `first` settles first is open, because a run ends after it has sent. Only the sequence has an order.
    #expect(
      try #require(names.firstIndex(of: "first: finished")) < #require(names.firstIndex(of: "last: failed: Broken()")))
    #expect(!allFinished)
    #expect(try await store.request(3) { _, outcomes in outcomes.isEmpty && outcomes.allFinished })
    #expect(await store.scheduler.collected.isEmpty)
  }

  @Test(arguments: [Overlap.restart, .restart(limit: 2), .drop, .enqueue, .keepLatest, .join])
  func `An error is among the outcomes if its catch starts the run again (L7, O1, C5)`(overlap: Overlap) async throws {
    let store = makeStore { action in
      guard action < 2 else { return .none }
      return .run(id: "connection", overlap: overlap) { _ in
        if action == 0 { throw Broken() }
      } catch: { _, send in
        _ = await send.delivered(1)
        send(2)
      }
    }
    let (state, outcomes) = try await store.request(0) { state, outcomes in
      (state, outcomes.map { "\($0.outcome)" }.sorted())
    }
    #expect(state == [0, 1, 2])
    #expect(outcomes == ["finished", "handled: Broken()"])
  }

  @Test func `Many requests at once get their own outcomes (L7)`() async throws {
    let store = makeStore { action in
      action < 1_000 ? .run(name: "\(action)") { send in send(action + 1_000) } : .run(name: "\(action)") { _ in }
    }
    await withTaskGroup(of: [String].self) { group in
      for number in 0..<50 {
        group.addTask {
          (try? await store.request(number) { _, outcomes in outcomes.map { $0.run.name ?? "?" } }) ?? []
        }
      }
      var all: [String] = []
      for await names in group {
        // Which settles first is open: a run ends after it has sent.
        let numbers = names.compactMap { Int($0) }.sorted()
        #expect(numbers.count == 2 && numbers[1] == numbers[0] + 1_000)
        all += names
      }
      #expect(Set(all).count == 100)
    }
  }

  @Test func `Requests that join one run each get it (L7, O1)`() async throws {
    let (gate, started) = (Gate(), Gate())
    let store = makeStore { action in
      .run(id: "x", overlap: .join, input: 0, name: "\(action)") { _, _ in
        started.open()
        await gate.pass()
      }
    }
    let first = Task { try await store.request(1) { _, outcomes in "\(outcomes)" } }
    await started.pass()
    let second = Task { try await store.request(2) { _, outcomes in "\(outcomes)" } }
    let third = Task { try await store.request(3) { $0 } }
    // The main actor takes its jobs in order: behind this one, both requests have been made.
    await Task { @MainActor in }.value
    gate.open()
    #expect(try await first.value == #"run("x", input: 0, name: "1", overlap: join): finished"#)
    #expect(try await second.value == first.value)
    #expect(try await third.value == [1, 2, 3])
  }

  @Test func `A run that is a part of what it requests is reported, and leaves nothing behind (L7, L2)`() async {
    let reference = StoreReference<Feature>()
    let log = Recorder<String>()
    let store = makeStore { _ in
      .run(id: "x", overlap: .join) { _ in
        await #expect(throws: RequestFailure.waitsForItself) {
          try await reference.store!.request(2) { _, outcomes in outcomes.count }
        }
        log.record("goes on")
      }
    }
    reference.store = store
    await store.send(1).finish()
    #expect(log.events == ["goes on"])
    #expect(await store.scheduler.collected.isEmpty)
  }

  // MARK: - Children

  private struct Child: Reducer {
    struct State: Equatable { var count = 0 }
    enum Action: Sendable { case add, added, fail }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .add: return .run(id: "add", overlap: .enqueue) { send in send(.added) }
      case .added:
        state.count += 1
        return .none
      case .fail: return .run(id: "add", overlap: .enqueue) { _ in throw Broken() }
      }
    }
  }

  private struct Parent: Reducer {
    struct State: Equatable { var sheet: Child.State? = Child.State() }
    enum Action: Sendable { case sheet(Child.Action), close }
    static let sheet = CasePath<Action, Child.Action>(
      embed: Action.sheet, extract: { if case .sheet(let action) = $0 { action } else { nil } })

    var body: some Reducer<State, Action> {
      CombineReducers {
        Reduce<State, Action> { @Sendable state, action in
          if case .close = action { state.sheet = nil }
          return .none
        }
      }.ifLet(\.sheet, action: Self.sheet) { Child() }
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> { body.reduce(into: &state, action: action) }
  }

  @Test func `A child store takes requests like any other, and answers with the child's state (L7, M5)`() async throws {
    let store = ObservableStore(initialState: Parent.State(), reducer: Parent(), onFailure: { _ in })
    let child = try #require(store.scope(\.sheet, action: Parent.sheet))
    #expect(try await child.request(.add) { $0.count } == 1)
    let (count, outcomes) = try await child.request(.add) { state, outcomes in (state.count, "\(outcomes)") }
    #expect(count == 2)
    #expect(outcomes.hasSuffix("overlap: enqueue): finished"))
    #expect(try await !child.request(.fail) { _, outcomes in outcomes.allFinished })
    #expect(
      try await store.request(.sheet(.add)) { state, outcomes in outcomes.allFinished ? state.sheet?.count : nil } == 3)
    await #expect(throws: Broken.self) { try await child.request(.add) { _ -> Int in throw Broken() } }
    store.send(.close)
    await #expect(throws: RequestFailure.missingChild) { try await child.request(.add) { $0.count } }
    await store.shutdown(.cancelling)
    await #expect(throws: RequestFailure.refused) { try await child.request(.add) { $0.count } }
  }

  @Test func `A child store for one lifetime takes requests during that lifetime only (L7, M5)`() async throws {
    let store = ObservableStore(initialState: Parent.State(), reducer: Parent())
    let child = try #require(store.scope(\.sheet, action: Parent.sheet))
    let (present, former) = (child.node.store(if: { true }), child.node.store(if: { false }))
    #expect(try await present.request(.add) { $0.count } == 1)
    await #expect(throws: RequestFailure.missingChild) { try await former.request(.add) { $0.count } }
    #expect(child.count == 1)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Observation
import TestSupport
import Testing

@testable import EffectRuntime

private typealias Feature = Reduce<[String], String>

private struct Broken: Error {}

@MainActor @Suite struct ConsistencyTests {
  private let log = Recorder<String>()
  private let reference = StoreReference<Feature>()
  private let gate = Gate()

  /// Notes what a piece of user code finds, and what happens to an action it sends.
  private nonisolated func visit(_ name: String) {
    MainActor.assumeIsolated {
      guard let store = reference.store else { return log.record("\(name): no store") }
      let found = store.assumeIsolated { store in
        "\(store.state.last ?? "nothing"), \(store.counts(of: "a")), \(store.counts(of: "b"))"
      }
      log.record("\(name): \(found)")
      store.send("from \(name)")
      log.record("\(name): sent")
    }
  }

  private nonisolated func sleeper(_ name: EffectID, overlap: Overlap = .concurrent) -> Effect<String> {
    .run(id: name, overlap: overlap) { [self] _ in
      await withTaskCancellationHandler {
        log.record("\(name) started")
        await gate.pass()
      } onCancel: {
        visit("\(name)")
      }
    }
  }

  private func makeStore(
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil,
    _ effect: @escaping @Sendable (String) -> Effect<String>
  ) -> Store<Feature> {
    let store = Store(
      initialState: [String](),
      reducer: Feature { @Sendable [log] state, action in
        state.append(action)
        log.record("reduce \(action)")
        return effect(action)
      }, isolation: MainActor.shared, onFailure: onFailure)
    reference.store = store
    return store
  }

  /// What has been recorded from an event on.
  private func events(from first: String) -> [String] {
    Array(log.events.drop { $0 != first })
  }

  @Test func `Handlers and deinits come last, left to right, find the final state, and only enqueue (E8, L1)`() async {
    let store = makeStore { [self] action in
      switch action {
      case "start":
        let farewell = Farewell { visit("captured") }
        return .merge(
          sleeper("a"), sleeper("b", overlap: .enqueue),
          .run(id: "b", overlap: .enqueue) { _ in withExtendedLifetime(farewell) {} })
      case "stop":
        return .merge(.cancel(id: "a"), .send("follow-up"), .cancel(id: "b"))
      default: return .none
      }
    }
    store.send("start")
    await log.wait(for: #""a" started"#)
    await log.wait(for: #""b" started"#)
    store.send("stop")
    log.record("returned")
    await log.wait(for: "reduce from captured")
    let found = #"follow-up, "a" 0/0/1, "b" 0/0/1"#
    #expect(
      events(from: "reduce stop") == [
        "reduce stop", "reduce follow-up",
        #""a": \#(found)"#, #""a": sent"#, #""b": \#(found)"#, #""b": sent"#, "captured: \(found)", "captured: sent",
        "returned",
        #"reduce from "a""#, #"reduce from "b""#, "reduce from captured",
      ])
    gate.open()
  }

  @Test func `What has settled is released before the runs of the turn are handed over (E8)`() async {
    let handedOver = Recorder<Bool>()
    let store = makeStore { [self] action in
      switch action {
      case "start":
        let farewell = Farewell { [reference] in
          MainActor.assumeIsolated {
            guard let store = reference.store else { return }
            handedOver.record(
              store.assumeIsolated { $0.core.value.ready.runs.isEmpty } || !store.runs.queue.withLock { $0.isEmpty })
          }
        }
        return .merge(
          sleeper("a", overlap: .enqueue), .run(id: "a", overlap: .enqueue) { _ in withExtendedLifetime(farewell) {} })
      case "stop": return .merge(sleeper("next"), .cancel(id: "a"))
      default: return .none
      }
    }
    store.send("start")
    await log.wait(for: #""a" started"#)
    store.send("stop")
    await log.wait(for: #""next" started"#)
    #expect(handedOver.events == [false])
    gate.open()
  }

  @Test func `Tasks are cancelled in order, and after the reductions that cancel their runs (E8)`() async throws {
    let ids = 0..<40
    let store = makeStore { [self] action in
      switch action {
      case "start": return .merge(ids.map { sleeper(EffectID("\($0)")) })
      case "stop all":
        // From within a reducer they only wait: all are taken at once, and none is the end of a slice.
        for id in ids { reference.store?.send("stop \(id)") }
        return .none
      case "stop 20": return .merge(.cancel(id: "20"), .send("in the same turn"))
      default:
        guard action.hasPrefix("stop ") else { return .none }
        return .cancel(id: EffectID(String(action.dropFirst(5))))
      }
    }
    store.send("start")
    for id in ids { await log.wait(for: "\"\(id)\" started") }
    store.send("stop all")
    log.record("returned")
    await log.wait(for: "reduce from \"39\"")
    let events = events(from: "reduce stop all")
    let told = events.filter { $0.hasSuffix(": sent") }
    #expect(told == ids.map { "\"\($0)\": sent" })
    for id in ids {
      let cancel = try #require(events.firstIndex(of: "reduce stop \(id)"))
      let knows = try #require(events.firstIndex(of: "\"\(id)\": sent"))
      #expect(cancel < knows)
    }
    // It comes when the turn has ended, and before the next one.
    let last = try #require(events.firstIndex(of: "reduce in the same turn"))
    let sent = try #require(events.firstIndex(of: "\"20\": sent"))
    let following = try #require(events.firstIndex(of: "reduce stop 21"))
    #expect(last < sent && sent < following)
    gate.open()
  }

  @Test func `A run that is cancelled by a newcomer finds the newcomer in its slot (E8, O1)`() async {
    let store = makeStore { [self] action in
      switch action {
      case "start": sleeper("a", overlap: .restart)
      case "again":
        .merge(
          .run(id: "a", overlap: .restart) { [self] _ in await gate.pass() },
          .run(id: "b", overlap: .concurrent) { _ in })
      default: .none
      }
    }
    store.send("start")
    await log.wait(for: #""a" started"#)
    store.send("again")
    log.record("returned")
    #expect(
      events(from: "reduce again") == [
        "reduce again", #""a": again, "a" 1/0/1, "b" 1/0/0"#, #""a": sent"#, "returned",
      ])
    gate.open()
    await log.wait(for: #"reduce from "a""#)
  }

  @Test func `A failure is reported when the run has left its slot, and what is sent then waits (E8, E5)`() async {
    let store = makeStore(onFailure: { [self] _ in visit("failure") }) { [self] action in
      switch action {
      case "start":
        .concatenate(
          .run(id: "a", overlap: .concurrent) { [self] _ in
            await gate.pass()
            throw Broken()
          }, .merge(.send("next"), .run(id: "b", overlap: .concurrent) { _ in }))
      default: .none
      }
    }
    let dispatch = store.send("start")
    gate.open()
    await dispatch.finish()
    await log.wait(for: "reduce from failure")
    #expect(
      log.events == [
        "reduce start", "reduce next", #"failure: next, "a" 0/0/0, "b" 1/0/0"#, "failure: sent", "reduce from failure",
      ])
  }

  @Test func `A waiter is resumed when all is over, and what it sends waits (E8, L2)`() async {
    let store = makeStore { [self] action in
      switch action {
      case "start": sleeper("a")
      case "stop": .merge(.cancel(id: "a"), .run(id: "b", overlap: .concurrent) { [self] _ in await gate.pass() })
      default: .none
      }
    }
    let dispatch = store.send("start")
    await log.wait(for: #""a" started"#)
    let task = Task.detached(executorPreference: InlineExecutor()) { [self] in
      log.record("waits")
      await dispatch.finish()
      visit("waiter")
    }
    await log.wait(for: "waits")
    // The wait was requested before its task suspended; what is sent from here comes behind it.
    await Task.detached(executorPreference: InlineExecutor()) {}.value
    await store.send("probe").finish()
    store.send("stop")
    log.record("returned")
    await task.value
    #expect(
      Array(events(from: "reduce stop").prefix(6)) == [
        "reduce stop", #""a": stop, "a" 0/0/1, "b" 1/0/0"#, #""a": sent"#,
        #"waiter: stop, "a" 0/0/1, "b" 1/0/0"#, "waiter: sent", "returned",
      ])
    gate.open()
    await log.wait(for: "reduce from waiter")
  }

  @Test func `An observer finds the new state, and what it sends waits (E8, L1)`() async {
    let store = makeStore { action in action == "one" ? .send("two") : .none }
    let observable = ObservableStore(store)
    withObservationTracking {
      _ = observable.count
    } onChange: { [self] in
      visit("observer")
    }
    observable.send("one")
    log.record("returned")
    await log.wait(for: "reduce from observer")
    #expect(
      log.events == [
        "reduce one", "reduce two", #"observer: two, "a" 0/0/0, "b" 0/0/0"#, "observer: sent", "returned",
        "reduce from observer",
      ])
  }

  @Test func `A reducer that sends finds its action behind all that waits (L1, T1)`() async {
    let store = makeStore { [self] action in
      if action == "nested" {
        MainActor.assumeIsolated { _ = reference.store?.send("from reducer") }
        log.record("sent")
      }
      return action == "nested" ? .send("follow-up") : .none
    }
    store.send("before", isolation: nil)
    store.send("nested")
    log.record("returned")
    await log.wait(for: "reduce from reducer")
    #expect(
      log.events == [
        "reduce before", "reduce nested", "sent", "reduce follow-up", "returned", "reduce from reducer",
      ])
  }
}

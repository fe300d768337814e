// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

/// When a time limit begins: with the reduction or event that starts the attempt (rule C2). The wait for a
/// thread before the start of a closure is like the waits behind each of its `await`s, and all of them are part of the
/// limit.
@Suite struct `The start of a time limit` {
  private typealias Feature = Reduce<[String], String>

  private func makeStore(_ clock: ManualClock, _ calls: Recorder<String>) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { state, action in
        state.append(action)
        guard action == "start" else { return .none }
        return .run(id: "work", overlap: .enqueue) { send in
          calls.record("called")
          send("done")
        } catch: { error, send in
          send("\(type(of: error))")
        }
        .timeout(after: .seconds(1))
      }, isolation: MainActor.shared, clock: clock)
  }

  private func makeStoreWithLongTurn(_ clock: ManualClock, _ calls: Recorder<String>) -> Store<Feature> {
    Store(
      initialState: [],
      reducer: Feature { state, action in
        state.append(action)
        if action == "slow" { clock.advance(by: .seconds(1)) }
        guard action == "start" else { return .none }
        return .merge(
          .run(id: "work", overlap: .enqueue) { _ in
            calls.record("called")
          } catch: { error, send in
            send("\(type(of: error))")
          }
          .timeout(after: .seconds(1)), .send("slow"))
      }, isolation: MainActor.shared, clock: clock)
  }

  @MainActor @Test func `A closure that gets no thread within its limit is out of time, and is not called (C5, E1)`() {
    let (clock, calls) = (ManualClock(), Recorder<String>())
    CapturedJobs.with { jobs in
      let store = makeStore(clock, calls)
      // Its task has been made, and no thread runs it.
      store.send("start")
      clock.advance(by: .seconds(1))
      store.send("look")
      jobs.runAll()
      store.send("look")
      #expect(calls.events == [])
      #expect(store.assumeIsolated { $0.state } == ["start", "look", "EffectTimeout", "look"])
    }
  }

  @MainActor @Test func `A closure that gets a thread in time has the rest of the limit (C5)`() {
    let (clock, calls) = (ManualClock(), Recorder<String>())
    CapturedJobs.with { jobs in
      let store = makeStore(clock, calls)
      store.send("start")
      clock.advance(by: .milliseconds(999))
      store.send("look")
      jobs.runAll()
      store.send("look")
      #expect(calls.events == ["called"])
      #expect(store.assumeIsolated { $0.state } == ["start", "look", "done", "look"])
    }
  }

  @MainActor @Test func `The time that a run waits in a queue is not counted (C5, O1)`() {
    let (clock, calls) = (ManualClock(), Recorder<String>())
    CapturedJobs.with { jobs in
      let store = makeStore(clock, calls)
      store.send("start")
      store.send("start")
      clock.advance(by: .milliseconds(900))
      jobs.runAll()
      // The first has ended: the second begins now.
      store.send("look")
      clock.advance(by: .milliseconds(900))
      store.send("look")
      jobs.runAll()
      store.send("look")
      #expect(calls.events == ["called", "called"])
      #expect(store.assumeIsolated { $0.state } == ["start", "start", "done", "look", "look", "done", "look"])
    }
  }

  @MainActor @Test func `The limit of a run counts from the end of the turn that starts it (C5, E8)`() {
    let (clock, calls) = (ManualClock(), Recorder<String>())
    let store = makeStoreWithLongTurn(clock, calls)
    CapturedJobs.with { jobs in
      store.send("start")
      // The turn has taken a second. The task was made after it.
      clock.advance(by: .milliseconds(999))
      store.send("look")
      jobs.runAll()
      store.send("look")
      #expect(calls.events == ["called"])
      #expect(store.assumeIsolated { $0.state } == ["start", "slow", "look", "look"])
    }
  }
}

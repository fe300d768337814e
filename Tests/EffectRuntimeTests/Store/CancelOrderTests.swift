// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// Tasks are cancelled a few at a time; all code that could notice runs afterwards (rule E8).
@MainActor @Suite(.timeLimit(.minutes(5))) struct CancelOrderTests {
  private struct Outage: Error {}

  private struct Watched {
    let log: Recorder<String>
    var actions = 0

    /// What an observer reads.
    var shown: Int {
      log.record("shown \(actions)")
      return actions
    }
  }

  private let log = Recorder<String>()
  private let gate = Gate()

  /// A run that records when its task is cancelled.
  private nonisolated func sleeper() -> Effect<String> {
    .run(id: "run", overlap: .concurrent) { [log, gate] _ in
      await withTaskCancellationHandler {
        log.record("started")
        await gate.pass()
      } onCancel: {
        log.record("told")
      }
    }
  }

  @Test func `The state of a turn is shown when the tasks it cancels have been cancelled (E8, M6)`() async {
    let store = Store(
      initialState: Watched(log: log),
      reducer: Reduce<Watched, String> { @Sendable [self] state, action in
        state.actions += 1
        return action == "start" ? sleeper() : .cancel(id: "run")
      }, isolation: MainActor.shared)
    var every = store.values(\.shown, buffering: .unbounded).makeAsyncIterator()
    _ = await every.next(isolation: MainActor.shared)
    store.send("start")
    await log.wait(for: "started")
    store.send("stop")
    let events = log.events
    #expect(events.firstIndex(of: "told") ?? .max < events.firstIndex(of: "shown 2") ?? .min)
    gate.open()
  }

  @Test func `A time-out is reported when the closure that took too long has been cancelled (E8, C2)`() async {
    let clock = ManualClock()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, String> { @Sendable [self] _, _ in sleeper().timeout(after: .seconds(1)) },
      isolation: MainActor.shared, clock: clock, onFailure: { [log] _ in log.record("failure") })
    store.send("start")
    await log.wait(for: "started")
    await clock.hasSleepers(1, dueBy: .seconds(1))
    clock.advance(by: .seconds(1))
    await log.wait(for: "failure")
    #expect(log.events == ["started", "told", "failure"])
    gate.open()
    withExtendedLifetime(store) {}
  }

  @Test func `A run that waits for delivery is cancelled before it is resumed with a failure (E8, E1)`() async {
    let reference = StoreReference<Reduce<Int, String>>()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, String> { @Sendable [self] _, action in
        switch action {
        case "start":
          return .run(id: "run", overlap: .concurrent) { [log, gate] send in
            log.record("started")
            await gate.pass()
            let wasReduced = await send.delivered("late")
            log.record("\(wasReduced), cancelled: \(Task.isCancelled)")
          }
        case "block":
          // Behind this action come its cancel, the action whose delivery is awaited, and one that waits for the
          // result: all are taken at once.
          reference.store?.send("stop")
          gate.open()
          while reference.store?.mailbox.queue.withLock({ $0.messages.count }) != 2 {}
          reference.store?.send("look")
          return .none
        case "stop": return .cancel(id: "run")
        case "look":
          while log.events.count < 2 {}
          return .none
        default: return .none
        }
      }, isolation: MainActor.shared)
    reference.store = store
    store.send("start")
    await log.wait(for: "started")
    store.send("block")
    _ = await store.state
    #expect(log.events == ["started", "false, cancelled: true"])
  }

  @Test(arguments: ["asked", "failed"])
  func `A retry's condition is evaluated, and a wait for oneself reported, after tasks are cancelled (E8, C2, L2)`(
    first: String
  ) async {
    let own = Mailed<StoreTask>()
    let leave = Gate()
    let reference = StoreReference<Reduce<Int, String>>()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, String> { @Sendable [self] _, action in
        switch action {
        case "start":
          let other = Effect<String>.run { [log] _ in
            log.record("waits")
            await leave.pass()
            if first == "failed" { await own.value().finish() }
            throw Outage()
          }
          return .merge(
            sleeper(),
            other.retry(
              attempts: 2,
              backoff: Backoff { [log] _, _ in
                log.record("asked")
                return nil
              }))
        case "block":
          // Behind this action come a cancel and what the other run causes: all are taken at once.
          reference.store?.send("stop")
          leave.open()
          while reference.store?.mailbox.queue.withLock({ $0.messages.count }) != 2 {}
          return .none
        case "stop": return .cancel(id: "run")
        default: return .none
        }
      }, isolation: MainActor.shared, onFailure: { [log] _ in log.record("failed") })
    reference.store = store
    own.deliver(store.send("start"))
    await log.wait(for: "started")
    await log.wait(for: "waits")
    store.send("block")
    await log.wait(for: "failed")
    #expect(log.events.dropFirst(2).prefix(2) == ["told", first])
    gate.open()
  }

  @Test func `A run cancelled before its task comes is not called, though its task is not cancelled (E3)`() async {
    guard case .run(let operation) = Effect<Int>.run({ _ in Issue.record("called") }) else { return }
    let body = RunBody(
      operation, token: Token(slot: 0, generation: 0), mailbox: Mailbox(time: TimeSource(ContinuousClock())))
    #expect(body.takeToCancel() == nil)
    await body.executeAlone()
  }

  @Test
  func `A run that is replaced before its task comes leaves its place with no further message (O1, E3)`()
    async
  {
    // Nearly always the cancel comes before the task. If not, the run ends in the usual way.
    for number in 1...100 {
      let store = Store(
        initialState: 0,
        reducer: Reduce<Int, String> { @Sendable [log] _, action in
          .run(id: "run", overlap: .restart(exclusive: true)) { send in
            if action == "next" { return log.record("next") }
            try await send.sleep(for: .seconds(600))
          }
        }, isolation: MainActor.shared)
      store.send("first")
      store.send("next")
      await log.wait(for: "next", count: number)
    }
  }
}

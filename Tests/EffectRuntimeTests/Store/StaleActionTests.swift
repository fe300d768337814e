// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import TestSupport
import Testing

@testable import EffectRuntime

private enum Action: Equatable, Sendable {
  case start, cancel, restart, early, late(Int), probe
}

private enum Moment: Equatable, Sendable { case started, cancelled, sent, ended, failed }

private struct NotACancellation: Error {}

@Suite struct StaleActionTests {
  /// A store whose one run executes the given body; its state lists what was reduced.
  private func makeStore(
    failures: Recorder<Moment>, overlap: Overlap = .restart,
    catch: (@concurrent @Sendable (any Error, Send<Action>) async -> Void)? = nil,
    _ body: @escaping @concurrent @Sendable (Send<Action>) async throws -> Void
  ) -> Store<Reduce<[Action], Action>> {
    Store(
      initialState: [],
      reducer: Reduce<[Action], Action> { state, action in
        state.append(action)
        switch action {
        case .start: return .run(id: "x", overlap: overlap, body, catch: `catch`)
        case .restart: return .run(id: "x", overlap: overlap) { _ in }
        case .cancel: return .cancel(id: "x")
        case .early, .late, .probe: return .none
        }
      },
      onFailure: { _ in failures.record(.failed) })
  }

  @Test(arguments: [Action.cancel, .restart])
  fileprivate func `A run that ignores its cancel sends and reports nothing more (E1, E4)`(
    stop: Action
  ) async {
    let moments = Recorder<Moment>()
    let gate = Gate()
    // Exclusive, so that a later run shows when this one has returned.
    let store = makeStore(failures: moments, overlap: .restart(exclusive: true)) { send in
      send(.early)
      moments.record(.started)
      await gate.pass()
      for number in 1...100 { send(.late(number)) }
      _ = await Task.detached { send(.late(0)) }.value
      moments.record(.sent)
      throw NotACancellation()
    }
    store.send(.start)
    await moments.wait(for: .started)
    store.send(stop)
    gate.open()
    await moments.wait(for: .sent)
    // Sent behind the late ones, so they have been taken when this has been reduced.
    await store.send(.probe).finish()
    await store.send(.restart).finish()
    #expect(await store.state == [.start, .early, stop, .probe, .restart])
    #expect(await store.scheduler.droppedActions == 101)
    #expect(await store.isEmpty)
    #expect(!moments.events.contains(.failed))
  }

  @Test func `A detached task that outlives its run sends nothing more, and that is reported (E1)`() async {
    let moments = Recorder<Moment>()
    let gate = Gate()
    let store = makeStore(failures: moments) { send in
      Task.detached {
        await gate.pass()
        send(.late(1))
        #expect(await !send.delivered(.late(2)))
        moments.record(.sent)
      }
      moments.record(.started)
    }
    let dispatch = store.send(.start)
    await moments.wait(for: .started)
    await dispatch.finish()
    // The slot belongs to another run by now: the token must not be valid for it.
    await store.send(.start).finish()
    gate.open()
    await moments.wait(for: .sent, count: 2)
    #expect(await store.state == [.start, .start])
    #expect(moments.events.count { $0 == .failed } == 2, "once for each run")
  }

  @MainActor
  @Test func `An action already sent when the cancelling action is reduced is dropped (E1)`() async {
    let moments = Recorder<Moment>()
    let cancelling = DispatchSemaphore(value: 0)
    let sent = DispatchSemaphore(value: 0)
    let store = Store(
      initialState: [],
      reducer: Reduce<[Action], Action> { @Sendable state, action in
        state.append(action)
        switch action {
        case .start:
          return .run(id: "x", overlap: .concurrent) { send in
            cancelling.waitBlocking()
            for number in 1...10 { send(.late(number)) }
            sent.signal()
            moments.record(.ended)
          }
        case .cancel:
          // The run sends while its cancel is being reduced: not stale when sent, stale when taken.
          cancelling.signal()
          sent.wait()
          return .cancel(id: "x")
        case .restart, .early, .late, .probe: return .none
        }
      },
      isolation: MainActor.shared, onFailure: { _ in moments.record(.failed) })
    store.send(.start)
    store.send(.cancel)
    store.send(.probe)
    await moments.wait(for: .ended)
    await store.send(.probe).finish()
    #expect(await store.state == [.start, .cancel, .probe, .probe])
    #expect(await store.scheduler.droppedActions == 10)
  }

  @Test func `After its closure threw, a run sends nothing but by its catch (E1, E5)`() async {
    let moments = Recorder<Moment>()
    let gate = Gate()
    let kept = Lock<Send<Action>?>(nil)
    let store = makeStore(
      failures: moments,
      catch: { error, send in
        #expect(error is NotACancellation)
        kept.withLock { $0 }?(.late(1))
        send(.late(2))
      }
    ) { send in
      kept.withLock { $0 = send }
      send(.early)
      throw NotACancellation()
    }
    await store.send(.start).finish()
    gate.open()
    #expect(await store.state == [.start, .early, .late(2)])
    #expect(moments.events.count { $0 == .failed } == 1, "the closure had thrown when it was made to send")
  }

  @Test func `A run cancelled while its catch executes sends nothing more (E1, E4)`() async {
    let moments = Recorder<Moment>()
    let gate = Gate()
    let store = makeStore(
      failures: moments,
      catch: { _, send in
        moments.record(.started)
        await gate.pass()
        send(.late(1))
        moments.record(.sent)
      }
    ) { _ in throw NotACancellation() }
    store.send(.start)
    await moments.wait(for: .started)
    await store.send(.cancel).finish()
    gate.open()
    await moments.wait(for: .sent)
    await store.send(.probe).finish()
    #expect(await store.state == [.start, .cancel, .probe])
  }

  @Test func `An error without catch is reported once, with id and line, and the store goes on (E5)`() async {
    let failures = Lock<[EffectFailure]>([])
    let line = #line + 6
    let store = Store(
      initialState: [],
      reducer: Reduce<[Action], Action> { state, action in
        state.append(action)
        return action == .start
          ? .run(id: "x", overlap: .concurrent, input: 7) { _, _ in throw NotACancellation() } : .none
      },
      onFailure: { failure in failures.withLock { $0.append(failure) } })
    await store.send(.start).finish()
    await store.send(.probe).finish()
    let seen = failures.withLock { $0 }
    #expect(seen.count == 1)
    #expect(seen.first?.error is NotACancellation)
    #expect(seen.first?.run == EffectRun(id: "x", overlap: .concurrent, input: 7))
    #expect(seen.first?.run.site.line == line)
    #expect(await store.state == [.start, .probe])
  }

  @Test func `Cancel in the turn of the start: the closure never runs (E3)`() async {
    let moments = Recorder<Moment>()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Action> { state, action in
        state += 1
        guard action == .start else { return .none }
        return .merge(
          .run(id: "x", overlap: .concurrent) { _ in moments.record(.started) }, .cancel(id: "x"),
          .run { _ in moments.record(.ended) })
      })
    for _ in 1...100 { await store.send(.start).finish() }
    #expect(moments.events == Array(repeating: .ended, count: 100))
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// Tasks that execute one run after another: this must not be visible.
@Suite(.timeLimit(.minutes(5))) struct RunPoolTests {
  private func makeBody(_ body: @escaping @concurrent @Sendable (Send<Int>) async throws -> Void = { _ in }) -> RunBody<
    Int
  > {
    guard case .run(let operation) = Effect<Int>.run(body) else { fatalError("a run is a run") }
    return RunBody(
      operation, token: Token(slot: 0, generation: 0), mailbox: Mailbox(time: TimeSource(ContinuousClock())))
  }

  @Test func `A queue of runs is first in, first out, and keeps nothing that was taken`() throws {
    var queue = RunPool<Int>.Queue()
    weak var taken: RunBody<Int>?
    let bodies = (0..<3_000).map { _ in makeBody() }
    queue.ready = bodies
    var all: [RunBody<Int>] = []
    while let body = queue.popFirst() { all.append(body) }
    #expect(all.map { ObjectIdentifier($0) } == bodies.map { ObjectIdentifier($0) })
    #expect(queue.ready.isEmpty)
    do {
      let first = makeBody()
      taken = first
      queue.ready = [first, makeBody()]
      _ = queue.popFirst()
    }
    #expect(taken == nil)
    #expect(!queue.isEmpty)
  }

  @Test func `While runs are ready there is one scout, and with none ready no scout is made`() {
    var queue = RunPool<Int>.Queue()
    var answers = [queue.needsScout()]
    queue.ready = [makeBody(), makeBody()]
    answers.append(queue.needsScout())
    answers.append(queue.needsScout())
    for _ in 0..<2 {
      queue.scouts -= 1
      _ = queue.popFirst()
      answers.append(queue.needsScout())
    }
    #expect(answers == [false, true, false, true, false])
  }

  @Test func `A run that is cancelled before its task comes is never called (E3)`() async {
    let calls = Tally()
    let body = makeBody { _ in calls.increment() }
    body.cancel()
    await body.executeAlone()
    #expect(calls.value == 0)
  }

  @Test func `A task that was cancelled for a run is detected as cancelled when the run returns`() async {
    await Task.detached {
      let body = self.makeBody()
      #expect(body.begin())
      #expect(body.end())
      let cancelled = self.makeBody()
      #expect(cancelled.begin())
      cancelled.cancel()
      #expect(Task.isCancelled)
      #expect(!cancelled.end())
      // Too late for a cancel to reach any run.
      body.cancel()
    }.value
  }

  @Test func `Each of many runs that wait for the next one starts (T4)`() async {
    let count = 1_000
    let gates = (0...count).map { _ in Gate() }
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        guard action < 0 else {
          state += 1
          return .none
        }
        return .merge(
          (0..<count).map { index in
            .run { send in
              if index < count - 1 { await gates[index + 1].pass() }
              gates[index].open()
              send(index)
            }
          })
      })
    await store.send(-1).finish()
    #expect(await store.state == count)
    #expect(await store.isEmpty)
  }

  @Test func `A run that cancels its own task harms no other (E1)`() async {
    let store = Store(
      initialState: [Bool](),
      reducer: Reduce<[Bool], Bool?> { state, action in
        guard let action else {
          return .concatenate(
            (0..<200).map { index in
              .run { send in
                send(Task.isCancelled)
                if index.isMultiple(of: 2) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
              }
            })
        }
        state.append(action)
        return .none
      })
    await store.send(nil).finish()
    #expect(await store.state == Array(repeating: false, count: 200))
  }

  @Test func `Cancels that come when runs end never reach the runs behind them (E1, E2)`() async {
    let harmed = Tally()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        switch action {
        case 0:
          return .merge(
            (1...20).map { index in
              index.isMultiple(of: 2)
                ? .run(id: index, overlap: .restart) { _ in }
                : .run { _ in
                  if Task.isCancelled { harmed.increment() }
                }
            })
        case 1:
          return .merge((1...10).map { .cancel(id: 2 * $0) })
        default:
          state += 1
          return .none
        }
      })
    for round in 0..<500 {
      store.send(0)
      store.send(1)
      if round.isMultiple(of: 10) { await store.send(0).finish() }
    }
    await store.shutdown(.draining)
    #expect(harmed.value == 0)
    #expect(await store.isEmpty)
  }

  @Test func `Runs see no task-locals of the runs whose task they take over (L6)`() async {
    let store = Store(
      initialState: [Int](),
      reducer: Reduce<[Int], Int> { state, action in
        guard action < 0 else {
          state.append(action)
          return .none
        }
        return .concatenate(
          (0..<100).map { index in
            .run { send in
              send(Bound.value)
              await Bound.$value.withValue(index + 1) { await Task.yield() }
            }
          })
      })
    await Bound.$value.withValue(7) { await store.send(-1).finish() }
    #expect(await store.state == Array(repeating: 0, count: 100))
  }
}

private enum Bound {
  @TaskLocal static var value = 0
}

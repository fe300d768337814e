// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Runs that end, fail, restart and are cancelled under a test store, in orders that are easy to handle wrongly.
@Suite struct `Runs of a test store` {
  private struct Broken: Error {}

  @Test func `The catch closure of a run goes on under the same id, and a cancel reaches it (E5)`() async {
    let ended = Diary<String>()
    let store = counterStore(
      .run(id: "work", overlap: .concurrent) { send in
        send(.set(1))
        throw Broken()
      } catch: { error, send in
        send(.note("\(error)"))
        do { try await send.sleep(for: .seconds(1)) } catch { ended.write("cancelled") }
      })
    store.send(.start)
    await store.receive(.set(1)) { $0.count = 1 }
    await store.receive(.note("Broken()"))
    #expect(store.clock.sleepers.count == 1)
    store.send(.stop)
    #expect(ended.all == ["cancelled"])
    await store.finish()
    #expect(store.scheduler.isIdle)
  }

  @Test func `A run that ends late does not end the one that has taken its id (E1)`() async {
    let gates = [Gate(), Gate()]
    let started = Diary<Int>()
    let ended = Diary<String>()
    let store = counterStore(
      .run(id: "work", overlap: .restart) { send in
        let number = started.count
        started.write(number)
        await gates[number].wait()
        send(.set(number))
        ended.write("\(number) \(Task.isCancelled)")
      })
    store.send(.start)
    store.send(.start)
    gates[0].open()
    // The first one has been cancelled. It comes back, and what it sends is dropped.
    #expect(store.inFlight.runs.map(\.isCancelled) == [true, false])
    store.advance(by: .zero)
    #expect(store.inFlight.runs.map(\.isCancelled) == [false])
    store.send(.stop)
    gates[1].open()
    await store.finish()
    #expect(ended.all == ["0 true", "1 true"])
    #expect(store.scheduler.droppedActions == 2)
    #expect(store.scheduler.isIdle)
  }

  @Test func `A slot that is used again belongs to its new run alone`() async {
    let ended = Diary<String>()
    let store = TestStore(
      initialState: Counter(),
      reducer: Reduce<Counter, Int> { _, number in
        .run(id: number, overlap: .concurrent) { send in
          do { try await send.sleep(for: .seconds(number)) } catch { ended.write("cancelled \(number)") }
        }
      })
    var sent: [SentAction<Reduce<Counter, Int>>] = []
    for number in 1...3 { sent.append(store.send(number)) }
    store.advance(by: .seconds(1))
    sent.append(store.send(10))
    sent[0].cancel()
    #expect(ended.all == [])
    sent[3].cancel()
    #expect(ended.all == ["cancelled 10"])
    sent[1].cancel()
    #expect(ended.all == ["cancelled 10", "cancelled 2"])
    store.advance(by: .seconds(5))
    await store.finish()
    #expect(store.scheduler.isIdle)
  }

  @Test func `An error is reported at the step in which it occurred`() async {
    let store = counterStore(
      work { send in
        try await send.sleep(for: .seconds(1))
        throw Broken()
      })
    store.send(.start)
    let found = await failures {
      store.advance(by: .seconds(1))
    }
    #expect(found.map(\.line) == [#line - 2])
    await store.finish()
  }

  @Test func `Any error that a cancelled run throws is ignored (E4)`() async {
    let store = counterStore(
      work { send in
        do { try await send.sleep(for: .seconds(1)) } catch { throw Broken() }
      })
    store.send(.start)
    store.send(.stop)
    await store.finish()
  }

  @Test func `The end of a run begins a turn with its own count`() async {
    let chain = 600
    let reducer = Reduce<Counter, CounterAction> { state, action in
      switch action {
      case .start:
        return .concatenate(.run { _ in }, .send(.set(chain)), .run { _ in }, .send(.set(chain)))
      case .set(let left):
        state.count += 1
        return left > 1 ? .send(.set(left - 1)) : .none
      default:
        return .none
      }
    }
    let store = TestStore(initialState: Counter(), reducer: reducer)
    store.send(.start)
    for _ in 0..<2 {
      for left in (1...chain).reversed() { await store.receive(.set(left)) { $0.count += 1 } }
    }
    await store.finish()
  }

  @Test func `A turn may have a thousand actions`() async {
    let reducer = Reduce<Counter, CounterAction> { state, action in
      guard case .set(let left) = action else { return .none }
      state.count += 1
      return left > 1 ? .send(.set(left - 1)) : .none
    }
    let store = TestStore(initialState: Counter(), reducer: reducer)
    store.send(.set(1_000)) { $0.count = 1 }
    for left in (1..<1_000).reversed() { await store.receive(.set(left)) { $0.count += 1 } }
    await store.finish()
  }

  @Test func `Work that waits for a turn that was cut short goes on`() async {
    let reducer = Reduce<Counter, CounterAction> { state, action in
      state.count += 1
      switch action {
      case .start: return .concatenate(.send(.increment), .run { send in send(.decrement) })
      case .increment: return .concatenate(.send(.increment), .run { _ in })
      default: return .none
      }
    }
    let store = TestStore(
      initialState: Counter(), reducer: reducer, executor: TestExecutor(jobLimit: 1_000),
      at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
    store.send(.start) { $0.count = 1 }
    let found = await failures {
      for count in 2...1_001 { await store.receive(.increment) { $0.count = count } }
    }
    #expect(found.count == 1)
    await store.receive(.decrement) { $0.count += 1 }
    await store.finish()
    #expect(store.scheduler.isIdle)
  }

  @Test func `Senders on other threads lose nothing and keep their order (T2)`() async {
    let store = TestStore(
      initialState: [Int](),
      reducer: Reduce<[Int], Int> { state, action in
        if action < 0 {
          return .run { send in
            await withTaskGroup(of: Void.self) { group in
              for sender in 0..<4 {
                group.addTask {
                  await Task.detached { for index in 0..<250 { send(sender * 1_000 + index) } }.value
                }
              }
            }
          }
        }
        state.append(action)
        return .none
      })
    store.externalWait = plenty
    store.send(-1)
    for count in 1...1_000 {
      await store.receiveAny { $0.count == count }
    }
    await store.finish()
    for sender in 0..<4 {
      #expect(store.state.filter { $0 / 1_000 == sender } == (0..<250).map { sender * 1_000 + $0 })
    }
  }

  @Test func `A test store inside a run of another one is a test of its own`() async {
    let store = counterStore(
      work { send in
        let inner = counterStore(
          work { send in
            try await send.sleep(for: .seconds(1))
            send(.increment)
          })
        inner.send(.start)
        inner.advance(by: .seconds(1))
        await inner.receive(.increment) { $0.count = 1 }
        await inner.finish()
        send(.set(inner.state.count))
      })
    store.send(.start)
    await store.receive(.set(1)) { $0.count = 1 }
    await store.finish()
  }

  @Test func `Cancelling an action twice, late, or after its end has no further effect`() async {
    let store = counterStore(work { send in try await send.sleep(for: .seconds(1)) })
    let first = store.send(.start)
    let second = store.send(.increment) { $0.count = 1 }
    first.cancel()
    first.cancel()
    second.cancel()
    await store.finish()
    #expect(store.scheduler.isIdle)
  }
}

extension TestStore {
  /// Receives the next action, without checking it.
  fileprivate func receiveAny(
    isolation: isolated (any Actor)? = #isolation, _ isExpected: (R.State) -> Bool
  ) async where R.Action: Equatable {
    while held == nil {
      goOn()
      guard held == nil, await !executor.arrival(before: .now + externalWait) else { continue }
      Issue.record("nothing arrived")
      return
    }
    if let held { await receive(held.action) { $0 = self.state(after: held.action, $0) } }
    #expect(isExpected(state))
  }

  private func state(after action: R.Action, _ before: R.State) -> R.State {
    var state = before
    _ = reducer.reduce(into: &state, action: action)
    return state
  }
}

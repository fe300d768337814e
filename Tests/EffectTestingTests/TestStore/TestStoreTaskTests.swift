// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization
import TestSupport
import Testing

@testable import EffectTesting

private final class Counting: Sendable {
  private let value = Atomic(0)
  var count: Int { value.load(ordering: .relaxed) }
  func add() { value.add(1, ordering: .relaxed) }
}

private actor Cache {
  private var loading: [String: Task<Int, Never>] = [:]
  let load: @Sendable (String) async -> Int

  init(load: @escaping @Sendable (String) async -> Int) { self.load = load }

  func value(_ key: String) async -> Int {
    if let task = loading[key] { return await task.value }
    let task = Task { [load] in await load(key) }
    loading[key] = task
    return await task.value
  }
}

/// A client as many are: a task of its own feeds the stream, until the reader goes away.
private func ticks(
  every step: Duration, _ clock: any Clock<Duration>, detached: Bool, ended: @escaping @Sendable () -> Void
) -> AsyncStream<Int> {
  AsyncStream { source in
    let feed: @Sendable () async -> Void = {
      for tick in 1... {
        guard (try? await clock.sleep(for: step)) != nil else { break }
        source.yield(tick)
      }
      ended()
    }
    let task = detached ? Task.detached { await feed() } : Task { await feed() }
    source.onTermination = { _ in task.cancel() }
  }
}

/// Tasks that the code of a run makes are executed by the step that makes them ready, as the run is.
@Suite struct `Tasks that a run makes stay in the test` {
  /// A step fails at once if anything is suspended outside, so these tests prove that nothing is.
  private func strictStore(_ effect: Effect<CounterAction>) -> TestStore<Reduce<Counter, CounterAction>> {
    let store = counterStore(effect)
    store.externalWait = .zero
    return store
  }

  @Test(arguments: [false, true])
  func `A task of a client feeds a stream, on the clock of the test`(detached: Bool) async {
    let ends = Counting()
    let store = strictStore(
      work { send in
        for await tick in ticks(every: .seconds(1), send.clock, detached: detached, ended: { ends.add() }) {
          send(.set(tick))
        }
      })
    store.send(.start)
    for tick in 1...3 {
      store.advance(by: .seconds(1))
      await store.receive(.set(tick)) { $0.count = tick }
    }
    #expect(store.clock.sleepers.count == 1)
    // The handler of the cancel ends the task, in the same step.
    store.send(.stop)
    #expect(store.clock.sleepers.isEmpty)
    #expect(ends.count == 1)
    await store.finish()
  }

  @Test func `An actor that keeps its tasks loads once for two runs`() async {
    let load = Mock<String, Int>()
    let cache = Cache { (try? await load($0)) ?? 0 }
    let store = counterStore(work { send in send(.set(await cache.value("a"))) })
    store.send(.start)
    store.send(.start)
    #expect(load.pending == ["a"])
    load.answer(7)
    await store.receive(.set(7)) { $0.count = 7 }
    await store.receive(.set(7))
    await store.finish()
  }

  @Test func `Tasks in tasks, groups and child tasks`() async {
    let store = strictStore(
      work { send in
        let sum = await Task {
          await withTaskGroup(of: Int.self) { group in
            for value in 1...10 {
              group.addTask {
                await Task.yield()
                return await Task.detached { value }.value
              }
            }
            async let more = Task { 45 }.value
            return await group.reduce(0, +) + more
          }
        }.value
        send(.set(sum))
      })
    store.send(.start)
    await store.receive(.set(100)) { $0.count = 100 }
    await store.finish()
  }

  @Test func `A task that is made when the run is cancelled`() async {
    let closed = Counting()
    let store = strictStore(
      work { send in
        try await withTaskCancellationHandler {
          try await send.sleep(for: .seconds(10))
        } onCancel: {
          Task { closed.add() }
        }
      })
    store.send(.start)
    store.send(.stop)
    #expect(closed.count == 1)
    await store.finish()
  }

  /// The test may wait for what a mock answers without a step of the store.
  @Test(.timeLimit(.minutes(1))) func `An answer of a mock goes on outside`() async {
    let load = Mock<String, Int>()
    let cache = Cache { (try? await load($0)) ?? 0 }
    let store = counterStore(work { _ in Task { await cache.value("a") } })
    store.send(.start)
    load.answer(9)
    #expect(await cache.value("a") == 9)
    await store.finish()
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test(.timeLimit(.minutes(1))) func `A task that the test starts at once may be waited for`() async throws {
    let (gate, load) = (Gate(), Mock<Int, Int>())
    let store = counterStore(work { _ in gate.open() })
    store.send(.increment) { $0.count = 1 }
    let task = Task.immediate {
      await gate.wait()
      return try await load(1)
    }
    store.send(.start)
    await load.pending(atLeast: 1)
    load.answer(7)
    #expect(try await task.value == 7)
    await store.finish()
  }

  /// The test may wait for such a task without a step of the store.
  @Test(.timeLimit(.minutes(1))) func `What the test itself resumes is executed outside`() async {
    let (gate, sent) = (Gate(), Gate())
    let store = strictStore(
      work { send in
        Task {
          await gate.wait()
          send(.increment)
          sent.open()
        }
        try await send.sleep(for: .seconds(10))
      })
    store.send(.start)
    gate.open()
    await sent.wait()
    await store.receive(.increment) { $0.count = 1 }
    store.send(.stop)
    await store.finish()
  }

  /// A task of the test must not wait for a step: the test may wait for the task.
  @Test(arguments: 0..<50)
  func `Tasks that the test makes are its own`(round: Int) async {
    let (stream, source) = AsyncStream.makeStream(of: Int.self)
    let gate = Gate()
    let store = strictStore(
      work { send in
        try await send.sleep(for: .seconds(1))
        source.yield(1)
        source.finish()
      })
    store.send(.start)
    let reading = Task {
      var all: [Int] = []
      for await value in stream { all.append(value) }
      await gate.wait()
      return all
    }
    if round.isMultiple(of: 2) { await Task.yield() }
    store.advance(by: .seconds(1))
    gate.open()
    #expect(await reading.value == [1])
    await store.finish()
  }

  @Test func `Two stores keep their tasks apart`() async {
    let answer = Mock<Void, Int>()
    let first = counterStore(work { send in send(.set((try? await Task { try await answer() }.value) ?? 0)) })
    let second = strictStore(
      work { send in
        answer.answer(1)
        send(.set(await Task { 2 }.value))
      })
    first.send(.start)
    second.send(.start)
    await second.receive(.set(2)) { $0.count = 2 }
    await second.finish()
    await first.receive(.set(1)) { $0.count = 1 }
    await first.finish()
  }

  @Test func `A task that outlives the test goes on elsewhere`() async {
    let (gate, ended) = (Gate(), Gate())
    do {
      let store = strictStore(
        work { _ in
          Task {
            await gate.wait()
            await Task.yield()
            ended.open()
          }
        })
      store.send(.start)
      await store.finish()
    }
    gate.open()
    await ended.wait()
  }
}

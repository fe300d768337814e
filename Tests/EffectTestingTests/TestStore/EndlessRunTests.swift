// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// Runs that end and begin again without end, each with some code left to execute. A step must end nevertheless.
@Suite(.timeLimit(.minutes(5))) struct `Runs without end` {
  private struct Broken: Error {}

  private func store(_ effect: Effect<CounterAction>) -> TestStore<Reduce<Counter, CounterAction>> {
    TestStore(
      initialState: Counter(), reducer: counter(effect), executor: TestExecutor(jobLimit: 100),
      at: TestLocation(fileID: #fileID, filePath: #filePath, line: #line, column: 1))
  }

  @Test func `A retry without a backoff that always fails is a failure, and the test goes on (C2)`() async {
    let store = store(work { _ in throw Broken() }.retry(attempts: .max))
    let found = await failures { store.send(.start) }
    #expect(
      found.map(\.text) == [
        """
        The code of these runs goes on and on without waiting for anything, so this step goes on without them:

          run("work").retry(attempts: 9223372036854775807) at App/Feature.swift:12

        Does a loop call `Task.yield()` until something happens, or swallow the error of a cancelled `sleep`? Does a \
        `retry` go on for ever without a backoff? Wait for what happens, and leave loops when the task is cancelled.
        """
      ])
    store.send(.increment) { $0.count = 1 }
    store.send(.stop)
    await store.finish()
  }

  @Test func `A cancelled run that repeats a delivery without end is a failure, and the test goes on (E1)`() async {
    let isOver = Gate()
    let store = store(
      work { send in
        try? await send.sleep(for: .seconds(1))
        while await !send.delivered(.increment), !isOver.isOpen {}
      })
    store.send(.start)
    let found = await failures { store.send(.stop) }
    #expect(found.count == 1)
    #expect(found.first?.text.hasPrefix("The code of these runs goes on and on") == true)
    isOver.open()
    await store.finish()
  }

  @Test func `What a step cancels because actions come without end has returned when the step is over (T5)`() async {
    let store = store(work { send in send(.start) })
    store.send(.start)
    let found = await failures { store.skipReceived() }
    #expect(found.count == 1)
    #expect(store.scheduler.isIdle)
    await store.finish()
  }

  @Test func `Many runs that end one after another are not endless`() async {
    let store = store(.concatenate((0..<190).map { _ in .run { _ in } } + [.send(.increment)]))
    store.send(.start)
    await store.receive(.increment) { $0.count = 1 }
    await store.finish()
  }
}

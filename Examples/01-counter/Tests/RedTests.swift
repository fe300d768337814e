// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import counter

private func withoutReceive() async {  // The test of `CounterTests.swift` line by line, without its `receive`.
  let store = TestStore(initialState: Counter.State(), reducer: Counter())

  store.send(.plusTapped) { $0.count = 1 }

  store.send(.plusLaterTapped)
  store.advance(by: .seconds(1))

  await store.finish()
}

@Test func `A test that forgets to receive an action says so, as the page shows`() async {
  let text = """
    An action was received before finish(), and the test does not say so:

      .plusTapped from run() at counter/Counter.swift:26

    Write `await store.receive(.plusTapped) { $0.count = 2 }` for it before this step.

    What has happened so far:

    seconds  1
      0.000     .plusTapped  CounterTests.swift:11
             ●  .plusLaterTapped  CounterTests.swift:13
             z  1 sleeps until 1.000 s
      1.000  ◆  .plusTapped  from 1

    1  run() at counter/Counter.swift:26

    ● starts   ◆ its action is reduced   z sleeps
    where a line stops, the run has ended
    """
  let failures = await reportedFailures { await withoutReceive() }
  #expect(failures.map { $0.replacing("RedTests.swift", with: "CounterTests.swift") } == [text])
}

// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

private let setPath = CasePath(
  embed: CounterAction.set, extract: { if case .set(let count) = $0 { count } else { nil } })

/// The steps of a test besides plain sending, receiving and advancing. Here they pass.
@Suite struct `Steps of a test store` {
  @Test func `An action may be received by a predicate`() async {
    let store = counterStore(work { send in for count in 1...2 { send(.set(count)) } })
    store.send(.start)
    await store.receive(where: { $0 != .stop }) { $0.count = 1 }
    store.reducer = Reduce { _, _ in .none }
    await store.receive(where: { $0 == .set(2) })
    await store.finish()
  }

  @Test func `An action may be received by its case, and its value is returned`() async {
    let store = counterStore(work { send in for count in [7, 7] { send(.set(count)) } })
    store.send(.start)
    let count = await store.receive(setPath) { $0.count = 7 }
    #expect(count == 7)
    let same = await store.receive(setPath)
    #expect(same == 7)
    await store.finish()
  }

  @Test func `Actions that cannot be compared are received by predicate and by case`() async {
    enum Event: Sendable { case go, found(@Sendable () -> Int) }
    let path = CasePath(embed: Event.found, extract: { if case .found(let body) = $0 { body } else { nil } })
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Event> { state, event in
        switch event {
        case .go: return .merge(.send(.found { 1 }), .send(.found { 2 }))
        case .found(let body):
          state += body()
          return .none
        }
      })
    store.send(.go)
    await store.receive(where: { path.extract($0)?() == 1 }) { $0 = 1 }
    await store.receive(path) { $0 = 3 }
    await store.finish()
  }

  @Test(arguments: [[1, 2, 3], [3, 1, 2], [2, 3, 1]])
  func `Actions may be received in any order`(order: [Int]) async {
    let store = counterStore(
      .merge(
        order.enumerated().map { index, number in
          .run { send in
            try await send.sleep(for: .seconds(index + 1))
            send(.note("\(number)"))
            send(.increment)
          }
        }))
    store.send(.start)
    store.advance(by: .seconds(10))
    let notes = (1...3).map { CounterAction.note("\($0)") }
    await store.receive(unordered: notes + Array(repeating: .increment, count: 3)) { $0.count = 3 }
    #expect(store.clock.now.offset == .seconds(10))
    await store.finish()
  }

  @Test func `Each of several actions in any order is reduced at its own instant (C3)`() async {
    let diary = Diary<Duration>()
    let store = counterStore(
      .merge(
        [2, 1].map { seconds in
          .run { send in
            try await send.sleep(for: .seconds(seconds))
            send(.note("\(seconds)"))
            diary.write(send.now)
          }
        }))
    store.send(.start)
    store.advance(by: .seconds(5))
    await store.receive(unordered: [.note("2"), .note("1")])
    #expect(diary.all == [.seconds(1), .seconds(2)])
    await store.finish()
  }

  @Test func `The state can be compared at any time, even while an action is held`() async {
    let store = counterStore(work { send in send(.increment) })
    store.assert { $0.count = 0 }
    store.send(.start)
    store.assert { $0.count = 0 }
    await store.receive(.increment) { $0.count = 1 }
    store.assert { $0.count = 1 }
    await store.finish()
  }

  @Test func `What was received may be skipped, with all that follows from it`() async {
    let store = counterStore(.merge(.send(.increment), work { send in send(.increment) }))
    store.send(.start)
    store.skipReceived()
    #expect(store.state.count == 2)
    await store.finish()
  }

  @Test func `Skipping lets time go on to the target of the advance (C3)`() async {
    let store = counterStore(
      work { send in
        for _ in 1...3 {
          try await send.sleep(for: .seconds(1))
          send(.increment)
        }
      })
    store.send(.start)
    store.advance(by: .seconds(10))
    store.skipReceived()
    #expect(store.state.count == 3)
    #expect(store.clock.now.offset == .seconds(10))
    await store.finish()
  }

  @Test func `What is in flight may be cancelled, queues and sequences too (E3)`() async {
    let diary = Diary<String>()
    let long: @Sendable (String) -> Effect<CounterAction> = { name in
      .run(id: "work", overlap: .enqueue) { send in
        diary.write("\(name) began")
        do { try await send.sleep(for: .seconds(1)) } catch { diary.write("\(name) cancelled") }
      }
    }
    let store = counterStore(.concatenate(.merge(long("a"), long("b")), .send(.increment)))
    store.send(.start)
    store.cancelInFlight()
    #expect(diary.all == ["a began", "a cancelled"])
    #expect(store.scheduler.isIdle)
    store.advance(by: .seconds(5))
    await store.finish()
  }

  @Test func `A test can wait for an action and its effects, while other runs go on (L2)`() async {
    let gates = [Gate(), Gate()]
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { _, index in .run(id: index, overlap: .concurrent) { _ in await gates[index].wait() } }
    )
    store.externalWait = plenty
    let first = store.send(0)
    store.send(1)
    Task.detached { gates[0].open() }
    await first.finish()
    #expect(store.inFlight.runs.map(\.run.id) == [EffectID(1)])
    await first.finish()
    gates[1].open()
    await store.finish()
  }

  @Test func `Waiting for an action includes the runs that it starts, and those that it is queued behind (L2)`() async {
    let gate = Gate()
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        state = action
        return action < 3
          ? .run(id: "work", overlap: .enqueue) { send in
            if action == 1 { await gate.wait() }
          } : .none
      })
    store.externalWait = plenty
    store.send(1) { $0 = 1 }
    let second = store.send(2) { $0 = 2 }
    Task.detached { gate.open() }
    await second.finish()
    #expect(store.scheduler.isIdle)
    await store.finish()
  }

  @Test func `A fork goes on by itself from the same state and time`() async {
    let store = counterStore(
      work { send in
        try await send.sleep(for: .seconds(1))
        send(.set(Int(send.now.components.seconds)))
      })
    store.externalWait = .zero
    store.send(.increment) { $0.count = 1 }
    store.advance(by: .seconds(4))
    let fork = store.fork()
    #expect(fork.externalWait == .zero)
    #expect(fork.state.count == 1)
    fork.send(.start)
    fork.advance(by: .seconds(1))
    await fork.receive(.set(5)) { $0.count = 5 }
    await fork.finish()
    store.send(.decrement) { $0.count = 0 }
    #expect(store.clock.now.offset == .seconds(4))
    await store.finish()
  }

  @Test func `A fork takes the current reducer`() async {
    let store = counterStore()
    store.reducer = Reduce { state, _ in
      state.count = 100
      return .none
    }
    let fork = store.fork()
    fork.send(.increment) { $0.count = 100 }
    await fork.finish()
    await store.finish()
  }

  @Test func `An action that is held must be received before a fork`() async {
    let store = counterStore(.send(.increment))
    store.send(.start)
    let found = await failures {
      let fork = store.fork()
      #expect(fork.state.count == 1)
      await fork.finish()
    }
    #expect(found.count == 1)
    #expect(found.first?.text.hasPrefix("An action was received before fork(), and the test does not say so:") == true)
    await store.finish()
  }

  @Test func `Time can go on to the next instant, and to any given instant`() async {
    let store = counterStore(
      .merge(
        [2, 1, 2].map { seconds in
          .run { send in
            try await send.sleep(for: .seconds(seconds))
            send(.increment)
          }
        }))
    store.send(.start)
    store.advanceToNext()
    #expect(store.clock.now.offset == .seconds(1))
    await store.receive(.increment) { $0.count = 1 }
    store.advanceToNext()
    #expect(store.clock.now.offset == .seconds(2))
    await store.receive(.increment) { $0.count = 2 }
    await store.receive(.increment) { $0.count = 3 }
    store.advance(to: TestClock.Instant(offset: .seconds(3)))
    await store.finish()
  }

  @Test func `Time can go on until nothing sleeps, and stops at an action`() async {
    let store = counterStore(
      work { send in
        for _ in 1...100 { try await send.sleep(for: .seconds(1)) }
        send(.increment)
        for _ in 1...100 { try await send.sleep(for: .seconds(1)) }
      })
    store.send(.start)
    store.runUntilIdle()
    #expect(store.clock.now.offset == .seconds(100))
    await store.receive(.increment) { $0.count = 1 }
    store.runUntilIdle(limit: 100)
    #expect(store.clock.now.offset == .seconds(200))
    store.runUntilIdle()
    await store.finish()
  }

  @Test func `A test can settle one id, while runs of others stay outside`() async {
    enum Name: Hashable, Sendable { case load, socket }
    let gates = [Gate(), Gate()]
    let store = counterStore(
      .merge(
        .run(id: Name.load, overlap: .concurrent) { send in
          await gates[0].wait()
          try await send.sleep(for: .seconds(1))
        },
        .run(id: "other", overlap: .concurrent) { _ in await gates[0].wait() },
        .run(id: Name.socket, overlap: .concurrent) { _ in await gates[1].wait() }))
    store.send(.start)
    Task.detached { gates[0].open() }
    await store.settle(until: Name.load)
    #expect(store.clock.sleepers.count == 1)
    await store.settle(until: "other")
    await store.settle(until: EffectID("other"))
    store.advance(by: .seconds(1))
    gates[1].open()
    await store.finish()
  }

  @Test func `A fork does not copy an open throttle window (C2)`() async {
    let store = counterStore(work { send in send(.increment) }.throttle(for: .seconds(1), trailing: false))
    store.send(.start)
    await store.receive(.increment) { $0.count = 1 }
    let fork = store.fork()
    store.send(.start)
    await store.finish()
    fork.send(.start)
    await fork.receive(.increment) { $0.count = 2 }
    await fork.finish()
  }

  @Test(.timeLimit(.minutes(5)))
  func `If you move the clock directly, the next step executes what is due (C3)`() async {
    let store = counterStore(
      .merge(
        work { send in send(.note("delayed")) }.delay(for: .seconds(1)),
        .run { send in
          try await send.sleep(for: .seconds(2))
          send(.note("slept"))
        }))
    store.send(.start)
    store.clock.advance(by: .seconds(3))
    await store.receive(unordered: [.note("delayed"), .note("slept")])
    await store.finish()
  }
}

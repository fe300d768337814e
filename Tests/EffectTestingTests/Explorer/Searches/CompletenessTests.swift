// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@testable import EffectTesting

/// Every outcome of a real store is among the outcomes of a complete exploration, or is reported as a gap.
struct CompletenessTests {
  private func outcomes<State: Hashable>(
    search: Exploration.Search = .full(.steps),
    _ body: (Exploration.Schedule, @escaping (State) -> Bool) -> Void
  ) async -> (Set<State>, Exploration) {
    var seen: Set<State> = []
    let account = await Account(search: search) { schedule in
      body(schedule) { state in
        seen.insert(state)
        return true
      }
    }
    #expect(account.text == nil)
    return (seen, account.result)
  }

  // MARK: - Ends

  @Test func `A timer does not read the time for user code`() async {
    let result = await explore(options: .init(search: .full(.steps))) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { ticks, action in
          guard action > 0 else {
            return .timer(id: "timer", overlap: .restart, every: .seconds(1)) { tick in tick }
          }
          ticks += 1
          return action < 2 ? .none : .cancel(id: "timer")
        }, finally: { $0 == 2 })
      run.send(0)
    }
    #expect(result.gaps == [])
    #expect(result.completeLevel == .steps, "\(result)")
  }

  @Test(arguments: [Exploration.Level.deliveries, .steps])
  func `The end of a run that a sequence waits for is taken before and after the actions of others`(
    level: Exploration.Level
  ) async {
    var charges: Set<Int> = []
    let result = await explore(options: .init(search: .full(level))) { schedule in
      let charged = Shared(0)
      let (gate, opener) = AsyncStream<Void>.makeStream()
      let script = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, _ in
          .merge(
            .run(id: "b", overlap: .concurrent) { _ in
              for await _ in gate {
                if !Task.isCancelled { charged.value += 1 }
                break
              }
            },
            .concatenate(.run(id: "a", overlap: .concurrent) { _ in opener.yield() }, .cancel(id: "b")))
        },
        finally: { _ in
          charges.insert(charged.value)
          return true
        })
      script.send(0)
    }
    #expect(result.completeLevel == level)
    #expect(charges == [0, 1])
  }

  @Test func `Other runs can act between the last action of a run and its end (O1)`() async {
    let (orders, result) = await outcomes { (schedule, finally: @escaping ([Int]) -> Bool) in
      let script = schedule.store(
        initialState: [],
        reducer: Planted<[Int], Int> { state, action in
          state.append(action)
          return action < 10 ? .run(id: "save", overlap: .drop) { send in send(10 + action) } : .none
        }, finally: finally)
      script.send(1)
      script.send(2)
    }
    // In the last order the button is tapped again and does nothing, because the run has not ended.
    #expect(orders == [[1, 2, 11], [1, 11, 2, 12], [1, 11, 2]])
    #expect(result.completeLevel == .steps)
  }

  @Test func `The end of a run may be taken after that of one that returned later (O1)`() async {
    var orders: Set<Set<String>> = []
    let result = await explore(options: .init(search: .full(.steps))) { schedule in
      let started = Shared<Set<String>>([])
      let (first, opener) = AsyncStream<Void>.makeStream()
      let (second, other) = AsyncStream<Void>.makeStream()
      func run(_ id: EffectID, _ body: @escaping @Sendable () async -> Void) -> Effect<Int> {
        .run(id: id, overlap: .drop) { _ in await body() }
      }
      schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          if action == 7 {
            return .merge(run("a") { started.value.insert("a") }, run("b") { started.value.insert("b") })
          }
          // These return in this order, because each waits for the one before. Their ends come in any order.
          let last = Effect<Int>.run { _ in for await _ in second { break } }
          return .merge(
            run("a") { opener.yield() },
            run("b") {
              for await _ in first { break }
              other.yield()
            },
            .concatenate(last, .send(7)))
        },
        finally: { _ in
          orders.insert(started.value)
          return true
        }
      ).send(0)
    }
    // A dozen of 20,000 stores start "b" alone, because the end of "a" has not arrived yet.
    #expect(orders == [[], ["a"], ["b"], ["a", "b"]])
    #expect(result.completeLevel == .steps)
  }

  @Test func `The end of a run is taken at once if no limit counts the runs of its id`() async {
    for overlap in [Overlap.concurrent, .restart, .drop] {
      let result = await explore(options: .init(search: .full(.deliveries))) { schedule in
        schedule.store(
          initialState: 0,
          reducer: Planted<Int, Int> { _, action in
            action > 0 ? .none : .run(id: "x", overlap: overlap) { send in send(1) }
          }
        ).send(0)
      }
      // Script, delivery, closure, delivery, and the end, which cannot come at any other moment.
      #expect("\(result)" == "complete: deliveries (1)")
    }
    // Three runs that end in any order: 3!. More, with the ends of two, if something waits for them.
    for (isAwaited, count) in [(false, 6), (true, 90)] {
      let result = await explore(options: .init(search: .full(.deliveries))) { schedule in
        schedule.store(
          initialState: 0,
          reducer: Planted<Int, Int> { _, _ in
            let runs = Effect<Int>.merge((0..<3).map { _ in .run { _ in } })
            return isAwaited ? .concatenate(runs, .cancel(id: "x")) : runs
          }
        ).send(0)
      }
      // Six steps, three of which each follow another: 6! / 2^3.
      #expect("\(result)" == "complete: deliveries (\(count))")
    }
  }

  @Test
  func `If overlaps of one id differ, the exploration is not complete, and a Send that outlives its run is a failure`()
    async
  {
    let mixed = await explore(options: .init(search: .full(.deliveries))) { schedule in
      let script = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          .run(id: "x", overlap: .restart(limit: action)) { _ in }
        })
      script.send(1)
      script.send(2)
    }
    #expect(mixed.completeLevel == nil)
    #expect(mixed.gaps == ["the ends of runs of \"x\", whose overlaps differ"])
    let kept = await Account(search: .full(.deliveries)) { schedule in
      let box = Shared<Send<Int>?>(nil)
      schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          state += action
          guard action == 0 else { return .none }
          return .merge(.run { send in box.value = send }, .run { _ in box.value?(1) })
        }
      ).send(0)
    }
    #expect(kept.text?.hasPrefix("A run sent an action after its closure had returned") == true)
  }

  @Test func `Overlaps of one id that differ are found inside of a tree as well`() async {
    let result = await explore(options: .init(search: .full(.deliveries))) { schedule in
      let script = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          let run = Effect<Int>.run(id: "x", overlap: .restart(limit: action)) { _ in }
          return action == 1 ? run : run.cancellable(id: "tree", overlap: .concurrent)
        })
      script.send(1)
      script.send(2)
    }
    #expect(result.completeLevel == nil)
    #expect(result.gaps == ["the ends of runs of \"x\", whose overlaps differ"])
  }

  @Test func `Overlaps may differ between schedules`() async {
    // The first schedule is traced, and has a store of its own. The third one has the store of the second.
    let result = await explore(options: .init(search: .full(.deliveries))) { schedule in
      let limit = schedule.choose(3) + 1
      schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, _ in .run(id: "x", overlap: .restart(limit: limit)) { _ in } }
      ).send(0)
    }
    #expect(result.gaps == [])
    #expect(result.completeLevel == .deliveries)
  }

  // MARK: - Starts

  @Test(arguments: [Exploration.Level.deliveries, .steps])
  func `A closure that is cancelled before its task starts is called, or is not`(level: Exploration.Level) async {
    var calls: Set<[Bool]> = []
    let result = await explore(options: .init(search: .full(level))) { schedule in
      let called = Shared<[Bool]>([])
      let script = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          if action == 1 { return .cancel(id: "a") }
          return .run(id: "a", overlap: .concurrent) { _ in called.value.append(Task.isCancelled) }
        },
        finally: { _ in
          calls.insert(called.value)
          return true
        })
      script.send(0)
      script.send(1)
    }
    #expect(calls == [[], [false], [true]])
    #expect(result.completeLevel == level)
  }

  @Test func `A catch that is cancelled before its task starts is called, or is not`() async {
    var calls: Set<String> = []
    let result = await explore(options: .init(search: .full(.steps))) { schedule in
      let called = Shared("")
      let script = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          if action == 1 { return .cancel(id: "a") }
          return .run(id: "a", overlap: .concurrent) { _ in
            called.value += Task.isCancelled ? "cancelled " : "called "
            throw Outage()
          } catch: { _, _ in
            called.value += Task.isCancelled ? "caught too late" : "caught"
          }
        },
        finally: { _ in
          calls.insert(called.value)
          return true
        })
      script.send(0)
      script.send(1)
    }
    #expect(calls == ["", "cancelled ", "called ", "called caught", "called caught too late"])
    #expect(result.completeLevel == .steps)
  }

  // MARK: - Gaps

  private func gaps(_ body: @escaping @Sendable (Send<Int>, TestClock) async -> Void) async -> Exploration {
    await explore(options: .init(search: .full(.steps))) { schedule in
      let clock = schedule.clock
      schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          action > 0 ? .none : .run(name: "x", fileID: "App/Feed.swift", line: 7) { send in await body(send, clock) }
        }
      ).send(0)
    }
  }

  @Test func `A run that reads the time is named, because no time passes`() async {
    let ofSend = await gaps { send, _ in
      let begun = send.now
      _ = await send.delivered(1)
      if send.now - begun > .seconds(5) { send(2) }
    }
    #expect(ofSend.completeLevel == nil)
    #expect(ofSend.gaps == ["the time, read by run(name: \"x\") at App/Feed.swift:7"])
    #expect(
      "\(ofSend)".hasSuffix(
        "schedule that it can choose tried; outside of its control: the time, read by run(name: \"x\") at App/Feed.swift:7"
      ), "\(ofSend)")
    let ofClock = await gaps { _, clock in _ = clock.now }
    #expect(ofClock.gaps == ofSend.gaps)
    let asleep = await gaps { send, clock in
      try? await send.sleep(for: .seconds(1))
      try? await clock.sleep(for: .seconds(1))
      try? await (clock as any Clock<Duration>).sleep(for: .seconds(1))
    }
    #expect("\(asleep)" == "complete: steps (1)", "a sleep does not read the time")
    let both = await gaps { send, clock in
      while clock.now < TestClock.Instant(offset: .seconds(1)) { try? await send.sleep(for: .seconds(1)) }
    }
    #expect(both.gaps == ofSend.gaps)
  }

  @Test func `A run that decides by the time and then sleeps until a deadline is named as well`() async {
    let name = "the time, read by run(name: \"x\") at App/Feed.swift:7"
    let deadline = TestClock.Instant(offset: .seconds(5))
    let ofSend = await gaps { send, clock in
      if send.now < .seconds(1) { send(1) }
      try? await clock.sleep(until: deadline)
    }
    #expect(ofSend.gaps == [name])
    let ofClock = await gaps { send, clock in
      if clock.now < deadline { try? await clock.sleep(until: deadline) }
    }
    #expect(ofClock.gaps == [name])
    let forBoth = await gaps { send, clock in
      let now = clock.now
      if now < deadline { try? await clock.sleep(until: now.advanced(by: .seconds(1))) }
    }
    #expect(forBoth.gaps == [name])
    let beforeSleep = await gaps { send, clock in
      if clock.now < deadline { send(1) }
      try? await clock.sleep(for: .seconds(1))
      try? await send.sleep(for: .seconds(1))
    }
    #expect(beforeSleep.gaps == [name])
    let generic = await gaps { _, clock in try? await sleepBefore(deadline, clock) }
    #expect(generic.gaps == [name])
    let end = await gaps { _, clock in try? await sleepForASecond(clock) }
    #expect("\(end)" == "complete: steps (1)")
  }

  @Test func `An unstructured task is under control, also if it is not awaited`() async {
    for isDetached in [false, true] {
      let result = await gaps { send, _ in
        let task = isDetached ? Task.detached {} : Task {}
        await task.value
        send(1)
      }
      #expect(result.completeLevel == .steps && result.gaps.isEmpty, "\(result)")
    }
    let unawaited = await gaps { _, _ in Task {} }
    #expect(unawaited.completeLevel == .steps && unawaited.gaps.isEmpty, "\(unawaited)")
  }

  @Test func `A task that a cancellation handler creates is under control`() async {
    func result(cancels: Bool) async -> Exploration {
      await explore(options: .init(search: .full(.steps))) { schedule in
        let silence = Shared<CheckedContinuation<Void, Never>?>(nil)
        let (messages, ending) = AsyncStream<Void>.makeStream()
        let script = schedule.store(
          initialState: 0,
          reducer: Planted<Int, Int> { _, action in
            if action > 0 { return .cancel(id: "socket") }
            return .run(id: "socket", overlap: .concurrent) { _ in
              await withTaskCancellationHandler {
                if cancels { await withCheckedContinuation { silence.value = $0 } }
                for await _ in messages {}
              } onCancel: {
                Task { ending.finish() }
              }
            }
          }, requiring: [.noDeadlock(except: "socket")])
        script.send(0)
        if cancels { script.send(1) }
      }
    }
    // The schedule does not contain the cancellation that ends a run that still waits.
    let waiting = await result(cancels: false)
    #expect("\(waiting)" == "complete: steps (1)")
    let cancelled = await result(cancels: true)
    #expect(cancelled.completeLevel == .steps && cancelled.gaps.isEmpty, "\(cancelled)")
  }
}

private func sleepBefore<C: Clock>(_ deadline: C.Instant, _ clock: C) async throws {
  if clock.now < deadline { try await clock.sleep(until: deadline, tolerance: nil) }
}

private func sleepForASecond<C: Clock<Duration>>(_ clock: C) async throws {
  try await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
  try await clock.sleep(for: .seconds(1))
}

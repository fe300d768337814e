// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectCore
@testable import EffectRuntime

/// What an engine decides, without a store: no task, no clock.
struct EngineTests {
  private struct Broken: Error {}

  // MARK: - Actions

  @Test func `An action of a run that was cancelled is dropped when it is taken (E1)`() {
    let probe = EngineProbe { $0 == "go" ? .run("a", id: "x") : $0 == "stop" ? .cancel(id: "x") : .none }
    #expect(probe.handle(.action("go")) == ["start a"])
    #expect(probe.handle(.sent("early", by: probe.token("a"))) == [])
    #expect(probe.handle(.action("stop")) == ["cancel a"])
    #expect(probe.handle(.sent("late", by: probe.token("a"))) == [])
    let waiter = probe.waiter("sender")
    #expect(probe.handle(.delivered("later", by: probe.token("a"), waiter)) == ["answer sender false"])
    #expect(probe.reduced == ["go", "early", "stop"])
  }

  @Test func `An action is dropped also when another run has the slot of its sender (E1)`() {
    let probe = EngineProbe { $0 == "a" || $0 == "b" ? .run($0, id: "x") : .none }
    #expect(probe.handle(.action("a")) == ["start a"])
    let first = probe.token("a")
    probe.handle(.ended(first, nil))
    #expect(probe.handle(.action("b")) == ["start b"])
    #expect(probe.token("b").slot == first.slot)
    #expect(probe.handle(.sent("late", by: first)) == [])
    #expect(probe.handle(.ended(first, nil)) == [])
    #expect(probe.handle(.sent("early", by: probe.token("b"))) == [])
    #expect(probe.reduced == ["a", "b", "early"])
  }

  @Test func `What an action sends is reduced before any other action, in one turn (T3)`() {
    let probe = EngineProbe { $0 == "a" ? .merge(.send("b"), .send("c")) : $0 == "b" ? .send("d") : .none }
    #expect(probe.handle(.action("a")) == [])
    #expect(probe.isTurnOpen)
    for _ in 0..<3 { #expect(probe.handle(.continueTurn) == []) }
    #expect(!probe.isTurnOpen)
    probe.handle(.action("e"))
    #expect(probe.reduced == ["a", "b", "c", "d", "e"])
  }

  @Test func `A long turn goes on behind other actions, and its sender is answered before (T5)`() {
    let probe = EngineProbe(followUpLimit: 3) {
      Int($0).map { $0 < 6 ? .send("\($0 + 1)") : .none } ?? .run("a", id: "x")
    }
    probe.handle(.action("go"))
    #expect(probe.handle(.delivered("1", by: probe.token("a"), probe.waiter("sender"))) == [])
    #expect(probe.handle(.continueTurn) == [])
    #expect(probe.handle(.continueTurn) == ["continue later", "answer sender true"])
    #expect(!probe.isTurnOpen)
    // A turn in between has a limit of its own.
    #expect(probe.handle(.action("5")) == [])
    #expect(probe.handle(.continueTurn) == [])
    #expect(!probe.isTurnOpen)
    probe.handle(.resumeTurn)
    #expect(probe.isTurnOpen)
    while probe.isTurnOpen { probe.handle(.continueTurn) }
    #expect(probe.reduced == ["go", "1", "2", "3", "5", "6", "4", "5", "6"])
  }

  @Test func `Long turns go on in the order in which they were suspended (T5)`() {
    let probe = EngineProbe(followUpLimit: 2) { $0.count < 4 ? .send($0 + $0.prefix(1)) : .none }
    for name in ["a", "b"] {
      probe.handle(.action(name))
      #expect(probe.handle(.continueTurn) == ["continue later"])
    }
    for _ in 1...2 {
      probe.handle(.resumeTurn)
      while probe.isTurnOpen { probe.handle(.continueTurn) }
    }
    #expect(probe.reduced == ["a", "aa", "b", "bb", "aaa", "aaaa", "bbb", "bbbb"])
  }

  @Test func `The dispatch of a turn that was suspended waits for it (T5, L2)`() {
    let probe = EngineProbe(followUpLimit: 2) {
      $0 == "go" ? .merge(.send("a"), .send("b"), .send("c")) : $0 == "c" ? .send("d") : .none
    }
    probe.handle(.action("go"))
    #expect(probe.handle(.continueTurn) == ["continue later"])
    #expect(!probe.isTurnOpen)
    #expect(probe.handle(.watch(1, probe.waiter("finish"), from: .none)) == [])
    probe.handle(.action("x"))
    probe.handle(.resumeTurn)
    #expect(probe.handle(.continueTurn) == [])
    #expect(probe.handle(.continueTurn) == ["continue later"])
    probe.handle(.resumeTurn)
    #expect(probe.handle(.continueTurn) == ["settle finish"])
    #expect(probe.reduced == ["go", "a", "x", "b", "c", "d"])
    #expect(probe.engine.scheduler.isPristine)
  }

  @Test func `A refused action is reduced and starts nothing (L2)`() {
    let probe = EngineProbe { _ in .run("a", id: "x") }
    #expect(probe.handle(.action("go", isRefusing: true)) == [])
    #expect(probe.reduced == ["go"])
  }

  @Test func `With a pace of single steps an action is held, and each part of its turn is a call`() {
    let probe = EngineProbe(pace: .stepwise) { $0 == "a" ? .merge(.send("b"), .run("r", id: "x")) : .none }
    #expect(probe.handle(.action("a")) == [])
    #expect(probe.engine.held?.action == "a" && probe.reduced.isEmpty)
    #expect(probe.handle(.continueTurn) == [])
    #expect(probe.engine.held == nil && probe.reduced == ["a"])
    probe.handle(.continueTurn)
    #expect(probe.engine.held?.action == "b")
    #expect(probe.handle(.dropTurn) == ["start r"], "what a turn causes comes when it has ended (E8)")
    #expect(!probe.isTurnOpen && probe.reduced == ["a"])
  }

  // MARK: - Outputs

  @Test func `Outputs come in the order of what caused them (E8)`() {
    let probe = EngineProbe {
      switch $0 {
      case "go": .run("a", id: "x")
      case "on": .merge(.run("b", id: "x", overlap: .restart), .run("c", id: "y"), .cancel(id: "y"), .run("d", id: "y"))
      default: .none
      }
    }
    #expect(probe.handle(.action("go")) == ["start a"])
    // Another overlap under one id is reported; `c` is cancelled in the turn that starts it, and so never starts.
    let outputs = probe.handle(.delivered("on", by: probe.token("a"), probe.waiter("sender")))
    #expect(
      outputs == [
        "report OverlapConflict", "cancel a", "start b", "start d", "answer sender true",
      ])
  }

  @Test func `A waiter is resumed when all that the action caused has ended, and not before (L2)`() {
    let probe = EngineProbe { $0 == "go" ? .concatenate(.run("a", id: "x"), .run("b", id: "x")) : .none }
    probe.handle(.action("go"))
    #expect(probe.handle(.watch(1, probe.waiter("w"), from: .none)) == [])
    #expect(probe.handle(.ended(probe.token("a"), nil)) == ["start b"])
    #expect(probe.handle(.ended(probe.token("b"), nil)) == ["settle w"])
    #expect(probe.handle(.watch(1, probe.waiter("late"), from: .none)) == ["settle late"])
    #expect(probe.engine.scheduler.isIdle)
  }

  @Test func `A slot is released once, also if an end is reported twice (O4)`() {
    let probe = EngineProbe { .run($0, id: "x", overlap: .enqueue) }
    for name in ["a", "b", "c"] { probe.handle(.action(name)) }
    let first = probe.token("a")
    #expect(probe.handle(.ended(first, nil)) == ["start b"])
    #expect(probe.handle(.ended(first, nil)) == [])
    #expect(probe.handle(.ended(first, Broken())) == [])
    #expect(probe.handle(.ended(probe.token("b"), nil)) == ["start c"])
  }

  // MARK: - Errors and time

  @Test func `The backoff of a retry is called before anything changes, and decides (C2)`() {
    let asked = Lock(0)
    let backoff = Backoff { _, _ in
      asked.withLock { count in
        count += 1
        return count < 2 ? .seconds(1) : nil
      }
    }
    let probe = EngineProbe { _ in .run("a", id: "x").retry(attempts: 3, backoff: backoff) }
    probe.handle(.action("go"))
    #expect(probe.handle(.ended(probe.token("a"), Broken())) == [])
    #expect(probe.engine.scheduler.nextAlarm?.deadline == .seconds(1))
    #expect(probe.handle(.deadline) == [])
    probe.advance(to: .seconds(1))
    #expect(probe.handle(.deadline) == ["start a"])
    #expect(probe.handle(.ended(probe.token("a"), Broken())) == ["report Broken"])
    #expect(asked.withLock { $0 } == 2 && probe.engine.scheduler.isIdle)
  }

  @Test func `A clock that cannot sleep is reported with the run that waits (C1)`() {
    let probe = EngineProbe { _ in .run("a", id: "x").delay(for: .seconds(1)) }
    #expect(probe.handle(.clockFailed(ClockFailure(.wait, error: Broken()))) == [])
    probe.handle(.action("go"))
    #expect(probe.handle(.clockFailed(ClockFailure(.wait, error: Broken()))) == ["report ClockFailure"])
  }

  // MARK: - Waiting and ending

  @Test func `A run that waits for work that it is a part of is answered at once, and reported (L2)`() {
    let probe = EngineProbe { _ in .run("a", id: "x") }
    probe.handle(.action("go"))
    #expect(
      probe.handle(.watch(1, probe.waiter("w"), from: probe.token("a"))) == ["report WaitsForItself", "answer w false"])
    #expect(
      probe.handle(.shutDown(.draining, probe.waiter("s"), from: probe.token("a"))) == [
        "report WaitsForItself", "shutdown [\"s\"] returns []",
      ])
  }

  @Test func `A run that would close a circle of waits is answered at once, and reported (L2)`() {
    let probe = EngineProbe { .run($0, id: "x") }
    probe.handle(.action("a"))
    probe.handle(.action("b"))
    #expect(probe.handle(.watch(2, probe.waiter("for b"), from: probe.token("a"))) == [])
    #expect(
      probe.handle(.watch(1, probe.waiter("for a"), from: probe.token("b"))) == [
        "report WaitsInCircle", "answer for a false",
      ])
    #expect(probe.handle(.ended(probe.token("b"), nil)) == ["settle for b"])
  }

  @Test func `A shutdown ends when the last closure has returned, and observers have seen that (L4)`() {
    let probe = EngineProbe { .run($0, id: "x", overlap: .enqueue) }
    probe.handle(.action("a"))
    probe.handle(.action("b"))
    #expect(probe.handle(.rested) == [])
    #expect(
      probe.handle(.shutDown(.cancelling, probe.waiter("w"), from: .none)) == ["cancel a"])
    #expect(probe.handle(.rested) == [])
    #expect(probe.handle(.ended(probe.token("a"), nil)) == [])
    let runs = "returns [\"a\", \"b\"]"
    #expect(probe.handle(.rested) == ["ended", "shutdown [\"w\"] \(runs)"])
    #expect(probe.handle(.shutDown(.cancelling, probe.waiter("late"), from: .none)) == [])
    #expect(probe.handle(.rested) == ["ended", "shutdown [\"late\"] \(runs)"])
  }

  @Test func `A shutdown that waits no longer returns what has not returned, once, and the others wait (L4)`() {
    let probe = EngineProbe { $0 == "stop" ? .cancel(id: "old") : .run($0, id: $0, overlap: .enqueue) }
    for action in ["old", "stop", "a", "a", "b"] { probe.handle(.action(action)) }
    let waiter = probe.waiter("w")
    #expect(probe.handle(.shutDown(.draining, waiter, from: .none)) == [])
    #expect(probe.handle(.shutDown(.draining, probe.waiter("other"), from: .none)) == [])
    probe.handle(.ended(probe.token("b"), nil))
    let runs = ["a", "a executes", "old executes"]
    #expect(
      probe.handle(.shutdownExpired(waiter)) == ["cancel a", "shutdown [\"w\"] returns \(runs)"])
    #expect(probe.handle(.shutdownExpired(waiter)) == [])
    probe.handle(.ended(probe.token("old"), nil))
    #expect(probe.handle(.rested) == [])
    probe.handle(.ended(probe.token("a"), nil))
    #expect(probe.handle(.rested) == ["ended", "shutdown [\"other\"] returns [\"a\", \"a\"]"])
  }

  @Test func `A shutdown that drains cancels the ids it names, and answers their requests first (L3)`() {
    let probe = EngineProbe { .run($0, id: $0) }
    probe.handle(.action("a"))
    probe.handle(.action("b"))
    probe.handle(.watch(1, probe.waiter("request"), from: .none))
    let shutdown = Shutdown.draining(cancelling: ["a"])
    #expect(
      probe.handle(.shutDown(shutdown, probe.waiter("w"), from: .none)) == [
        "cut short request", "cancel a", "settle request",
      ])
    probe.handle(.ended(probe.token("a"), nil))
    #expect(probe.handle(.rested) == [])
    probe.handle(.ended(probe.token("b"), nil))
    #expect(probe.handle(.rested) == ["ended", "shutdown [\"w\"] returns []"])
  }

  // MARK: - Notes

  @Test func `Listeners are notified of an action before it is reduced, and of each event with its cause (V2)`() {
    let probe = EngineProbe {
      $0 == "go" ? .merge(.run("a", id: "x"), .send("b")) : $0 == "stop" ? .cancel(id: "x") : .none
    }
    probe.trace()
    #expect(probe.handle(.action("go")) == ["1 accepted go"])
    #expect(probe.reduced.isEmpty)
    #expect(
      probe.handle(.continueTurn) == [
        "2 reduced go after 1", "3 a registered after 2",
      ])
    #expect(probe.handle(.continueTurn) == ["4 reduced b after 2", "5 a started after 2", "start a"])
    #expect(probe.handle(.continueTurn) == [])
    #expect(probe.handle(.senderCancelled(1)) == ["6 sent action 1 cancelled", "7 a ended after 6", "cancel a"])
    #expect(probe.handle(.sent("late", by: probe.token("a"))) == ["8 accepted late after 3", "9 dropped late after 8"])
  }

  @Test func `The end of a store follows from the last event (V2)`() {
    let probe = EngineProbe { _ in .run("a", id: "x") }
    probe.trace()
    probe.handle(.action("go"))
    probe.handle(.continueTurn)
    #expect(probe.handle(.shutDown(.draining, probe.waiter("w"), from: .none)) == ["5 shutdown: draining"])
    #expect(probe.handle(.ended(probe.token("a"), nil)) == ["6 a ended after 3"])
    #expect(probe.handle(.rested) == ["7 shutdown: ended after 6", "ended", "shutdown [\"w\"] returns []"])
  }

  @Test func `Without listeners nothing is noted`() {
    let probe = EngineProbe { $0 == "go" ? .run("a", id: "x") : .none }
    #expect(probe.handle(.action("go")) == ["start a"])
    #expect(probe.handle(.refused("no", nil)) == [])
    #expect(probe.handle(.budgetExceeded(steps: 1)) == [])
  }

  // MARK: - User code

  @Test func `While user code is called the phase says which code, and afterwards that the engine rests`() {
    let phase = UncheckedCell(EnginePhase.resting)
    defer { phase.free() }
    let seen = Lock<[EnginePhase]>([])
    let probe = EngineProbe(phase: phase) { action in
      seen.withLock { $0.append(phase.value) }
      return action == "go"
        ? .run("a", id: "x")
        : action == "rest"
          ? .none
          : .cancel(
            .all(of: String.self) { _ in
              seen.withLock { $0.append(phase.value) }
              return true
            })
    }
    probe.handle(.action("go"))
    #expect(phase.value == .resting)
    #expect(probe.handle(.action("stop")) == ["cancel a"])
    #expect(phase.value == .resting)
    probe.handle(.action("rest"))
    #expect(phase.value == .resting)
    #expect(seen.withLock { $0 } == [.reducing, .reducing, .comparing, .reducing])
  }
}

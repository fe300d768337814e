// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectTesting

/// Appends what it is sent. A capital letter is a run that sends the small letter.
private struct Letters: Reducer {
  func reduce(into state: inout String, action: String) -> Effect<String> {
    state += action
    guard action != action.lowercased() else { return .none }
    return .run(id: EffectID(action), overlap: .concurrent) { send in send(action.lowercased()) }
  }
}

/// Several senders, and steps that wait or cancel.
@Suite struct SenderTests {
  /// All states in which schedules end.
  private func outcomes(
    _ search: Exploration.Search = .full(.steps), _ script: (Exploration.Script<String>) -> Void
  ) async -> (ends: Set<String>, result: Exploration, text: String?) {
    let log = Recorder<String>()
    let explorer = Explorer(
      budget: 100_000, search: search, seed: 1, settings: ScheduleRunner.Settings())
    await explorer.search { schedule in
      script(
        schedule.store(
          initialState: "", reducer: Letters(),
          finally: {
            log.record($0)
            return true
          }))
    }
    return (Set(log.events), explorer.result, explorer.failureText)
  }

  // MARK: - Senders

  @Test func `Two senders with two steps each have six orders`() async {
    let (ends, result, text) = await outcomes(.full(.timers)) { run in
      run.sender("a") { a in ["a", "b"].forEach { a.send($0) } }
      run.sender("b") { b in ["x", "y"].forEach { b.send($0) } }
    }
    #expect(text == nil)
    #expect(ends == ["abxy", "axby", "axyb", "xaby", "xayb", "xyab"])
    #expect(result.completeCount == 6)
  }

  @Test func `A request is answered when all that the turn cancels has been cancelled, as in a store (E8)`() async {
    let log = Recorder<String>()
    func work(_ name: String) -> Effect<String> {
      .run(id: name, overlap: .drop) { send in
        log.record("began")
        try await withTaskCancellationHandler {
          try await send.sleep(for: .seconds(1_000))
        } onCancel: {
          log.record("\(name) cancelled")
        }
      } catch: { _, _ in
      }
    }
    await explore(
      initialState: 0,
      reducer: Reduce<Int, String> { _, action in
        action == "stop" ? .merge(.cancel(id: "a"), .cancel(id: "b")) : work(action)
      }, options: .init(search: .full(.answers))
    ) { run in
      log.record("begin")
      run.sender("one") { one in
        _ = one.request("a") { (_: Int) in
          log.record("answered")
          return true
        }
      }
      run.sender("two") { two in
        two.send("b")
        two.send("stop")
      }
    }
    // Both runs had begun: one that begins later may be called although it is cancelled.
    let schedules = log.events.split(separator: "begin").filter { $0.prefix(2) == ["began", "began"] }
    let stopped = schedules.filter { $0.contains("a cancelled") && $0.contains("b cancelled") }
    #expect(!stopped.isEmpty)
    for events in stopped { #expect(events.last == "answered", "\(Array(events))") }
  }

  @Test func `A sender begins behind what was written before, and not behind what comes later`() async {
    let (ends, _, text) = await outcomes(.full(.timers)) { run in
      run.send("1")
      run.sender("a") { a in
        a.send("a")
        a.sender("inner") { $0.send("i") }
      }
      run.send("2")
    }
    #expect(text == nil)
    #expect(ends == ["1ai2", "1a2i", "12ai"])
  }

  @Test func `Senders are found by every search, and by a reduced one`() async {
    for search in [
      Exploration.Search.levels(upTo: .steps), .random(.steps), .priorities(.steps, changes: 2), .full(.deliveries),
    ] {
      let account = await Account(schedules: 200, search: search) { schedule in
        let run = schedule.store(initialState: "", reducer: Letters(), always: { !$0.hasPrefix("ba") })
        run.sender("a") { $0.send("a") }
        run.sender("b") { $0.send("b") }
      }
      #expect(account.result.failure?.contains("u2 ") == true, "\(search): \(account.result)")
    }
  }

  @Test func `A name that is used twice is a mistake, and so is the name of the script`() async {
    for name in ["a", "script"] {
      let account = await Account { schedule in
        let run = schedule.store(initialState: "", reducer: Letters())
        run.sender("a") { $0.send("a") }
        run.sender(name) { $0.send("b") }
      }
      #expect(account.text?.contains("two senders with the name \"\(name)\"") == true, "\(account.text ?? "")")
      #expect(account.text?.contains("SenderTests.swift:") == true)
    }
  }

  @Test func `A generated script of several senders is written with its senders`() async {
    let account = await Account { schedule in
      let run = schedule.store(initialState: "", reducer: Letters(), always: { !$0.contains("ba") })
      run.send("s")
      run.sender("one") { $0.send(anyOf: ["a"], upTo: 2) }
      run.sender("two") { two in
        two.send("c")
        let sent = two.send("b")
        two.finish(sent)
      }
    }
    let text = account.text ?? ""
    #expect(
      text.contains(
        """
        Script:
          script.send("s")
          script.sender("one") { script in
            script.send("a")
          }
          script.sender("two") { script in
            script.send("c")
            script.send("b")
          }

        """), "\(text)")
    let replayed = await Account(replaying: account.result.failure) { schedule in
      let run = schedule.store(initialState: "", reducer: Letters(), always: { !$0.contains("ba") })
      run.send("s")
      run.sender("one") { $0.send(anyOf: ["a"], upTo: 2) }
      run.sender("two") { two in
        two.send("c")
        two.finish(two.send("b"))
      }
    }
    #expect(replayed.text?.hasPrefix("After a reduction `always` does not hold.") == true, "\(replayed.text ?? "")")
  }

  @Test func `The steps of senders are read from text, and others are not`() {
    #expect(ScheduleStep("u2") == ScheduleStep(kind: .script, index: 2))
    #expect(ScheduleStep("s1") == ScheduleStep(kind: .omission, index: 1))
    #expect(
      ScheduleStep.text(of: [ScheduleStep("u"), ScheduleStep("u1"), ScheduleStep("s3")].compactMap(\.self)) == "u u1 s3"
    )
    #expect(ScheduleStep("u-1") == nil)
  }

  @Test func `Senders let time pass, each by its own script`() async {
    let times = Recorder<String>()
    let account = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(
        initialState: "", reducer: Letters(),
        finally: { _ in
          times.record("\(schedule.clock.offset)")
          return true
        })
      run.sender("a") { a in
        a.send("a")
        a.advance(by: .seconds(1))
        a.advance(by: .seconds(1))
        a.send("b")
      }
      run.sender("b") { b in
        b.advance(by: .seconds(5))
        b.send("x")
      }
    }
    #expect(account.text == nil && account.result.completeLevel == .steps)
    // The time of a step counts from the moment at which the step before is over.
    #expect(Set(times.events) == ["5.0 seconds", "6.0 seconds", "7.0 seconds"])
  }

  /// Counts saves, of which one may begin in a second.
  private struct Saver: Reducer {
    enum Action: Equatable, Sendable { case tap, saved, nothing }

    func reduce(into saves: inout Int, action: Action) -> Effect<Action> {
      if action == .saved { saves += 1 }
      guard action == .tap else { return .none }
      return .run(id: "save", overlap: .concurrent) { send in send(.saved) }
        .throttle(for: .seconds(1), trailing: false)
    }
  }

  private static let laterSteps: [@Sendable (Exploration.Script<Saver.Action>) -> Void] = [
    { run in run.sender("other") { $0.send(.tap) } },
    { run in run.finish(run.send(.tap)) },
    { run in run.request(.tap) { (saves: Int) in saves > 0 } },
    { run in
      run.send(.tap)
      run.cancel(run.send(.nothing))
    },
    { run in
      run.send(.tap)
      run.shutdown(.draining)
    },
  ]

  @Test(arguments: laterSteps.indices)
  func `Time passes before a step that makes senders`(step: Int) async {
    let account = await Account(search: .levels(upTo: .timers)) { schedule in
      let run = schedule.store(initialState: 0, reducer: Saver(), finally: { $0 == 2 })
      run.send(.tap)
      run.advance(by: .seconds(5))
      Self.laterSteps[step](run)
    }
    #expect(account.text == nil && account.result.completeLevel == .timers, "\(account.result)")
  }

  // MARK: - Finish and cancel

  @Test func `After a finish everything that the action caused was reduced`() async {
    let (ends, result, text) = await outcomes { run in
      run.finish(run.send("A"))
      run.send("b")
    }
    #expect(text == nil && result.completeLevel == .steps)
    #expect(ends == ["Aab"])
    let without = await outcomes { run in
      run.send("A")
      run.send("b")
    }
    #expect(without.ends == ["Aab", "Aba"])
  }

  @Test func `Another sender may finish an action, and goes on behind it`() async {
    let (ends, _, text) = await outcomes { run in
      let sent = run.send("A")
      run.sender("b") { b in
        b.finish(sent)
        b.send("x")
      }
      run.send("y")
    }
    #expect(text == nil)
    #expect(ends == ["Aaxy", "Aayx", "Ayax"])
  }

  @Test func `A cancel comes before the start, while the run is active, or too late`() async {
    let (ends, result, text) = await outcomes { run in run.cancel(run.send("A")) }
    #expect(text == nil && result.completeLevel == .steps)
    #expect(ends == ["A", "Aa"], "the action is always reduced (L2)")
    // With a finish before it, the cancel is too late.
    let late = await outcomes { run in
      let sent = run.send("A")
      run.finish(sent)
      run.cancel(sent)
    }
    #expect(late.ends == ["Aa"])
  }

  @Test func `A cancel reaches only what its action has caused`() async {
    let (ends, _, text) = await outcomes { run in
      let sent = run.send("A")
      run.send("B")
      run.cancel(sent)
    }
    #expect(text == nil)
    #expect(ends.allSatisfy { $0.contains("b") } && ends.contains { !$0.contains("a") })
  }

  @Test func `What a cancel lets go on is reduced, also if nothing comes after it`() async {
    let account = await Account(search: .full(.deliveries)) { schedule in
      let run = schedule.store(
        initialState: "",
        reducer: Planted<String, String> { state, action in
          state += action
          let effect: Effect<String>
          switch action {
          // Without a closure that has to return, so nothing comes after the cancel.
          case "a": effect = .merge(.run { _ in }, .run { _ in }).delay(for: .seconds(1))
          case "b": effect = .send("c")
          default: return .none
          }
          return effect.cancellable(id: "line", overlap: .enqueue)
        }, finally: { $0 == "abc" })
      let first = run.send("a")
      run.send("b")
      run.cancel(first)
    }
    #expect(account.text == nil, "\(account.text ?? "")")
  }

  @Test func `A finish of an action that never ends leaves the exploration incomplete, and is a deadlock`() async {
    func script(_ schedule: Exploration.Schedule, _ requirements: [Exploration.Requirement<Int>]) {
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, _ in
          state += 1
          return .run(id: "endless", overlap: .concurrent) { _ in
            let (stream, end) = AsyncStream.makeStream(of: Int.self)
            for await _ in stream {}
            end.finish()
          }
        }, requiring: requirements)
      run.finish(run.send(0))
      run.send(1)
    }
    let open = await Account(search: .full(.deliveries), externalWait: .milliseconds(1)) { script($0, []) }
    #expect(open.text == nil && open.result.completeLevel == nil)
    #expect(open.result.waiting.last?.hasPrefix("`finish` at EffectTestingTests/SenderTests.swift:") == true)
    let dead = await Account(search: .full(.deliveries), externalWait: .milliseconds(1)) {
      script($0, [.noDeadlock(except: "endless")])
    }
    #expect(
      dead.text?.hasPrefix("Nothing can happen any more, and this still waits: `finish` at") == true)
    #expect(dead.text?.contains("of the script") == true, "\(dead.text ?? "")")
  }

  @Test func `An action of another schedule is a mistake`() async {
    var kept: Exploration.SentAction?
    let account = await Account { schedule in
      let run = schedule.store(initialState: "", reducer: Letters())
      if let kept { run.finish(kept) }
      kept = run.send("A")
    }
    #expect(
      account.text?.hasPrefix("`finish` at EffectTestingTests/SenderTests.swift:") == true, "\(account.text ?? "")")
    #expect(account.text?.contains("is given an action of another schedule") == true)
    #expect(account.result.schedules == 2)
  }

  @Test func `A reduced search reaches the same ends`() async {
    let scripts: [(Exploration.Script<String>) -> Void] = [
      { run in
        run.sender("a") { a in
          a.finish(a.send("A"))
          a.send("x")
        }
        run.sender("b") { $0.send("b") }
      },
      { run in
        run.sender("a") { a in a.cancel(a.send("A")) }
        run.sender("b") { $0.send("b") }
      },
      { run in
        run.sender("a") { $0.send("a") }
        run.sender("b") { b in
          b.send("B")
          b.shutdown(.draining)
        }
      },
    ]
    for script in scripts {
      let full = await outcomes(.full(.steps), script)
      let reduced = await outcomes(.states(.steps), script)
      #expect(full.text == nil && reduced.text == nil)
      #expect(full.result.completeLevel == .steps && reduced.result.completeLevel == .steps)
      #expect(full.ends == reduced.ends)
      #expect(reduced.result.completeCount < full.result.completeCount)
    }
  }

  // MARK: - Requests

  @Test func `A request is answered when everything has settled`() async {
    let (ends, result, text) = await outcomes { run in
      run.sender("a") { a in
        a.request("A") { (state: String) in state.contains("a") }
        a.send("z")
      }
      run.sender("b") { $0.send("b") }
    }
    #expect(text == nil && result.completeLevel == .steps)
    #expect(ends == ["bAaz", "Abaz", "Aabz", "Aazb"])
  }

  @Test func `An answer that does not hold is a failure that names the request`() async {
    let account = await Account { schedule in
      schedule.store(initialState: "", reducer: Letters()).request("A") { (state: String) in state == "A" }
    }
    #expect(account.text?.hasPrefix("The closure of `request(\"A\")` at EffectTestingTests/SenderTests.swift:") == true)
  }

  @Test func `A request and what is sent behind it are traced with their lines`() async {
    let explorer = Explorer(budget: 1, search: .full(.steps), seed: 1, settings: ScheduleRunner.Settings())
    let played = await explorer.account(of: ReplayedSchedule([]), .replay(.steps, .events)) { schedule in
      let run = schedule.store(initialState: "", reducer: Letters())
      run.request("a", line: 7) { (_: String) in true }
      run.send("b", line: 8)
    }
    let sent: [String] = played.events.compactMap { event in
      if case .reduced(let action, .user(_, let site)) = event.kind { "\(action) \(site?.line ?? 0)" } else { nil }
    }
    #expect(sent == ["a 7", "b 8"])
  }

  @Test func `A request that another sender cancels has no answer, and its sender goes on`() async {
    let answers = Recorder<String>()
    let (ends, result, text) = await outcomes { run in
      let asked = run.request("A") { (state: String) in
        answers.record(state)
        return true
      }
      run.sender("b") { $0.cancel(asked) }
      run.send("x")
    }
    #expect(text == nil && result.completeLevel == .steps)
    #expect(ends == ["Aax"], "a sender that is made behind a request begins when it is answered")
    #expect(Set(answers.events) == ["Aa"])
    let concurrent = await outcomes { run in
      run.sender("b") { b in
        b.request("b") { (_: String) in true }
        b.send("x")
      }
      let asked = run.send("A")
      run.cancel(asked)
    }
    #expect(concurrent.ends.contains("bxA") && concurrent.ends.allSatisfy { $0.contains("x") })
  }

  // MARK: - Shutdown

  @Test func `What is sent after a shutdown is refused, and what was accepted is still reduced`() async {
    let (ends, result, text) = await outcomes { run in
      run.send("A")
      run.sender("b") { $0.send("b") }
      run.shutdown(.draining)
      run.send("c")
    }
    #expect(text == nil && result.completeLevel == .steps)
    #expect(ends == ["Aa", "Aba", "Aab"])
  }

  @Test func `A shutdown that cancels ends what is active`() async {
    let (ends, _, text) = await outcomes { run in
      run.send("A")
      run.shutdown(.cancelling)
      run.send("c")
    }
    #expect(text == nil)
    #expect(ends == ["A", "Aa"])
  }

  @Test func `The time limit of a shutdown is a deadline`() async {
    let (ends, result, text) = await outcomes { run in
      run.send("A")
      run.shutdown(.draining(within: .seconds(1)))
    }
    #expect(text == nil && result.completeLevel == .steps)
    #expect(ends == ["A", "Aa"])
  }

  @Test func `A failure behind a shutdown is replayed and drawn`() async {
    func script(_ schedule: Exploration.Schedule) {
      let run = schedule.store(initialState: "", reducer: Letters(), finally: { $0.hasSuffix("a") })
      run.send("A")
      run.sender("b") { $0.send("b") }
      run.shutdown(.cancelling)
    }
    let found = await Account(script)
    let replayed = await Account(replaying: found.result.failure, script)
    #expect(found.text?.hasPrefix("When nothing can happen any more, `finally` does not hold.") == true)
    #expect(replayed.text?.hasPrefix("When nothing can happen any more, `finally` does not hold.") == true)
  }
}

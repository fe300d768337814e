// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// Calls that are mistakes: each is reported or has no effect, never hangs and leaks nothing.
struct MisuseTests {
  @Test(arguments: [0, 1]) func `A choice among zero or one is no choice`(count: Int) async {
    var seen: Set<Int> = []
    let account = await Account(search: .full(.deliveries)) { schedule in
      let run = schedule.store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none })
      seen.insert(run.choose(count))
      run.send(0)
    }
    #expect(seen == [0])
    #expect(account.result.completeCount == 1)
  }

  @Test func `A send from a detached task that its run awaits is explored`() async {
    let account = await Account { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          state += action
          guard action == 0 else { return .none }
          return .run(id: "out", overlap: .concurrent) { send in
            let task = Task.detached { _ = send(1) }
            await task.value
          }
        })
      run.send(0)
    }
    #expect(account.text == nil && account.result.completeLevel == .steps, "\(account.result)")
  }

  @Test func `Delivered is true in a detached task if its turn cancels the run (E1)`() async {
    let (reduced, wasTrue) = (Tally(), Tally())
    _ = await Account(schedules: 10, search: .random(.deliveries)) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Int> { _, action in
          if action == 1 {
            reduced.increment()
            return .cancel(id: "out")
          }
          return .run(id: "out", overlap: .concurrent) { send in
            await Task.detached { if await send.delivered(1) { wasTrue.increment() } }.value
          }
        })
      run.send(0)
    }
    #expect(reduced.value > 0 && wasTrue.value == reduced.value)
  }

  @Test func `An actor that one schedule changes and the next one uses is found`() async {
    let server = Server()
    let account = await Account { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          state += action
          guard action == 0 else { return .none }
          return .run(id: "ask", overlap: .concurrent) { send in
            _ = await server.find(1)
            send(await server.asked)
          }
        })
      run.send(0)
    }
    #expect(account.text?.hasPrefix("Uncontrolled nondeterminism: ") == true)
  }

  @Test(arguments: [(Exploration.Level.deliveries, "`deliveries: u d e0 d`"), (.steps, "`u d e0 d`")])
  func `A schedule that is not the same when it is run again is shown as it can be replayed`(
    level: Exploration.Level, text: String
  ) async {
    let count = Shared(0)
    let account = await Account(search: .full(level)) { schedule in
      count.value += 1
      let number = count.value
      schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in action > 0 ? .none : .run { send in send(number) } }
      ).send(0)
    }
    #expect(account.text?.contains("\n  schedule: \(text).\n") == true, "\(account.text ?? "nothing")")
  }

  @Test func `A long schedule ends, and a limit cuts an endless one`() async {
    let counting = Planted<Int, Int> { state, action in
      state += 1
      return action > 0 ? .run(id: "next", overlap: .concurrent) { send in send(action - 1) } : .none
    }
    let long = await Account(schedules: 1, search: .full(.deliveries), steps: 100_000) { schedule in
      schedule.store(initialState: 0, reducer: counting, finally: { $0 == 2_001 }).send(2_000)
    }
    #expect(long.result.failure == nil && long.result.cut == 0)
    let endless = await Account(schedules: 1, search: .full(.deliveries), steps: 500) { schedule in
      schedule.store(initialState: 0, reducer: counting).send(.max)
    }
    #expect(endless.result.cut == 1 && endless.result.completeLevel == nil)
  }

  @Test func `A run that never suspends for good is cut`() async {
    let released = Tally()
    let account = await Account(schedules: 2, search: .full(.deliveries)) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { [counted = Counted(released)] _, _ in
          .run(id: "busy", overlap: .concurrent) { [counted] _ in
            while !Task.isCancelled { await Task.yield() }
            withExtendedLifetime(counted) {}
          }
        })
      run.send(0)
    }
    #expect(account.result.cut == account.result.schedules && account.result.cut > 0)
    #expect(released.value > 0)
  }

  @Test func `A run that goes on for ever, cancelled or not, ends the search and is named`() async {
    let account = await Account { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, _ in
          .run(id: "busy", overlap: .concurrent, fileID: "App/Feed.swift", line: 7) { send in
            while send.now >= .zero { await Task.yield() }
          }
        })
      run.send(0)
    }
    #expect(account.result.schedules == 1 && account.result.completeLevel == nil)
    #expect(
      account.text?.hasPrefix(
        """
        The code of these runs goes on and on without waiting for anything, also when it is cancelled:

        run("busy") at App/Feed.swift:7
        """) == true, "\(account.text ?? "")")
  }

  @Test func `A body with two stores fails, and one without any`() async {
    let two = await Account { schedule in
      for _ in 0..<2 {
        let run = schedule.store(initialState: 0, reducer: Planted<Int, Int> { _, _ in .none })
        run.send(1)
      }
    }
    #expect(two.text?.hasPrefix("The body makes more than one store, and a schedule plays one") == true)
    #expect(two.result.schedules == 1 && two.result.failure != nil)
    let none = await Account { _ in }
    #expect(none.text == "The body makes no store, so nothing was explored: call `schedule.store` in it.")
    let choices = await Account { schedule in _ = schedule.choose(3) }
    #expect(choices.text == nil && choices.result.completeCount == 3, "choices are something to go through")
  }

  @Test func `Faults and requirements take ids of any type`() async {
    enum Work: Hashable, Sendable { case load }
    let account = await Account(faults: .any(2, of: .fail(Work.load), .hang(Work.load), .duplicate(Work.load))) {
      schedule in
      let run = schedule.store(
        initialState: -1,
        reducer: Planted<Int, Int> { state, action in
          state += action
          return action > 0
            ? .none
            : .run(id: Work.load, overlap: .concurrent) { send in
              send(1)
            } catch: { _, send in
              send(1)
            }
        }, requiring: [.isRunning(Work.load, while: { $0 < 0 })])
      run.send(0)
    }
    #expect(account.text == nil)
    #expect("\(Exploration.Fault.hang(Work.load))" == "\(Exploration.Fault.hang(EffectID(Work.load)))")
  }
}

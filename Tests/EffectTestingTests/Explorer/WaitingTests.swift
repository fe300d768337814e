// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import EffectTesting

/// Runs that still wait when nothing can happen any more: a schedule with one may not have come to its end.
struct WaitingTests {
  /// Three answers beside a run that waits.
  private func listening(
    _ requirements: [Exploration.Requirement<Int>] = [], faults: Exploration.Faults = .none,
    _ makeWait: () -> @Sendable () async throws -> Void
  ) async -> Account {
    await Account(search: .depthFirst(.descend), faults: faults) { schedule in
      let wait = makeWait()
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          state += action
          guard action == 0 else { return .none }
          let answer = Effect<Int>.run { send in send(1) }
          let ticks = Effect<Int>.run(id: "ticks", overlap: .concurrent, fileID: "App/Feed.swift", line: 7) { _ in
            try await wait()
          } catch: { _, _ in
          }
          return .merge(ticks, answer, answer, answer)
        }, requiring: requirements)
      run.send(0)
    }
  }

  /// A stream that nobody ends: in each schedule its own, because who is cancelled while it waits for one ends it.
  private func stream() -> @Sendable () async throws -> Void {
    let door = Door(isOpen: false)
    return { await door.enter() }
  }

  @Test func `A run that waits for a stream of the test is told, and nothing is complete then`() async {
    let account = await listening { stream() }
    #expect(account.text == nil)
    #expect(account.result.completeGrain == nil)
    #expect(account.result.waiting == ["run(\"ticks\") at App/Feed.swift:7"])
    #expect(account.result.waitingCount == account.result.schedules && account.result.schedules > 50)
    #expect(
      "\(account.result)" == """
        not complete at grain descend: all \(account.result.schedules) schedules tried; at the end of \
        \(account.result.schedules) still waited: run("ticks") at App/Feed.swift:7; where that is as it should be, say \
        `.noDeadlock(except:)`
        """)
    #expect(account.waits == 1, "once, and not for each schedule")
  }

  @Test func `Who says that a run may wait for the test has a complete exploration, without any wait`() async {
    let account = await listening([.noDeadlock(except: "ticks")]) { stream() }
    #expect(account.result.completeGrain == .descend)
    #expect(account.result.waiting.isEmpty && account.waits == 0)
    let other = await listening([.noDeadlock(except: "other")]) { stream() }
    #expect(
      other.text?.hasPrefix("`noDeadlock` does not hold: wait for what nobody can provide: run(\"ticks\")") == true)
  }

  @Test func `Work that stays outside longer than it is waited for is not taken for the end`() async {
    let account = await listening { { try await Task.sleep(for: .seconds(600)) } }
    #expect(account.result.completeGrain == nil)
    #expect(account.result.waiting == ["run(\"ticks\") at App/Feed.swift:7"])
    #expect(account.waits == 1)
  }

  @Test func `A run that was made to hang is known to wait`() async {
    let account = await listening([.noDeadlock()], faults: .anyOne(of: .hang("ticks"))) { {} }
    #expect(account.text == nil)
    #expect(account.result.completeGrain == .descend)
    #expect(account.waits == 0)
  }

  @Test func `A stream that one schedule ends for the next is found`() async {
    let door = Door(isOpen: false)
    let account = await listening { { await door.enter() } }
    #expect(account.text?.hasPrefix("Uncontrolled nondeterminism: ") == true)
    #expect(account.text?.contains("at its end 1 run had not returned, and 0 when it was run again") == true)
  }

  /// Asks somebody outside, may be cancelled by the script, and is given up after a while.
  private func asking(timeout: Duration?, leaves: Bool) async -> Account {
    // On a machine that is busy enough, a millisecond outside takes longer than the usual wait. No wait here is in vain.
    await Account(search: .depthFirst(.everyJob), delivery: .eager, externalWait: .seconds(20)) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { state, action in
          state += action
          if action == 7 { return .cancel(id: "ask") }
          guard action == 0 else { return .none }
          let ask = Effect<Int>.run(id: "ask", overlap: .concurrent, fileID: "App/Ask.swift", line: 3) { send in
            try await Task.sleep(for: .milliseconds(1))
            send(1)
          } catch: { _, _ in
          }
          return timeout.map { ask.timeout(after: $0) } ?? ask
        })
      run.send(0)
      if leaves { run.send(7) }
    }
  }

  @Test func `What comes back from outside before it is looked for is found as well`() async {
    let explorer = Explorer(
      budget: 1, search: .depthFirst(.everyJob), seed: 1, settings: ScheduleRunner.Settings(isEager: true))
    let name = "run(\"ask\") at App/Ask.swift:3"
    let steps = [ScheduleStep(kind: .script), ScheduleStep(kind: .job), ScheduleStep(kind: .script)]
    // As if a schedule had been run whose next step cancels it.
    explorer.suspects = ([ScheduleRunner.Suspect(name: name, step: 3)], steps)
    await explorer.probe(.everyJob) { schedule in
      let outside = Shared<CheckedContinuation<Void, Never>?>(nil)
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          if action == 0 {
            return .run(id: "ask", overlap: .concurrent, fileID: "App/Ask.swift", line: 3) { _ in
              await withCheckedContinuation { outside.value = $0 }
            }
          }
          // It comes back now, and so before anybody looks.
          let done = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            outside.value?.resume()
            done.signal()
          }
          done.wait()
          return .none
        })
      run.send(0)
      run.send(1)
    }
    #expect(explorer.result.gaps == ["work that came back from another thread"])
  }

  @Test func `Work outside is found also where a cancel or a deadline may end it before it comes back`() async {
    for (timeout, leaves) in [(.seconds(5), false), (nil, true), (.seconds(5), true)] as [(Duration?, Bool)] {
      let account = await asking(timeout: timeout, leaves: leaves)
      // It comes back when it likes: while it is waited for, or before, and then two runs of one schedule may differ.
      let isGap = account.text == nil && !account.result.gaps.isEmpty
      let hasDiffered = account.text?.hasPrefix("Uncontrolled nondeterminism: ") == true
      #expect(isGap || hasDiffered, "timeout \(timeout as Any), leaves \(leaves)")
      #expect(account.result.completeGrain == nil)
    }
  }

  @Test func `What comes back from outside is named beside a time that was read before`() async {
    let account = await Account(search: .depthFirst(.descend)) { schedule in
      let leaves = schedule.choose(2) == 1
      schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, _ in
          .run(fileID: "App/Ask.swift", line: 3) { send in
            guard leaves else { return _ = send.now }
            let outside = Shared<CheckedContinuation<Void, Never>?>(nil)
            async let answer: Void = withCheckedContinuation { outside.value = $0 }
            while outside.value == nil { await Task.yield() }
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
              outside.value?.resume()
              done.signal()
            }
            done.wait()
            await answer
          }
        }
      ).send(0)
    }
    #expect(account.text == nil)
    #expect(
      account.result.gaps == ["the time, read by run() at App/Ask.swift:3", "work that came back from another thread"])
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import Testing

@testable import EffectTesting

/// Runs that still wait when nothing can happen any more: a schedule with such a run may not have ended.
struct WaitingTests {
  /// Three answers, and a run that waits.
  private func listening(
    _ requirements: [Exploration.Requirement<Int>] = [], faults: Exploration.Faults = .none,
    _ makeWait: () -> @Sendable () async throws -> Void
  ) async -> Account {
    await Account(search: .full(.deliveries), faults: faults) { schedule in
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

  /// A stream that never ends. Each schedule has its own, because a task that is cancelled while it waits for a stream
  /// ends it.
  private func stream() -> @Sendable () async throws -> Void {
    let door = Door(isOpen: false)
    return { await door.enter() }
  }

  @Test func `A run that waits for a stream of the test is reported, and the exploration is not complete`() async {
    let account = await listening { stream() }
    #expect(account.text == nil)
    #expect(account.result.completeLevel == nil)
    #expect(account.result.waiting == ["run(\"ticks\") at App/Feed.swift:7"])
    #expect(account.result.waitingCount == account.result.schedules && account.result.schedules > 50)
    #expect(
      "\(account.result)" == """
        not complete at level deliveries: all \(account.result.schedules) schedules tried; \
        \(account.result.schedules) schedules ended while something still waited: run("ticks") at App/Feed.swift:7; if that is \
        intended, use `.noDeadlock(except:)`
        """)
    #expect(account.waits == 1, "once, and not for each schedule")
  }

  @Test func `With an exception for the run the exploration is complete, and never waits in real time`() async {
    let account = await listening([.noDeadlock(except: "ticks")]) { stream() }
    #expect(account.result.completeLevel == .deliveries)
    #expect(account.result.waiting.isEmpty && account.waits == 0)
    let other = await listening([.noDeadlock(except: "other")]) { stream() }
    #expect(
      other.text?.hasPrefix("Nothing can happen any more, and this still waits: run(\"ticks\")") == true)
  }

  @Test func `Work that stays outside longer than the wait does not count as ended`() async {
    let account = await listening { { try await Task.sleep(for: .seconds(600)) } }
    #expect(account.result.completeLevel == nil)
    #expect(account.result.waiting == ["run(\"ticks\") at App/Feed.swift:7"])
    #expect(account.waits == 1)
  }

  @Test func `A run with an injected hang counts as waiting`() async {
    let account = await listening([.noDeadlock()], faults: .anyOne(of: .hang("ticks"))) { {} }
    #expect(account.text == nil)
    #expect(account.result.completeLevel == .deliveries)
    #expect(account.waits == 0)
  }

  @Test func `A stream that one schedule ends and the next one uses is found`() async {
    let door = Door(isOpen: false)
    let account = await listening { { await door.enter() } }
    #expect(account.text?.hasPrefix("Uncontrolled nondeterminism: ") == true)
    #expect(account.text?.contains("at its end 1 run had not returned the first time, and 0 the second time") == true)
  }

  /// Calls something outside, can be cancelled by the script, and times out after a while.
  private func asking(timeout: Duration?, leaves: Bool) async -> Account {
    // On a busy machine a millisecond outside may take longer than the usual wait. Here every wait ends with a result.
    await Account(search: .full(.steps), externalWait: .seconds(20)) { schedule in
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

  @Test func `Work that comes back from outside before the check is found as well`() async {
    let explorer = Explorer(
      budget: 1, search: .full(.timers), seed: 1, settings: ScheduleRunner.Settings())
    let name = "run(\"ask\") at App/Ask.swift:3"
    let steps = [ScheduleStep(kind: .script), ScheduleStep(kind: .job), ScheduleStep(kind: .script)]
    // As if a schedule had been run in which the next step cancels it.
    explorer.suspects = ([ScheduleRunner.Suspect(name: name, step: 3)], steps)
    await explorer.probe(.timers) { schedule in
      let outside = Shared<CheckedContinuation<Void, Never>?>(nil)
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          if action == 0 {
            return .run(id: "ask", overlap: .concurrent, fileID: "App/Ask.swift", line: 3) { _ in
              await withCheckedContinuation { outside.value = $0 }
            }
          }
          // It comes back now, which is before the check.
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

  /// Explores a run that suspends at each call but one, which stands for work outside that is over before its run suspends.
  private func waiting(exceptAtCall exception: Int, slow: Bool) async -> Explorer {
    let calls = Shared(0)
    let explorer = Explorer(
      budget: 100, search: .full(.timers), seed: 1, settings: ScheduleRunner.Settings())
    explorer.externalWait = .zero
    explorer.checksRepeats = slow
    await explorer.search { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          if action == 7 { return .cancel(id: "ask") }
          return .run(id: "ask", overlap: .concurrent) { _ in
            guard !Task.isCancelled else { return }
            calls.value += 1
            if calls.value != exception { return try await Task.sleep(for: .seconds(600)) }
            if slow { usleep(5_000) }
          } catch: { _, _ in
          }
        })
      run.send(0)
      run.send(7)
    }
    return explorer
  }

  @Test func `A run that does not wait when its schedule is checked has been outside`() async {
    let explorer = await waiting(exceptAtCall: 2, slow: false)
    #expect(explorer.result.gaps == ["work that came back from another thread"])
    #expect(explorer.result.completeLevel == nil)
  }

  @Test func `A slow schedule whose closure does not return is run again with its own steps`() async {
    let slow = Shared(0)
    let account = await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(
        initialState: 0,
        reducer: Planted<Int, Int> { _, action in
          slow.value += 1
          // Some schedules take longer than the others.
          if slow.value % 5 == 0 { usleep(2_000) }
          return .run(id: action, overlap: .concurrent) { _ in await withCheckedContinuation { Leaked.add($0) } }
        }, requiring: [.noDeadlock(except: 1, 2)])
      run.send(1)
      run.send(2)
    }
    Leaked.resumeAll()
    #expect(account.text == nil)
    #expect(account.result.gaps == [])
    #expect(account.result.completeLevel == .steps)
  }

  @Test func `A slow schedule in which a run does not wait is run again`() async {
    let explorer = await waiting(exceptAtCall: 1, slow: true)
    #expect(explorer.result.gaps == ["work that came back from another thread"])
    #expect(explorer.result.completeLevel == nil)
  }

  @Test func `Work outside is found also if a cancel or a deadline can end it before it comes back`() async {
    for (timeout, leaves) in [(.seconds(5), false), (nil, true), (.seconds(5), true)] as [(Duration?, Bool)] {
      let account = await asking(timeout: timeout, leaves: leaves)
      // It may come back at any time: while the explorer waits for it, or before. Then two runs of one schedule may
      // differ.
      let isGap = account.text == nil && !account.result.gaps.isEmpty
      let hasDiffered = account.text?.hasPrefix("Uncontrolled nondeterminism: ") == true
      #expect(isGap || hasDiffered, "timeout \(timeout as Any), leaves \(leaves)")
      #expect(account.result.completeLevel == nil)
    }
  }

  @Test func `Work that comes back from outside is named in addition to a time that was read before`() async {
    let account = await Account(search: .full(.deliveries)) { schedule in
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

/// Continuations of runs that ignore their cancellation.
private enum Leaked {
  private static let continuations = Lock<[CheckedContinuation<Void, Never>]>([])

  static func add(_ continuation: CheckedContinuation<Void, Never>) {
    continuations.withLock { $0.append(continuation) }
  }

  static func resumeAll() {
    let all = continuations.withLock { continuations in
      defer { continuations = [] }
      return continuations
    }
    for continuation in all { continuation.resume() }
  }
}

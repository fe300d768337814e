// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectTesting

/// Code without a store.
struct PlainCodeTests {
  /// As `explore`, without a report of its failure.
  private func explored(
    _ program: PlainProgram, isCorrect: Bool, replaying: String? = nil
  ) async -> Account {
    await Account(schedules: program.isLarge && isCorrect ? 2_000 : 10_000, replaying: replaying) { schedule in
      schedule.runner.executor.playing { program.body(schedule, isCorrect) }
    }
  }

  @Test(arguments: PlainProgram.actors + PlainProgram.tasks)
  func `A fault is found, and its replay line finds it again`(program: PlainProgram) async {
    let (found, time) = await timed { await explored(program, isCorrect: false) }
    #expect(found.result.failures == 1, "\(found.result)")
    Measured.print("\(program.name): schedule \(found.result.schedules), \(time)\n\(found.text ?? "")\n")
    // A task that yields inside an actor leaves the control of the search, and comes back at any time. The result names that.
    if program.name == "a lost update of a detached task", !found.result.gaps.isEmpty { return }
    guard let failure = found.result.failure else { return }
    let again = await explored(program, isCorrect: false, replaying: failure)
    #expect(again.result.failures == 1)
    // It shows the same, whether it is the first schedule or not.
    #expect(shown(again.text) == shown(found.text) && !shown(again.text).isEmpty)
  }

  @Test(arguments: PlainProgram.actors + PlainProgram.tasks)
  func `The corrected program is complete, or too large, without a false failure`(program: PlainProgram) async {
    let (found, time) = await timed { await explored(program, isCorrect: true) }
    #expect(found.text == nil)
    #expect(found.result.completeLevel == (program.isLarge ? nil : .steps), "\(found.result)")
    #expect(found.result.gaps.isEmpty && found.result.waiting.isEmpty)
    Measured.print("\(program.name), corrected: \(found.result), \(time)")
  }

  /// The code that a failure shows.
  private func shown(_ text: String?) -> String {
    text.flatMap { text in text.range(of: "Executed in this order").map { String(text[$0.lowerBound...]) } } ?? ""
  }

  private func timed<Value>(_ body: () async -> Value) async -> (Value, Duration) {
    let beginning = ContinuousClock.now
    let value = await body()
    return (value, ContinuousClock.now - beginning)
  }

  // MARK: - What a body can say

  private func text(
    replaying: String? = nil, search: Exploration.Search = .levels(upTo: .steps),
    _ body: (Exploration.Schedule) -> Void
  ) async -> (text: String, result: Exploration) {
    let account = await Account(search: search, replaying: replaying) { schedule in
      schedule.runner.executor.playing { body(schedule) }
    }
    return (account.text ?? "", account.result)
  }

  private struct Broken: Error, Sendable {}

  @Test func `An error that a run or a condition throws is a failure, except a cancellation`() async {
    let thrown = await text { $0.run("a") { throw Broken() } }
    #expect(
      thrown.text.hasPrefix("Run \"a\" has thrown Broken(). If it may throw this error, catch it in the closure."))
    let condition = await text { schedule in
      schedule.run("a") {}
      schedule.finally { throw Broken() }
    }
    #expect(condition.text.hasPrefix("`finally` has thrown Broken()."))
    let cancelled = await text { $0.run("a") { throw CancellationError() } }
    #expect(cancelled.text.isEmpty && cancelled.result.completeLevel == .steps)
  }

  @Test func `A condition is checked after each run`() async {
    let found = await text { schedule in
      let number = Shared(0)
      schedule.run("a") { number.value = 1 }
      schedule.run("b") { number.value = 2 }
      schedule.always { number.value != 1 }
    }
    #expect(found.text.hasPrefix("`always` does not hold after run \"a\"."))
    #expect(found.text.contains("  \"a\"  begins"))
  }

  @Test func `A run that is cancelled before it begins is called, as the closure of a task`() async {
    var seen: Set<Bool> = []
    let found = await text { schedule in
      let diary = Diary<Bool>()
      schedule.run("a") { diary.write(Task.isCancelled) }
      schedule.cancel("a")
      schedule.finally {
        diary.all.count == 1
      }
      seen.formUnion(diary.all)
    }
    #expect(found.text.isEmpty && found.result.completeLevel == .steps, "\(found)")
  }

  @Test func `A run may wait for ever if it says so, and a task if the body says so`() async {
    let waiting: @Sendable () async -> Void = { for await _ in AsyncStream<Void>.makeStream().stream {} }
    let strict = await text { $0.run("a") { await waiting() } }
    #expect(strict.text.hasPrefix("Nothing can happen any more, and this run has not returned: \"a\" at "))
    let lenient = await text { schedule in
      schedule.run("a", mayWait: true) { await waiting() }
      schedule.run("b") { Task { await waiting() } }
      schedule.tasksMayWait()
    }
    #expect(lenient.text.isEmpty && lenient.result.completeLevel == .steps, "\(lenient)")
  }

  @Test func `Time passes and numbers are chosen`() async {
    let found = await text { schedule in
      let clock = schedule.clock
      let number = schedule.choose(3)
      schedule.run("a") { try await clock.sleep(for: .seconds(5)) }
      schedule.run("b") { if number == 2 { throw Broken() } }
      schedule.advance(by: .seconds(10))
    }
    #expect(found.text.hasPrefix("Run \"b\" has thrown Broken()"))
  }

  private actor Alarm {
    private(set) var count = 0
    private var task: Task<Void, Never>?

    func begin(_ clock: TestClock) {
      task = Task {
        try? await clock.sleep(for: .seconds(1))
        count += 1
      }
    }

    func end() { task?.cancel() }
  }

  @Test func `A timer of an actor that is cancelled is no gap`() async {
    let found = await text { schedule in
      let (clock, alarm) = (schedule.clock, Alarm())
      schedule.run("a") {
        await alarm.begin(clock)
        await alarm.end()
      }
      schedule.finally { await alarm.count == 1 }
    }
    #expect(found.text.isEmpty && found.result.completeLevel == .steps, "\(found)")
  }

  @Test func `Misuse says what to write`() async {
    let double = await text { schedule in
      schedule.run("a") {}
      schedule.run("a") {}
    }
    #expect(double.text == FailureText.doubleRun("a"))
    #expect(await text { $0.finally { true } }.text == FailureText.noRuns)
    #expect(await text(search: .levels(upTo: .timers)) { $0.run("a") {} }.text == FailureText.plainLevel)
    let both = await text { schedule in
      schedule.run("a") {}
      schedule.store(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }).send(1)
    }
    #expect(both.text == FailureText.storeAndRuns)
  }
}

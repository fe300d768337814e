// This source file is part of swift-effects. License: Apache-2.0.

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
    guard let failure = found.result.failure else { return }
    let again = await explored(program, isCorrect: false, replaying: failure)
    #expect(again.result.failures == 1 && again.text != nil)
  }

  @Test(arguments: PlainProgram.actors + PlainProgram.tasks)
  func `The corrected program is complete, or too large, without a false failure`(program: PlainProgram) async {
    let (found, time) = await timed { await explored(program, isCorrect: true) }
    #expect(found.text == nil)
    #expect(found.result.completeLevel == (program.isLarge ? nil : .steps), "\(found.result)")
    #expect(found.result.gaps.isEmpty && found.result.waiting.isEmpty)
    Measured.print("\(program.name), corrected: \(found.result), \(time)")
  }

  private func timed<Value>(_ body: () async -> Value) async -> (Value, Duration) {
    let beginning = ContinuousClock.now
    let value = await body()
    return (value, ContinuousClock.now - beginning)
  }
}

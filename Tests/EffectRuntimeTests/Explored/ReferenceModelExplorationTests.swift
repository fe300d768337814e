// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import TestSupport
import Testing

@testable import EffectRuntime
@testable import EffectTesting

/// Every small program, in every order: what the scheduler does in an explored store equals what the model does.
///
/// Programs of two parts where each delivery is a choice, and of three parts where it is not.
/// `EFFECTS_EXPLORED_PARTS=3` selects larger programs, for a release build.
struct ReferenceModelExplorationTests {
  static let parts = ProcessInfo.processInfo.environment["EFFECTS_EXPLORED_PARTS"].flatMap { Int($0) } ?? 2

  static let overlaps: [Overlap] = [
    .concurrent, .restart, .restart(limit: 2), .restart(exclusive: true), .drop, .drop(exclusive: true), .enqueue,
    .enqueue(exclusive: true), .enqueue(capacity: 1), .enqueue(capacity: 1, whenFull: .dropOldest), .keepLatest,
    .keepLatest(exclusive: true),
  ]

  @Test(arguments: TestSize.isLong ? overlaps : [.concurrent, .restart, .enqueue])
  func `Every order of every small program equals the model's (T1, T2, T3, T4, E1, E2, E3, E4, E5, E6, O1, O2)`(
    overlap: Overlap
  ) async {
    await explore(.init(), overlap)
  }

  @Test(arguments: TestSize.isLong ? [.restart, .enqueue, .keepLatest] : [Overlap.enqueue])
  func `The same with uncaught errors, and with runs that wait for delivery (E5, E1)`(overlap: Overlap) async {
    await explore(.init(leaves: [.own, .throwing, .delivering, .send, .cancel], trees: .none), overlap)
  }

  @Test(arguments: TestSize.isLong ? [(.restart, 3), (.enqueue, 4)] : [(.restart, 3)] as [(Overlap, Int)])
  func `The same in scopes that are cancelled (E3, E6, M1, O1)`(overlap: Overlap, parts: Int) async {
    // With four parts, a sequence inside a scope cancels that scope, and some sequences wait in it.
    let isLarge = parts > 3
    await explore(
      .init(
        leaves: [.own, .cancelScope, .cancelEverything] + (isLarge ? [] : [.free, .send]),
        trees: isLarge ? .none : .withoutID, hasScopes: true), overlap, larger: isLarge ? 1 : 0)
  }

  @Test(arguments: TestSize.isLong ? [.restart, .drop, .enqueue, .keepLatest(exclusive: true)] : [Overlap.enqueue])
  func `The same in a tree of the same id, and if a run's action needs the run's slot (O3, O4)`(
    overlap: Overlap
  ) async {
    await explore(.init(leaves: [.own, .asking, .cancel], trees: .withID), overlap)
  }

  @Test(arguments: TestSize.isLong ? [.concurrent, .restart, .enqueue] : [Overlap.restart])
  func `The same for code that reads and sends inside a cancellation handler (E8, E3)`(overlap: Overlap) async {
    await explore(.init(leaves: [.own, .waiting, .cancel, .send], trees: .withoutID), overlap)
  }

  private func explore(_ vocabulary: EveryProgram.Vocabulary, _ overlap: Overlap, larger: Int = 0) async {
    var (programs, schedules) = (0, 0)
    for parts in 2...Self.parts + 1 + larger {
      for program in EveryProgram.all(parts: parts, of: vocabulary, overlap) {
        guard let count = await explored(program, vocabulary, parts > Self.parts ? .timers : .deliveries) else {
          return
        }
        programs += 1
        schedules += count
      }
    }
    Measured.print("\(overlap): \(programs) programs, \(schedules) schedules")
    #expect(programs > 100 && schedules > programs)
  }

  /// How many schedules it has; `nil` if there is a difference.
  private func explored(_ program: EveryProgram, _ vocabulary: EveryProgram.Vocabulary, _ level: Exploration.Level)
    async -> Int?
  {
    let explorer = Explorer(
      budget: .max, search: .full(level), seed: 1,
      settings: ScheduleRunner.Settings(allowsMisuse: true))
    explorer.checksRepeats = false
    await explorer.search { schedule in
      _ = Lockstep(program, mayWait: vocabulary.mayWait, schedule)
    }
    if explorer.result.completeLevel == level { return explorer.result.completed.last?.schedules }
    Issue.record("\(program): \(explorer.result) \(explorer.failureText ?? "")")
    return nil
  }
}

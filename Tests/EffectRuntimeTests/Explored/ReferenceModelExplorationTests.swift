// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import EffectRuntime
@testable import EffectTesting

/// Every small program, in every order: what the interpreter does in an explored store is what the model does.
///
/// Programs of two parts where each delivery is a choice, and of one part more where it is not. `EFFECTS_EXPLORED_PARTS=3`
/// asks for larger ones, in a release build.
struct ReferenceModelExplorationTests {
  static let parts = ProcessInfo.processInfo.environment["EFFECTS_EXPLORED_PARTS"].flatMap { Int($0) } ?? 2

  static let overlaps: [Overlap] = [
    .concurrent, .restart, .restart(limit: 2), .restart(exclusive: true), .drop, .drop(exclusive: true), .enqueue,
    .enqueue(exclusive: true), .enqueue(capacity: 1), .enqueue(capacity: 1, whenFull: .dropOldest), .keepLatest,
    .keepLatest(exclusive: true),
  ]

  @Test(arguments: overlaps)
  func `Every order of every small program is the model's (T1, T2, T3, T4, E1, E2, E3, E4, E5, E6, O1, O2)`(
    overlap: Overlap
  ) async {
    var (programs, schedules) = (0, 0)
    for parts in 2...Self.parts + 1 {
      for program in EveryProgram.all(parts: parts, overlap) {
        guard let count = await explored(program, isEager: parts > Self.parts) else { return }
        programs += 1
        schedules += count
      }
    }
    print("\(overlap): \(programs) programs, \(schedules) schedules")
    #expect(programs > 100 && schedules > 2 * programs)
  }

  /// How many schedules it has; `nil` if something differs.
  private func explored(_ program: EveryProgram, isEager: Bool) async -> Int? {
    let explorer = Explorer(
      budget: .max, search: .depthFirst(.descend), seed: 1, settings: World.Settings(isEager: isEager))
    explorer.checksRepeats = false
    await explorer.search { schedule in
      _ = Lockstep(program, schedule)
    }
    if explorer.result.completeGrain == .descend { return explorer.result.completeCount }
    Issue.record("\(program): \(explorer.failureText ?? "")")
    return nil
  }
}

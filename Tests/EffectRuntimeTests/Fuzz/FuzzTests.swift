// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@testable import EffectRuntime

/// Random programs in a `Store`, in a `TestStore` and by a naive model: the same can be seen of all three.
///
/// A debug build runs some hundred programs. For more, one core at a time, from a seed on:
///
/// ```sh
/// FUZZ_PROGRAMS=1000000 FUZZ_SEED=1 swift test -c release --scratch-path .build-release --filter FuzzTests
/// ```
///
/// A program that fails is cut down and printed with its seed; `FUZZ_PROGRAMS=1 FUZZ_SEED=<seed>` repeats it. What is found
/// becomes a test of its own.
@Suite struct FuzzTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  #if DEBUG
    private static let programs = number("FUZZ_PROGRAMS") ?? 200
  #else
    private static let programs = number("FUZZ_PROGRAMS") ?? 3_000
  #endif
  private static let seed = number("FUZZ_SEED") ?? 1

  @Test
  func
    `Whatever a program does, a store, a test store and the model show the same (T1, T2, T3, T4, T6, E1, E2, E3, E4, E5, E6, O1, O2, O4, L2, L3, L4, S1, C1, C2, C3)`()
  {
    var (steps, abandoned, failures) = (0, 0, 0)
    let clock = ContinuousClock()
    let start = clock.now
    for seed in Self.seed..<Self.seed + Self.programs {
      var generator = FuzzGenerator(seed: seed)
      let program = generator.program()
      // Every other time the tasks of the store come in an order of their own.
      let order: UInt64? = seed % 2 == 0 ? seed : nil
      var run = FuzzRun(program, order: order)
      let difference = run.difference()
      steps += run.steps
      if run.isAbandoned { abandoned += 1 }
      guard difference != nil else { continue }
      failures += 1
      let short = FuzzShrinking(program) { program in
        var run = FuzzRun(program, order: order)
        return run.difference() != nil
      }.program
      var last = FuzzRun(short, order: order)
      Issue.record("seed \(seed):\n\(short)\n\(last.difference() ?? "it fails no more")")
      if failures == 6 { break }
    }
    let seconds = (clock.now - start) / .seconds(1)
    let programs = max(1, seconds == 0 ? 1 : Int(Double(Self.programs) / seconds))
    print(
      "Fuzz: \(Self.programs) programs from seed \(Self.seed), \(steps) steps, \(abandoned) abandoned, \(programs) a second"
    )
    #expect(abandoned * 5 < Self.programs, "\(abandoned) programs went where no order is promised")
  }
}

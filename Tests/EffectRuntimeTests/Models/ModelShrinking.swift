// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// Removes steps and simplifies plans of a program as long as model and scheduler differ.
struct ModelShrinking: CustomStringConvertible {
  let description: String

  init(_ program: ModelProgram, attempts: Int = 30_000) {
    var (steps, plans, last) = (program.takenSteps, program.plans, program)
    var attemptsLeft = attempts

    func differs(_ steps: [ModelProgram.Step], _ plans: [ModelProgram.Planned]) -> Bool {
      guard attemptsLeft > 0 else { return false }
      attemptsLeft -= 1
      let shorter = ModelProgram(seed: program.seed, plans: plans)
      guard !shorter.run(steps) else { return false }
      last = shorter
      return true
    }

    var isShorter = differs(steps, plans)
    while isShorter {
      isShorter = false
      for index in steps.indices.reversed() {
        var fewer = steps
        fewer.remove(at: index)
        if differs(fewer, plans) { (steps, isShorter) = (fewer, true) }
      }
      for index in plans.indices {
        var next = 0
        while case let smaller = plans[index].plan.smaller, next < smaller.count {
          var simpler = plans
          simpler[index].plan = smaller[next]
          if differs(steps, simpler) { (plans, isShorter, next) = (simpler, true, 0) } else { next += 1 }
        }
      }
    }
    description = "seed \(program.seed): \(last.problem ?? "no difference")\n\(last.historyText)"
  }
}

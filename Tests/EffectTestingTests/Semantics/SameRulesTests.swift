// This source file is part of swift-effects. License: Apache-2.0.

import Testing

/// Results with a test store are valid for a store: each program produces exactly the same trace in both, step by step.
@Suite(.timeLimit(.minutes(5))) struct `The same rules in every store` {
  private func expectSame(_ program: Program, _ shell: Shell) async {
    let lines = await shell.run(program)
    for (number, (line, step)) in zip(lines, program.script).enumerated() {
      #expect(line == step.expected, "step \(number), \(step.step)")
    }
    #expect(lines.count == program.script.count)
  }

  @Test(arguments: Shell.allCases, Program.turns)
  func `Turns are the same in a test store and in a store (T1, T2, T3, T4, T5)`(
    shell: Shell, program: Program
  ) async {
    await expectSame(program, shell)
  }

  @Test(arguments: Shell.allCases, Program.effects)
  func `Effects are the same in a test store and in a store (E1, E2, E3, E4, E5, E6, E8, S1, S2)`(
    shell: Shell, program: Program
  ) async {
    await expectSame(program, shell)
  }

  @Test(arguments: Shell.allCases, Program.trees)
  func `Trees and scopes are the same in a test store and in a store (E3, E6, S1, S2)`(
    shell: Shell, program: Program
  ) async {
    await expectSame(program, shell)
  }

  @Test(arguments: Shell.allCases, Program.overlaps)
  func `Overlaps are the same in a test store and in a store (O1, O2, O4, S1, S2)`(
    shell: Shell, program: Program
  ) async {
    await expectSame(program, shell)
  }

  @Test(arguments: Shell.allCases, Program.dispatches)
  func `Dispatches end the same way in a test store and in a store (L2, O1)`(shell: Shell, program: Program) async {
    await expectSame(program, shell)
  }

  @Test(arguments: Shell.allCases, Program.times)
  func `Time is the same in a test store and in a store (C1, C2, C3, E1)`(shell: Shell, program: Program) async {
    await expectSame(program, shell)
  }
}

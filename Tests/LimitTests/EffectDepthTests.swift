// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@Suite(.serialized) struct EffectDepthTests {
  /// The other shapes with a tenth of the depth, which is enough to overflow that stack: a million takes about ten
  /// seconds.
  #if DEBUG
    private static let deepestShapes: [DeepEffect] = []
  #else
    private static let deepestShapes: [DeepEffect] = [.leftMerge, .rightConcatenate, .alternating]
  #endif

  @Test(arguments: DeepEffect.allCases)
  func `Trees up to a million levels deep are interpreted, cancelled and released on a stack of 512 KiB`(
    shape: DeepEffect
  ) throws {
    let levels = Self.deepestShapes.contains(shape) ? 1_000_000 : 100_000
    let isPristine = try withSmallStack {
      let phase = UncheckedCell(EnginePhase.resting)
      defer { phase.free() }
      var engine = Engine(
        state: 0, reducer: Reduce<Int, Int> { _, action in action == 0 ? shape.make(levels: levels) : .none },
        scheduler: Scheduler(), pace: .whole, phase: phase)
      var started: [Token] = []
      func handle(_ input: Engine<Reduce<Int, Int>>.Input) {
        var outputs = EngineOutputs<Int>()
        engine.handle(input, into: &outputs)
        for case .start(let token, _) in outputs.steps { started.append(token) }
      }
      handle(.action(0))
      while engine.isTurnOpen { handle(.continueTurn) }
      handle(.senderCancelled(1))
      while engine.isTurnOpen { handle(.continueTurn) }
      for token in started { handle(.ended(token, nil)) }
      return engine.scheduler.isPristine
    }
    #expect(isPristine)
  }
}

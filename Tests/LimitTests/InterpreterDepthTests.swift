// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

@Suite(.serialized) struct InterpreterDepthTests {
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
    let left = try withSmallStack {
      var interpreter = Interpreter<Int>()
      interpreter.beginTurn(dispatch: 1)
      interpreter.reduced(shape.make(levels: levels))
      while interpreter.nextFollowUp() != nil { interpreter.reduced(.none) }
      interpreter.endTurn()
      interpreter.cancelDispatch(1)
      while interpreter.nextFollowUp() != nil {}
      interpreter.endTurn()
      interpreter.commands = []
      var garbage: [Released] = []
      interpreter.takeReleased(into: &garbage)
      return [interpreter.liveCount, interpreter.nameCount]
    }
    #expect(left == [0, 0])
  }
}

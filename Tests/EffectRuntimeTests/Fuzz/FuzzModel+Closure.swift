// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

extension FuzzModel {
  /// A closure that executes, and its position in its script.
  final class Closure {
    var node: ReferenceModel.Node
    let name: String
    let script: Plan.Script
    let ops: [Plan.Script.Op]
    let throwsAtEnd: Bool
    let isCatch: Bool
    var position = 0
    var state = State.woken
    var isCancelled = false
    var hasBeenOpened = false
    var ticks = 0
    let start: Duration
    enum State { case woken, gate, asleep(Duration, order: Int), delivering, over }

    init(_ node: ReferenceModel.Node, _ name: String, _ run: Plan.Run, isCatch: Bool, at start: Duration) {
      (self.node, self.name, self.start) = (node, name, start)
      script = run.script
      ops = isCatch ? run.script.recovery : run.script.ops
      self.isCatch = isCatch
      throwsAtEnd = !isCatch && run.script.isThrowing
    }

    /// A stream that ends without an element has failed if an attempt before has (rule C2).
    var isEmptyAgain: Bool {
      guard script.form == .stream, !isCatch, node.attempt > 1 else { return false }
      return !ops.contains { if case .deliver = $0 { true } else { false } }
    }
    var isSend: Bool { script.form == .send }
    var isWoken: Bool { if case .woken = state { true } else { false } }
    var isTimer: Bool { if case .timer = script.form { true } else { false } }
    /// Where it is, as the test can see it.
    var place: String? {
      switch state {
      case .gate: isTimer ? nil : "\(name):\(position)"
      case .asleep: isTimer ? nil : "\(name):\(position) asleep"
      case .woken, .delivering, .over: nil
      }
    }
  }
}

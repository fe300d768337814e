// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// Follows the notes of a scheduler and reports where they cannot be true (rule V1).
struct TraceOracle {
  private let harness: SchedulerHarness
  private var lives: [UInt64: Life] = [:]
  private var lastNumber: UInt64 = 0
  /// The cancels that matched nothing, in order.
  private(set) var unmatched: [UnmatchedCancel] = []
  /// Every run and tree that has ended, with its outcome.
  private(set) var ended: [String] = []

  /// What has been reported of a run.
  private struct Life {
    var isTree = false
    var isRegistered = false
    /// Closures that have started and whose end was not reported.
    var executing = 0
    /// Closures that were cancelled and have not returned.
    var returning = 0
    var isOver = false
    /// Whether it waits for its next attempt. Then the limit of the whole run may end it.
    var isBetweenAttempts = false
  }

  init(_ harness: SchedulerHarness) {
    self.harness = harness
    harness.scheduler.notes.turn(on: true)
  }

  /// Everything that is impossible, since the last call.
  mutating func findings() -> [String] {
    var findings: [String] = []
    for note in harness.scheduler.notes.take() {
      if note.number <= lastNumber { findings.append("event \(note.number) behind \(lastNumber)") }
      if let cause = note.cause, cause >= note.number { findings.append("event \(note.number) after \(cause)") }
      lastNumber = note.number
      switch note.kind {
      case .run(let run, let event):
        if let finding = follow(run, event) { findings.append("run \(run.number), \(event): \(finding)") }
      case .unmatched(let effect):
        unmatched.append(effect)
      default:
        findings.append("event \(note.number) is not about a run")
      }
    }
    let live = lives.values.count { !$0.isOver && !$0.isTree }
    let actual = harness.scheduler.liveRuns.count
    if live != actual { findings.append("\(live) runs are active by the notes, \(actual) really") }
    return findings
  }

  /// The findings when no work is active any more.
  mutating func findingsAtTheEnd() -> [String] {
    findings()
      + lives.filter { !$0.value.isOver || $0.value.executing + $0.value.returning > 0 }.map { number, life in
        "run \(number) has no end: \(life)"
      }
  }

  private mutating func follow(_ run: TraceRun, _ event: TraceRun.Event) -> String? {
    var life = lives[run.number] ?? Life(isTree: run.isTree)
    defer { lives[run.number] = life }
    switch event {
    case .registered(let place):
      if life.isOver { return "it was over" }
      if life.isRegistered, place != .queued { return "twice" }
      life.isRegistered = true
    case .joined:
      if life.isOver { return "it was over" }
      life.isOver = true
    case .started:
      if life.isOver || !life.isRegistered || life.isTree { return "not to be started" }
      life.executing += 1
      life.isBetweenAttempts = false
    case .attemptFailed(let error, let next):
      let isWholeLimit = life.isBetweenAttempts && error is EffectTimeout
      if case .retry = next { life.isBetweenAttempts = true } else { life.isBetweenAttempts = false }
      if isWholeLimit { return life.isOver ? "it was over" : nil }
      if life.isOver || life.executing == 0 { return "it did not execute" }
      life.executing -= 1
      if error is EffectTimeout { life.returning += 1 }
    case .sleeping:
      break
    case .ended(let outcome):
      if life.isOver { return "twice" }
      life.isOver = true
      ended.append("\(run.description): \(outcome)")
      // What ends by itself has returned; the closure of cancelled work has not returned yet.
      if case .cancelled = outcome { life.returning += life.executing }
      if case .failed(let error) = outcome, error is EffectTimeout { life.returning += life.executing }
      life.executing = 0
    case .returned:
      if life.returning == 0 { return "nothing was to return" }
      life.returning -= 1
    }
    return nil
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// What a trace reports from the first action on, and whether it is possible (V1).
struct TraceStory {
  private struct Life {
    var isOver = false
    /// Attempts that have failed: closures of those that ran out of time may return later.
    var failed = 0
  }

  private(set) var counts = StressCounts()
  private(set) var reduced = 0
  private var lastNumber: UInt64 = 0
  private var lives: [UInt64: Life] = [:]
  private(set) var hasEnded = false

  /// Takes in an event; returns what is wrong with it.
  mutating func hear(_ event: TraceEvent<StressAction>) -> String? {
    defer { lastNumber = event.number }
    if event.number != lastNumber + 1 { return "event \(event.number) behind \(lastNumber) (V1)" }
    switch event.kind {
    case .reduced:
      reduced += 1
    case .dropped(let action, _):
      if let mark = action.mark {
        if mark.number != mark.stream.reduced + mark.stream.dropped {
          return "action \(mark.number) dropped behind \(mark.stream.reduced + mark.stream.dropped) (T2)"
        }
        mark.stream.dropped += 1
      } else if case .after(let record) = action.what {
        if record.isFollowed || record.isFollowUpDropped { return "a follow-up dropped that was reduced (V1)" }
        record.isFollowUpDropped = true
        counts[.followUpsDropped] += 1
      }
    case .run(let run, let event):
      return hear(run, event)
    case .shutdown(.ended):
      hasEnded = true
    case .accepted, .refused, .unmatched, .status, .dispatchCancelled, .turnSuspended, .budgetExceeded, .shutdown,
      .lost:
      break
    }
    return nil
  }

  private mutating func hear(_ run: TraceRun, _ event: TraceRun.Event) -> String? {
    var life = lives[run.number] ?? Life()
    defer { lives[run.number] = life }
    switch event {
    case .registered:
      if life.isOver { return "run \(run.number) registered when it was over (V1)" }
    case .joined:
      if life.isOver { return "run \(run.number) joins when it is over (V1)" }
      life.isOver = true
      counts[.joined] += 1
    case .started:
      if life.isOver { return "run \(run.number) starts when it is over (V1)" }
    case .attemptFailed:
      if life.isOver { return "run \(run.number) fails when it is over (V1)" }
      life.failed += 1
      counts[.retried] += 1
    case .ended(let outcome):
      if life.isOver { return "run \(run.number) ended twice (V1)" }
      life.isOver = true
      if !run.isTree { note(outcome) }
    case .returned:
      if !life.isOver, life.failed == 0 { return "run \(run.number) returned before it had ended (V1)" }
    case .sleeping:
      break
    }
    return nil
  }

  private mutating func note(_ outcome: EffectOutcome) {
    switch outcome {
    case .finished, .handled: counts[.finished] += 1
    case .failed: counts[.failed] += 1
    case .dropped: counts[.dropped] += 1
    case .cancelled(.byEffect): counts[.byEffect] += 1
    case .cancelled(.byDispatch): counts[.byDispatch] += 1
    case .cancelled(.replaced): counts[.replaced] += 1
    case .cancelled(.shutdown): counts[.byShutdown] += 1
    }
  }

  /// How many runs have no end.
  var open: Int { lives.values.count { !$0.isOver } }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

// MARK: - What looks like a proof and is none

extension Explorer {
  /// Fails if the body does not make exactly one store.
  func failMisuse() -> Bool {
    guard failureText == nil, runner.hasSecondStore || hadNoStore || runner.misuse != nil else { return false }
    result.failure = ""
    failureText = runner.misuse ?? (runner.hasSecondStore ? FailureText.secondStore : FailureText.noStore)
    return true
  }

  /// Fails if limits leave nothing to explore, or allow no fault.
  func failLimits() -> Bool {
    if budget < 1 {
      failureText = FailureText.noBudget(".schedules(\(budget))")
    } else if let timeLimit, timeLimit <= .zero {
      failureText = FailureText.noBudget(".duration(\(SwiftLiteral.duration(timeLimit)))")
    } else if settings.stepLimit < 1 {
      failureText = FailureText.noSteps(settings.stepLimit)
    } else if settings.deadlineLimit < 0 {
      failureText = FailureText.noDeadlines(settings.deadlineLimit)
    } else if !settings.faults.isEmpty, settings.faults.limit < 1 {
      failureText = FailureText.noFaults(settings.faults)
    } else {
      return false
    }
    result.failure = ""
    return true
  }

  /// Fails for what looks like a proof and is none: a property that was never checked, a named state that no schedule
  /// reached, a requirement that no schedule tested, and a fault that was injected into no run.
  func failUnproved() {
    guard failureText == nil, result.schedules > 0, !Task.isCancelled else { return }
    let faults = settings.faults
    if !runner.evidence.hasExplored {
      failureText = FailureText.nothingSent
    } else if let unseen = runner.evidence.ends.unseen {
      failureText = FailureText.unseen(unseen, result)
    } else if !runner.evidence.sometimes.unreached.isEmpty {
      failureText = FailureText.unreached(runner.evidence.sometimes.unreached, result)
    } else if !runner.evidence.tested.left.isEmpty {
      failureText = FailureText.untested(runner.evidence.tested.left, result)
    } else if let fault = faults.all.first(where: { !runner.evidence.metFaults.contains($0.id) }) {
      failureText = FailureText.unmet(fault, result.schedules)
    } else if let missed = runner.evidence.scriptCancels.filter({ !$0.value }).keys.map(FailureText.idList).min() {
      failureText = FailureText.unmatchedCancel(missed, result.schedules)
    } else if faults.chance != nil {
      // The runs that the seed selects are the same in every schedule.
      if runner.evidence.struckFaults.isEmpty {
        failureText = FailureText.unstruck(faults, chosen: runner.evidence.chosenFaults.min(), result.schedules)
      }
    } else if result.completeLevel != nil,
      let number = faults.all.indices.first(where: { !runner.evidence.struckFaults.contains($0) })
    {
      failureText = FailureText.unstruck(faults.all[number], result.schedules)
    }
    if failureText != nil { result.failure = "" }
  }

  /// Which properties of the end were checked, in all schedules together.
  struct Ends {
    enum Unseen { case end, eventually }

    private var hasEnd = false
    private var hasHeld = false
    private var isEndPromised = false
    private var isHoldingPromised = false

    /// Whether anything is required of the end, or of a state that must be reached.
    var arePromised: Bool { isEndPromised || isHoldingPromised }

    /// What no schedule has checked.
    var unseen: Unseen? {
      if hasEnd { return nil }
      if isEndPromised { return .end }
      return isHoldingPromised && !hasHeld ? .eventually : nil
    }

    mutating func note(_ ending: ScheduleRunner.Ending, _ feature: ExploredFeature?) {
      if ending == .quiescent || ending == .broken { hasEnd = true }
      guard let feature else { return }
      if feature.checksEnd { isEndPromised = true }
      if feature.hasEventuallyHeld { hasHeld = true } else { isHoldingPromised = true }
    }
  }
}

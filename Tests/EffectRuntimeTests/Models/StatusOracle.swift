// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

@testable import EffectRuntime

/// What statuses must be, counted again from all active work, independent of what is kept to answer in O(1).
struct StatusOracle {
  private let harness: SchedulerHarness
  private let ids: [EffectID]
  private var shown: [EffectID: EffectStatus] = [:]

  init(_ harness: SchedulerHarness, ids: [EffectID]) {
    self.harness = harness
    self.ids = ids
    harness.scheduler.statuses.isObserved = true
    _ = findings()
  }

  /// What is wrong after a step, if anything.
  mutating func findings() -> [String] {
    var findings = wrongCounts()
    let changes = harness.scheduler.statuses.takeChanges()
    var noted: [EffectID: EffectStatus] = [:]
    for change in changes where noted.updateValue(change.before, forKey: change.id) != nil {
      findings.append("\(change.id) is noted twice")
    }
    for id in ids {
      let (before, now) = (shown[id] ?? EffectStatus(), harness.scheduler.status(of: id))
      if let noted = noted[id], noted != before { findings.append("\(id) was \(before), noted as \(noted)") }
      if before != now, noted[id] == nil { findings.append("\(id) is \(now), was \(before), and is not noted") }
      shown[id] = now
    }
    return findings
  }

  private func wrongCounts() -> [String] {
    let scheduler = harness.scheduler
    var expected: [EffectID: EffectStatus] = [:]
    var (unnamed, unnamedQueued) = (0, 0)
    let tree = scheduler.workTree
    for index in tree.takenSlots {
      let phase = tree.phase(of: index)
      guard tree.isNamed(index), let id = scheduler.id(of: index) else {
        if case .run = tree[index], phase != .cancelling {
          if phase == .waiting { unnamedQueued += 1 } else { unnamed += 1 }
        }
        continue
      }
      switch phase {
      case .queued, .waiting: expected[id, default: EffectStatus()].queued += 1
      case .starting, .running: expected[id, default: EffectStatus()].running += 1
      case .cancelling: expected[id, default: EffectStatus()].cancelling += 1
      case .free: break
      }
    }
    var findings: [String] = []
    let all = scheduler.effects(.everything)
    if Set(all.byID.keys) != Set(expected.keys) { findings.append("\(all.byID.keys) live, not \(expected.keys)") }
    if (all.unnamed, all.unnamedQueued) != (unnamed, unnamedQueued) {
      findings.append("\(all.unnamed) and \(all.unnamedQueued) without an id, not \(unnamed) and \(unnamedQueued)")
    }
    let runs = unnamed > 0 || expected.values.contains(where: \.isRunning)
    if scheduler.isRunning(.everything) != runs { findings.append("everything: isRunning is not \(runs)") }
    for id in Set(ids).union(expected.keys) {
      let (expected, actual) = (counts(expected[id]), counts(scheduler.status(of: id)))
      if expected != actual { findings.append("\(id): \(actual), not \(expected)") }
      if counts(all.byID[id]) != expected { findings.append("\(id): \(all[id]) of all effects") }
      if scheduler.isRunning(id) != (expected[0] > 0) { findings.append("\(id): isRunning") }
    }
    let isRunning = scheduler.isRunning(.matching(IDPredicate.everyString, scope: nil))
    if isRunning != expected.values.contains(where: \.isRunning) { findings.append("any string: isRunning") }
    return findings
  }

  private func counts(_ status: EffectStatus?) -> [Int] {
    status.map { [$0.running, $0.queued, $0.cancelling] } ?? [0, 0, 0]
  }
}

extension IDPredicate {
  fileprivate static var everyString: IDPredicate {
    guard case .matching(let predicate, _) = Cancellation.all(of: String.self) else { fatalError("it is one") }
    return predicate
  }
}

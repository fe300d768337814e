// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

// What can happen next.
extension ScheduleRunner {
  struct Deadline {
    var number: UInt64
    var isAlarm: Bool
  }

  /// Lists all that can happen, in one fixed order.
  func list(hasMail: Bool, _ feature: ExploredFeature, _ operations: Operations) {
    options.removeAll(keepingCapacity: true)
    deadlines.removeAll(keepingCapacity: true)
    let due = listDeadlines(feature, operations)
    // Only what may wait for an answer can be late, below the level that tries every job. No time passes while something else waits.
    let isHeld = mode.level.joinsJobs && (hasMail || feature.endCount > 0 || feature.hasPromptJob)
    let next = isHeld ? clock.offset : due
    if let script = schedule.script {
      if let senders = script.senders {
        list(senders, before: next)
      } else if script.hasNext, schedule.isAtRest || script.position != schedule.lastStep, isReady(script, before: next)
      {
        options.append(ScheduleOption(step: ScheduleStep(kind: .script), agent: ScheduleAgent.script))
      }
    }
    if hasMail { options.append(ScheduleOption(step: ScheduleStep(kind: .delivery), agent: ScheduleAgent.mailbox)) }
    if feature.endCount > 0 || schedule.lastEndWasQuiet, listEnds(hasMail: hasMail, feature, operations) { return }
    executor.list(into: &options, withParts: mode.replays != nil && !mode.level.joinsJobs)
    if let job = jobOfCancelled(feature, operations) {
      options = [job]
      return
    }
    if hasMail, forgetsCancelled, mode.level.joinsJobs { leaveOutWhatPosts(operations) }
    if mode.level.holdsDeadlines, !options.isEmpty { return }
    if isHeld, let due, due > clock.offset { return }
    for index in deadlines.indices {
      options.append(
        ScheduleOption(step: ScheduleStep(kind: .deadline, index: Int32(index)), agent: ScheduleAgent.clock))
    }
  }

  /// Adds the ends that may be taken. Returns whether only ends and a delivery may be next.
  ///
  /// A quiet end may be swapped with what a run or the script does, without any difference. So it is taken right before
  /// a turn, where it can make a difference. Quiet ends before the same turn are taken in their order. Without such a
  /// turn a quiet end is not chosen at all.
  private func listEnds(hasMail: Bool, _ feature: ExploredFeature, _ operations: Operations) -> Bool {
    let former = schedule.steps.last
    let isBehindQuiet = schedule.lastEndWasQuiet && former?.kind == .end
    schedule.lastEndWasQuiet = isBehindQuiet
    if isBehindQuiet { options.removeAll { $0.step.kind == .script } }
    let isQuiet = (0..<feature.endCount).map { self.isQuiet(end: $0, operations) }
    let hasTurn = hasMail || isQuiet.contains(false)
    for index in isQuiet.indices {
      if isQuiet[index], !hasTurn || (isBehindQuiet && index < former?.index ?? 0) { continue }
      options.append(
        ScheduleOption(step: ScheduleStep(kind: .end, index: Int32(index)), agent: ScheduleAgent.ends))
    }
    return isBehindQuiet
  }

  /// Whether only turns can show when this end is taken. A deadline that waits for that shows it as well.
  func isQuiet(end: Int, _ operations: Operations) -> Bool {
    operations.isQuiet(end) && (deadlines.isEmpty || !mode.level.joinsJobs)
  }

  /// Takes an end that is the only thing that can happen. It is no choice, so it is no step.
  func takeLastEnds(_ feature: ExploredFeature, _ operations: Operations) -> Bool {
    guard feature.endCount > 0, options.isEmpty || (options.count == 1 && options[0].step.kind == .end) else {
      return false
    }
    // After a quiet end, the only option need not be the end that has waited longest.
    operations.takeEnd(Int(options.first?.step.index ?? 0))
    schedule.lastEndWasQuiet = false
    return true
  }

  /// Adds the steps of the script that a replay may leave out: the next one of each sender.
  func listOmissions() {
    guard let script = schedule.script else { return }
    let senders = script.senders.map { $0.all.indices.filter($0.hasNext) } ?? (script.hasNext ? [0] : [])
    for sender in senders {
      options.append(
        ScheduleOption(step: ScheduleStep(kind: .omission, index: Int32(sender)), agent: ScheduleAgent.script))
    }
  }

  /// Whether the next step of the script may be taken: before an advance ends, all that is due until then must fire.
  private func isReady(_ script: ScriptBook, before next: Duration?) -> Bool {
    guard let target = script.nextAdvance, let next else { return true }
    return next > target
  }

  /// Lists the deadlines that are due first. Returns when they are due.
  private func listDeadlines(_ feature: ExploredFeature, _ operations: Operations) -> Duration? {
    var next = clock.due(into: &dueNumbers)
    for number in dueNumbers { deadlines.append(Deadline(number: number, isAlarm: false)) }
    guard feature.hasAlarms, let alarm = operations.nextAlarm() else { return next }
    if let earlier = next, earlier < alarm.deadline { return next }
    if next != alarm.deadline { deadlines.removeAll(keepingCapacity: true) }
    next = alarm.deadline
    let place = deadlines.firstIndex { $0.number > alarm.number } ?? deadlines.count
    deadlines.insert(Deadline(number: alarm.number, isAlarm: true), at: place)
    return next
  }
}

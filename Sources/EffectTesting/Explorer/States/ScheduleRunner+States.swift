// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// Where states are compared.
extension ScheduleRunner {
  /// Whether the search knows what can happen from here.
  func isKnown(_ feature: ExploredFeature, _ operations: Operations) -> Bool {
    guard !schedule.repeated.hasMore, histories.memory != .unknown else { return false }
    if mode.findsCycles {
      // While an end waits, not all that is possible is listed: that end may not be, or only ends are.
      guard feature.endCount == 0, !schedule.lastEndWasQuiet, let state = operations.fingerprint() else { return false }
      noteReached(state.state, feature, operations)
      return false
    }
    var isRead = false
    let isKnown = strategy.isKnown {
      let state = operations.fingerprint()
      isRead = state != nil
      if isRead, histories.values.hasMetObjects { knowledge.noteMemory(.shared) }
      return state
    }
    if !isKnown, isRead { weights?.keep() }
    return isKnown
  }

  /// A cycle is a violation if something is required of the end, or of a state that was not reached.
  private func noteReached(_ state: Int, _ feature: ExploredFeature, _ operations: Operations) {
    let events = schedule.reached.repeats(
      state, options, hasDeadlines: operations.nextAlarm() != nil || !clock.sleepersInOrder.isEmpty,
      nextAgent: executor.inside.value.nextAgent, events: isTraced ? operations.events().count : 0)
    guard let events else { return }
    feature.fail(
      Violation(
        label: "endless", text: FailureText.cycle(concernsEnd: feature.hasEventuallyHeld), repeatsAfter: events))
  }

  /// The body makes nothing that closures could share. Called before anything happens.
  func shareNothing() {
    guard comparesStates else { return }
    // A fault may count the suspensions of a timer, or delay it.
    histories.begin(
      knowledge.memory, namesState: knowledge.capturesState,
      forgetsTicks: !mode.findsCycles && settings.faults.isEmpty)
    forgetsCancelled = knowledge.memory == .none && !mode.findsCycles
  }

  /// What a step has shown about the memory of closures.
  func noteShared() {
    if histories.hasSharedMemory { knowledge.noteMemory(.shared) }
    if histories.hasOtherDeeds, !knowledge.hasReachedMore { knowledge.noteDifference() }
  }

  /// Nothing can happen any more: notes which runs have read the time, and not only to sleep.
  func noteReaders(_ feature: ExploredFeature) {
    // A property has read it after the last job.
    if clock.hasReaders {
      clock.keepReaders(false)
      noteReader()
    }
    let readers = clock.takeReaders()
    if readers.isEmpty { return }
    noteGaps("the time, read by ", of: readers, feature)
    noteReader()
  }

  /// Something has read the time. A trace reads it as well, so this says nothing in a schedule that is traced.
  func noteReader() {
    if comparesStates, !isTraced { knowledge.noteReader() }
  }

  /// A message waits, and no time passes meanwhile. Removes jobs of runs and the next action of the script, which only add messages
  /// behind it: they may as well come later. If the message cancels such a run, no code can observe whether its job was executed.
  func leaveOutWhatPosts(_ operations: Operations) {
    // A condition of a step sees what was reduced before. A fault that cancels is no message.
    guard let script = schedule.script, script.conditions.isEmpty, !settings.faults.cancelsAtOnce else { return }
    options.removeAll { option in
      switch option.step.kind {
      case .script: script.senders == nil
      case .job, .jobPart:
        histories.member(of: executor.job(at: option.step.index)).map {
          operations.canBeForgotten(histories.token(of: $0.run))
        } ?? false
      case .delivery, .deadline, .choice, .omission, .end: false
      }
    }
  }

  /// A job of a cancelled closure, if such jobs are executed at once.
  func jobOfCancelled(_ feature: ExploredFeature, _ operations: Operations) -> ScheduleOption? {
    guard forgetsCancelled else { return nil }
    return options.first { option in
      guard option.step.isJob, let member = histories.member(of: executor.job(at: option.step.index)) else {
        return false
      }
      return operations.isForgotten(histories.token(of: member.run))
    }
  }
}

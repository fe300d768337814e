// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

// The check that a schedule is the same when it is run again.
extension Explorer {
  /// Runs the schedule that was run last once more, and compares.
  nonisolated(nonsending) func isRepeatable(_ level: Exploration.Level, _ body: Body) async -> Bool {
    let first = original
    let steps = first.steps
    original = Original()
    if first.hasStrangers { return true }
    let second = await account(of: ReplayedSchedule(steps), .replay(level, .events), body)
    // Work that has been outside is reported as a gap.
    guard !result.hasLeft else { return true }
    if first.live != second.live {
      failUncontrolled(
        """
        one schedule, run twice, differs: at its end \(Exploration.count(first.live, "run")) had not returned the first time, and \
        \(second.live) the second time
          schedule: `\(second.text)`
        """)
      return false
    }
    if let events = first.events {
      let lines = [events.map { $0.description }, second.events.map { $0.description }]
      if let index = RepeatCheck.difference(lines[0], lines[1]) {
        failUncontrolled(
          FailureText.parting(
            (index < events.count ? events : second.events)[index].run, lines[0].dropFirst(index).first,
            lines[1].dropFirst(index).first, of: ScheduleStep.text(of: steps, at: level)))
        return false
      }
    }
    guard case .diverged(let step) = second.strategy.finding else { return true }
    let schedule = ScheduleStep.text(of: steps, at: level)
    failUncontrolled("step \(step + 1) of `\(schedule)` is not possible when it is run again")
    return false
  }
}

extension TraceEvent {
  /// The run that the event is about, if there is one.
  fileprivate var run: TraceRun? {
    switch kind {
    case .run(let run, _): run
    case .accepted(_, .run(let run)), .reduced(_, .run(let run)), .dropped(_, .run(let run)): run
    default: nil
    }
  }
}

// Work that leaves the executor, and how it is distinguished from work that waits for other work.
extension Explorer {
  /// Whether a run, or a task that one has made, comes back that had left the executor.
  nonisolated(nonsending) func hasArrival(
    _ feature: ExploredFeature, _ operations: ScheduleRunner.Operations, _ tasks: [String]
  ) async -> Bool {
    let runs = feature.live.isEmpty ? [] : operations.unexplained().map(\.name)
    return runs.isEmpty && tasks.isEmpty ? false : await hasArrival(of: runs + tasks)
  }

  /// Waits for one of these runs, unless it is known that all of them wait for other runs: an unsuccessful wait is not
  /// repeated.
  private nonisolated(nonsending) func hasArrival(of names: [String]) async -> Bool {
    guard names.contains(where: { !runner.knowledge.waitsInside.contains($0) }) else { return false }
    runner.executor.pause()
    let limit = min(max(externalWait, .zero), .seconds(100 * 365 * 86_400))
    let hasArrived = await runner.executor.arrival(within: limit)
    runner.executor.goOn()
    if hasArrived {
      for name in names where !result.gaps.contains(name) { result.gaps.append(name) }
    } else {
      runner.knowledge.waitsInside.formUnion(names)
    }
    return hasArrived
  }

  /// Runs a slow schedule again, until it is not slow. In a slow one something outside can answer before its run suspends. Such
  /// a run does not wait, and nothing shows that it has been outside. If it waits now, other steps are possible.
  nonisolated(nonsending) func repeatSlow(_ steps: [ScheduleStep], _ level: Exploration.Level, _ body: Body) async {
    for _ in 0..<5 where !result.hasLeft {
      let second = await account(of: ReplayedSchedule(steps), .replay(level, .ending), body)
      if second.strategy.finding != .none || second.steps.count != steps.count { noteGap() }
      if repeats.isFast(duration) { return }
    }
  }

  /// A run that was cancelled while it waited may have waited for something outside, and the cancel has ended this
  /// wait. Then there are schedules in which the run comes back by itself, and they have not been tried. To find out,
  /// this runs the schedule once more up to that step, and waits for the run.
  nonisolated(nonsending) func probe(_ level: Exploration.Level, _ body: Body) async {
    let (runs, steps) = suspects
    suspects = ([], [])
    for suspect in runs
    where !runner.knowledge.waitsInside.contains(suspect.name) && !result.gaps.contains(suspect.name) {
      // It may not have waited at all in that step. Then this can happen again and again, so the attempts are limited.
      guard fruitless[suspect.name, default: 0] < 100 else { continue }
      fruitless[suspect.name, default: 0] += 1
      var mode = ScheduleMode.replay(level, .ending)
      (mode.stepLimit, mode.isProbe) = (max(0, suspect.step), true)
      let former = beginAgain(ReplayedSchedule(Array(steps.prefix(mode.stepLimit))), mode)
      runner.begin()
      _ = await start(body)
      // The run waited in the schedule before, in the step that comes next. If it has returned by now, it did not wait for
      // the steps of the schedule: a short sleep can be over before its run has suspended.
      let hasReturned = suspect.run.map { runner.hasReturned($0) } ?? false
      runner.runReady()
      let names = runner.schedule.operations?.unexplained().map(\.name) ?? []
      if runner.executor.hasStrangers || hasReturned {
        // It came back before this code waited for it.
        noteGap()
      } else if names.contains(suspect.name) {
        _ = await hasArrival(of: names)
      }
      await end()
      (runner.strategy, runner.mode) = former
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

// Work that leaves the executor, and what tells it from work that waits for others.
extension Explorer {
  /// Whether a run comes back that had left the executor.
  nonisolated(nonsending) func hasArrival(_ feature: ExploredFeature) async -> Bool {
    if feature.live.isEmpty { return false }
    return await hasArrival(of: feature.unexplained.map(\.name))
  }

  /// Waits for one of these runs, unless it is known that they wait for others; each is waited for in vain once.
  private nonisolated(nonsending) func hasArrival(of names: [String]) async -> Bool {
    guard names.contains(where: { !waitsInside.contains($0) }) else { return false }
    runner.executor.pause()
    let limit = min(max(externalWait, .zero), .seconds(100 * 365 * 86_400))
    let hasArrived = await runner.executor.arrival(within: limit)
    runner.executor.goOn()
    if hasArrived {
      for name in names where !result.gaps.contains(name) { result.gaps.append(name) }
    } else {
      waitsInside.formUnion(names)
    }
    return hasArrived
  }

  /// A run that was cancelled while it waited may have waited for something outside, which the cancel has brought to an
  /// end: then there are schedules in which it comes back by itself, and nobody has tried them. So the schedule is run once
  /// more up to that step, and the run waited for.
  nonisolated(nonsending) func probe(_ grain: Exploration.Grain, _ body: Body) async {
    let (runs, steps) = suspects
    suspects = ([], [])
    for suspect in runs where !waitsInside.contains(suspect.name) && !result.gaps.contains(suspect.name) {
      // It may have been on its way after all; then it is so again and again.
      guard fruitless[suspect.name, default: 0] < 100 else { continue }
      fruitless[suspect.name, default: 0] += 1
      let former = (runner.strategy, runner.settings)
      runner.strategy = ReplayedSchedule(Array(steps.prefix(max(0, suspect.step))))
      _ = runner.strategy.begin()
      runner.settings.grain = grain
      runner.settings.stepLimit = max(0, suspect.step)
      runner.isProbed = true
      runner.begin()
      await body(Exploration.Schedule(runner))
      runner.executor.goOn()
      _ = runner.play()
      runner.runReady()
      let names = runner.feature?.unexplained.map(\.name) ?? []
      if runner.executor.hasStrangers {
        // It was so fast that it came back before it was looked for.
        noteGap()
      } else if names.contains(suspect.name) {
        _ = await hasArrival(of: names)
      }
      await end()
      runner.isProbed = false
      (runner.strategy, runner.settings) = former
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

// The search with several cores. A phase is cut into parts, which do not depend on the number of cores. Each part is searched
// by an explorer of its own, on any thread, and this explorer adds their results in the order of the parts.
extension Explorer {
  typealias SharedBody = nonisolated(nonsending) @Sendable (Exploration.Schedule) async -> Void

  /// As `search(_:)`, with several tasks.
  ///
  /// - Parameters:
  ///   - cores: how many tasks search.
  ///   - make: makes an explorer like this one, with another budget.
  ///   - body: called from several tasks at once.
  nonisolated(nonsending) func search(
    cores: Int, _ make: @escaping @Sendable (_ budget: Int) -> Explorer, _ body: @escaping SharedBody
  ) async {
    if failLimits() { return }
    beginTime()
    for phase in phases {
      guard await search(phase, cores: cores, make, body) else { break }
    }
    failUnproved()
  }

  /// Whether the search goes on with the next phase.
  private nonisolated(nonsending) func search(
    _ phase: Exploration.Search.Phase, cores: Int, _ make: @escaping @Sendable (_ budget: Int) -> Explorer,
    _ body: @escaping SharedBody
  ) async -> Bool {
    let (budget, phaseEnd) = (count(of: phase), end(of: phase))
    guard budget > 0 else {
      noteStopped(phase, 0)
      return goesOn(behind: phase)
    }
    while true {
      let before = result
      let parts = await parts(of: phase, budget: budget, make(1), body)
      let outcomes = await Self.outcomes(
        of: parts, budget: budget, until: phaseEnd, cores: cores, runner.knowledge, progress?.line, make, body)
      if let goesOn = await add(outcomes, of: parts, phase, budget: budget, make, body) { return goesOn }
      forget(since: before)
    }
  }

  // MARK: - Parts

  /// - Parameter scout: runs one schedule for each part that is cut further, to see which choices it has.
  private nonisolated(nonsending) func parts(
    of phase: Exploration.Search.Phase, budget: Int, _ scout: Explorer, _ body: Body
  ) async -> SearchParts {
    if let parts = SearchParts.random(phase, budget: budget) { return parts }
    guard let whole = phase.strategy as? any ExhaustiveStrategy, budget > SearchParts.leastCount else {
      return SearchParts(count: 1) { _ in phase }
    }
    var strategies = [whole]
    var isCut = true
    scout.runner.knowledge = runner.knowledge
    scout.runner.settings = settings
    scout.runner.settings.level = phase.level
    while isCut, strategies.count < SearchParts.leastCount, !Task.isCancelled {
      isCut = false
      var finer: [any ExhaustiveStrategy] = []
      for strategy in strategies {
        let own = await scout.parts(of: strategy, body)
        if !own.isEmpty { isCut = true }
        finer += own.isEmpty ? [strategy] : own
      }
      strategies = finer
    }
    runner.knowledge.add(scout.runner.knowledge)
    if scout.runner.knowledge.hasReachedMore {
      // Its parts are those of a search that did not know this.
      scout.runner.knowledge.hasReachedMore = false
      return await parts(of: phase, budget: budget, scout, body)
    }
    return SearchParts(count: strategies.count) { [strategies] number in
      Exploration.Search.Phase(level: phase.level, strategy: strategies[number], share: nil)
    }
  }

  /// The parts of a part, in their order; empty if it is one schedule. Runs the first schedule of each.
  private nonisolated(nonsending) func parts(
    of strategy: some ExhaustiveStrategy, _ body: Body
  ) async -> [any ExhaustiveStrategy] {
    var parts: [any ExhaustiveStrategy] = []
    runner.strategy = strategy
    while runner.strategy.begin() {
      _ = await play(body)
      guard var rest = runner.strategy as? (any ExhaustiveStrategy), let part = rest.part else { break }
      parts.append(part)
      rest.skipPart()
      runner.strategy = rest
    }
    return parts
  }

  /// Searches the parts that are needed. A part that is not needed any more has no outcome, or the outcome of an early end.
  private static nonisolated(nonsending) func outcomes(
    of parts: SearchParts, budget: Int, until end: ContinuousClock.Instant?, cores: Int, _ knowledge: SearchKnowledge,
    _ line: ProgressLine?, _ make: @escaping @Sendable (_ budget: Int) -> Explorer, _ body: @escaping SharedBody
  ) async -> [PartOutcome?] {
    let shared = SharedPartBoard(PartBoard(count: parts.count, budget: budget))
    await withTaskGroup { group in
      for _ in 0..<min(cores, parts.count) {
        group.addTask {
          var isOver = false
          while !Task.isCancelled, !isOver, let number = shared.board.withLock({ $0.take() }) {
            let explorer = make(budget)
            explorer.runner.knowledge = knowledge
            explorer.progress = line.map(ProgressReports.init)
            explorer.isStopped = { shared.board.withLock { !$0.isNeeded(number) } }
            explorer.end = end
            let outcome = await explorer.outcome(of: parts.part(number), body)
            shared.board.withLock { $0.end(number, outcome) }
            isOver = end.map { ContinuousClock.now >= $0 } ?? false
          }
        }
      }
    }
    return shared.board.withLock { $0.outcomes }
  }

  /// What this explorer, which has done nothing yet, finds in a part.
  private nonisolated(nonsending) func outcome(of part: Exploration.Search.Phase, _ body: Body) async -> PartOutcome {
    explainsFailures = false
    restartsPhases = false
    checksReduction = false
    _ = await search(part, body)
    progress?.tell(result.spent, at: part.level)
    return PartOutcome(
      result: result, failureText: failureText, broken: broken, evidence: runner.evidence, knowledge: runner.knowledge)
  }

  // MARK: - Adding up

  /// Adds what the parts have found, in their order. Returns whether the search goes on with the next phase; `nil` if
  /// the phase begins again.
  private nonisolated(nonsending) func add(
    _ outcomes: [PartOutcome?], of parts: SearchParts, _ phase: Exploration.Search.Phase, budget: Int,
    _ make: (_ budget: Int) -> Explorer, _ body: Body
  ) async -> Bool? {
    let former = result
    var left = budget
    var isComplete = phase.strategy.isExhaustive
    for number in 0..<parts.count {
      guard left > 0 else {
        noteStopped(phase, result.schedules - former.schedules)
        return goesOn(behind: phase)
      }
      guard number < outcomes.count, var outcome = outcomes[number], !Task.isCancelled else {
        noteStopped(phase, result.schedules - former.schedules)
        return !Task.isCancelled && goesOn(behind: phase)
      }
      if outcome.count > left {
        // It had more schedules than there are left after the parts before it: its first ones are run again.
        let explorer = make(left)
        explorer.runner.knowledge = runner.knowledge
        outcome = await explorer.outcome(of: parts.part(number), body)
      }
      add(outcome)
      left -= outcome.count
      if let broken = outcome.broken {
        await explain(broken, body)
        if !countsFailures { return false }
      } else if outcome.endsPhase {
        return outcome.mustRestart ? nil : false
      }
      if phase.strategy.isExhaustive, !outcome.isComplete {
        // The budget is spent.
        isComplete = false
      }
    }
    let count = result.schedules - former.schedules
    guard isComplete else {
      noteStopped(phase, count)
      return goesOn(behind: phase)
    }
    guard await isReductionRight(phase, count, body) else { return false }
    noteTried(phase.level, count, cut: result.cut - former.cut, waiting: result.waitingCount - former.waitingCount)
    return true
  }

  private func add(_ outcome: PartOutcome) {
    result.add(outcome.result)
    if failureText == nil, let text = outcome.failureText {
      failureText = text
      result.failure = outcome.result.failure
    }
    runner.evidence.add(outcome.evidence)
    runner.knowledge.add(outcome.knowledge)
  }
}

extension Exploration {
  /// Adds the schedules of a part of the search.
  fileprivate mutating func add(_ part: Exploration) {
    schedules += part.schedules
    redundant += part.redundant
    cut += part.cut
    chances += part.chances
    failures += part.failures
    waitingCount += part.waitingCount
    timeGaps += part.timeGaps.filter { !timeGaps.contains($0) }
    historyGaps += part.historyGaps.filter { !historyGaps.contains($0) }
    gaps += part.gaps.filter { !gaps.contains($0) }
    waiting += part.waiting.filter { !waiting.contains($0) }
    limits += part.limits.filter { !limits.contains($0) }
    ongoing += part.ongoing.filter { !ongoing.contains($0) }
    if part.hasMore { hasMore = true }
    if let burden = part.burden { self.burden = burden }
  }
}

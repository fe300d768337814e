// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

// How the task of a run is made and cancelled, and which of its jobs can stop.
extension ExploredStore {
  /// Whether the jobs of a run must be able to stop before they post a message. Only at the level `steps` they do.
  func stops(_ operation: Effect<Action>.Operation) -> Bool {
    hasStops && (runner.knowledge.stoppingLines.contains(operation.site.line) || isReached(operation))
  }

  /// Whether they stop after a message as well.
  func isReached(_ operation: Effect<Action>.Operation) -> Bool {
    hasStops && runner.reachedBefore.contains(operation.site.line)
  }

  /// The executor of such a run; `nil` for other runs.
  @usableFromInline
  func stoppingExecutor(of operation: Effect<Action>.Operation) -> SuspensionCounter? {
    guard stops(operation) else { return nil }
    return SuspensionCounter(executor, stops: true, isReached: isReached(operation))
  }

  @usableFromInline
  func spawn(_ body: RunBody<Action>, on own: SuspensionCounter) -> Task<Void, Never> {
    Task.detached(executorPreference: own, priority: body.priority) { [executor] in
      guard body.beginInTaskOfShell() else { return body.neverCalled() }
      await executor.marking { await body() }
    }
  }

  @usableFromInline
  func cancel(_ token: Token) {
    for run in live where run.token == token {
      if isTraced, !isEnding, runner.evidence.isPlain { runner.schedule.trail.add(run.title, "is cancelled") }
      // A store may be about to call the closure, which is then cancelled from the start. Otherwise it never calls it.
      if !isEnding, run.body.isWaiting, runner.chooseWhetherCalled(isForgotten(token)) {
        runner.histories.cancelled(token, isCalled: false)
        run.body.cancel()
        // Only the end follows from that, and it may be taken at any time.
        executor.runAtOnce(run.task)
        continue
      }
      runner.histories.cancelled(token, isCalled: true)
      if !isEnding { noteReach(run) }
      // After a cancel it cannot be noticed any more that the run waited for something outside.
      if !executor.isReady(run.task) { noteCancel(ofWaiting: run) }
      executor.cancel(run.task)
    }
  }

  /// A run is to be cancelled that waits: for the clock, for other runs or for something outside.
  private func noteCancel(ofWaiting run: LiveRun) {
    guard !runner.mode.isProbe, !holdsEnd(of: run.token) else { return }
    guard unexplained.contains(where: { $0.token == run.token }) else { return }
    runner.schedule.noteCancel(ofWaiting: run)
  }

  /// A run is cancelled. If it has sent an action, the cancel might come right after that, before the next line of its closure.
  /// If the closure has returned, there was no line that others can observe; but its own action cancels it at once, maybe in
  /// the middle of a scope.
  private func noteReach(_ run: LiveRun) {
    if !runner.evidence.tested.left.isEmpty, !holdsEnd(of: run.token) { runner.evidence.tested.cancelled() }
    guard !isCancelledByFault, senders.contains(run.token) || hasSent(run.token) else { return }
    if sender == run.token || !holdsEnd(of: run.token) { runner.noteReach(of: run) }
  }

  /// Whether an action of the run waits to be taken.
  private func hasSent(_ token: Token) -> Bool {
    batch[position...].contains { $0.isAction(of: token) } || mailbox.holdsAction(of: token)
  }

  /// Whether a closure has returned whose end has not been taken yet.
  @usableFromInline
  func holdsEnd(of token: Token) -> Bool {
    ends.contains { $0.token == token } || batch[position...].contains { $0.isEnd(of: token) }
      || mailbox.holdsEnd(of: token)
  }

  @usableFromInline
  func forgetReturned() {
    keepsReturned = false
    returnedRuns = []
  }

  /// Notes the overlaps of all runs and trees in an effect, including those that start later or never.
  @usableFromInline
  func noteOverlaps(within effect: Effect<Action>) {
    var pending = [effect]
    while let next = pending.popLast() {
      switch next {
      case .none, .send, .cancel, .run: noteOverlaps(of: next)
      case .merge(let parts), .concatenate(let parts): pending.append(contentsOf: parts)
      case .cancellable(let tree):
        noteOverlap(tree.overlap, of: tree.id)
        pending.append(tree.content)
      }
    }
  }

  /// If overlaps of one id differ, it may have made a difference that ends were taken at once.
  @usableFromInline
  func noteOverlap(_ overlap: Overlap, of id: EffectID) {
    guard let known = overlaps.first(where: { $0.id == id }) else {
      return overlaps.append((id, overlap))
    }
    if known.overlap != overlap { runner.noteGap("the ends of runs of \(id), \(FailureText.differingOverlaps)") }
  }
}

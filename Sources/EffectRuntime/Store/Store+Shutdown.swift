// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Shutting down

extension Store {
  /// Brings the store to its end: refuses new actions, ends all runs, and returns when every closure has returned.
  ///
  /// From the call on, actions from outside are refused: `send(_:)` returns a refused ``StoreTask``,
  /// ``request(_:_:)-(_,(R.State)->Value)`` throws. What was accepted before is still reduced, in order. Then
  /// ``Shutdown/cancelling`` cancels all runs; ``Shutdown/draining(cancelling:within:)`` lets them end by themselves and goes
  /// on reducing what they send, so nothing that was accepted is lost. At the end `values` sequences end, and a ``/EffectCore/Send`` that is still in use is
  /// refused; the state can be read as before.
  ///
  /// - Ordering: first the end of everything, then the last state to all observers, then this returns.
  /// - Cancellation: cancelling the waiting task turns draining into cancelling. Either way this returns when all
  ///   closures have, however long one that ignores cancellation takes.
  /// - Isolation: usable from anywhere. While somebody waits, the store is kept.
  /// - Errors: inside a run of this store it would wait for itself. That is reported like an uncaught error of the run, and
  ///   this returns at once; the shutdown has begun, without a limit in time.
  /// - Complexity: O(what lives). Called again, it waits as well: a `.cancelling` hurries one that drains, and all of
  ///   them return the same. Called late, it returns at once.
  ///
  /// - Returns: the runs that had to be cancelled (with `.cancelling` all that lived, otherwise those that took longer
  ///   than the limit), executing or in a queue, in no particular order; not those of the ids.
  @discardableResult
  public nonisolated func shutdown(_ shutdown: Shutdown) async -> [EffectRun] {
    let (waiter, own) = (Waiter(), mailbox.ownRun)
    guard mailbox.shutDown(shutdown, waiter, from: own) else { return cutShort.withLock { $0 } }
    await withTaskCancellationHandler {
      guard let limit = shutdown.limit else {
        _ = await waiter.wait()
        return
      }
      await withTaskGroup(of: Void.self) { group in
        // A child, so that no timer outlives the wait.
        group.addTask { [mailbox] in
          guard (try? await mailbox.time.sleep(for: limit)) != nil else { return }
          mailbox.post(.shutDown(.cancelling, Waiter(), from: .none))
        }
        _ = await waiter.wait()
        group.cancelAll()
      }
    } onCancel: {
      mailbox.post(.shutDown(.cancelling, Waiter(), from: .none))
    }
    // Rule E7: whoever waits keeps the store, without which nobody would answer.
    return withExtendedLifetime(self) { cutShort.withLock { $0 } }
  }

  /// The order to end has been taken; all that was accepted before has been reduced.
  @usableFromInline
  func shutDown(_ shutdown: Shutdown, _ waiter: Waiter, from own: Token) {
    cancelTasks()
    if activity.value.ending == nil { activity.value.ending = Ending() }
    if let run = core.value.interpreter.description(of: own) {
      onFailure(EffectFailure(error: WaitsForItself(.shutdown), run: run))
      waiter.answer(false)
    } else {
      activity.value.ending?.waiting.append(waiter)
    }
    switch shutdown.mode {
    case .cancelling:
      guard activity.value.ending?.isCut == false else { return }
      tell(.shutdown(.cancelling))
      activity.value.ending?.isCut = true
      let runs = core.value.interpreter.liveRuns
      cutShort.withLock { $0 = runs }
      looking { core.value.interpreter.cancelEverything(because: .shutdown) }
    case .draining:
      tell(.shutdown(.draining))
      guard !shutdown.ids.isEmpty else { return }
      // A request of which it cancels something gets no answer (rule L3).
      let waiters = looking { core.value.interpreter.waiters(reachedBy: shutdown.ids) }
      for waiter in waiters { waiter.cutShort() }
      looking { core.value.interpreter.cancel(ids: shutdown.ids, because: .shutdown) }
    }
    perform()
    if core.value.interpreter.isTurnOpen { endTurnIfDone() }
  }

  /// At the end of a slice, when observers have seen its state: is it over?
  ///
  /// Once nothing lives nothing can begin, because nothing is accepted. What may still come are actions of runs that are
  /// gone, further waiters and observers; those that wait are taken as usual.
  func endIfIdle() {
    guard core.value.interpreter.isIdle, !core.value.interpreter.isTurnOpen else { return }
    let waiting = activity.value.ending?.waiting ?? []
    activity.value.ending?.waiting = []
    mailbox.end()
    tell(.shutdown(.ended))
    observers.finish()
    hub.finish()
    if hub.version != core.value.outlet.version { refreshListeners() }
    for waiter in waiting { waiter.answer(true) }
  }
}

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

  /// The store has ended: nothing is active, and observers have seen its last state.
  func end(_ waiting: [Waiter]) {
    mailbox.end()
    // Before anyone is answered, so that no timer outlives `shutdown`.
    activity.value.timer?.task.cancel()
    activity.value.timer = nil
    observers.finish()
    hub.finish()
    if hub.version != core.value.outlet.version { refreshListeners() }
    for waiter in waiting { waiter.answer(true) }
  }
}

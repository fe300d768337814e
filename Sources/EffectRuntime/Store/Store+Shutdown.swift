// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

// MARK: - Shutting down

extension Store {
  /// Shuts the store down: refuses new actions, ends all runs, and returns when every closure has returned, or at a limit.
  ///
  /// From the call on, actions from outside are refused: `send(_:)` returns a refused ``StoreTask``,
  /// ``request(_:_:)-(_,(R.State)->Value)`` throws. What was accepted before is still reduced, in order. Then
  /// ``Shutdown/cancelling`` cancels all runs; ``Shutdown/draining(cancelling:within:)`` lets them end by themselves
  /// and continues to reduce what they send, so nothing that was accepted is lost. At the end `values` sequences end,
  /// and a ``/EffectCore/Send`` that is still in use is refused; the state can be read as before.
  ///
  /// Cancelled closures return in their own time. With a limit, this waits no longer than that, and
  /// ``/EffectCore/EffectRun/hasReturned`` says of each run whether it has returned. The store goes on to wait for the others
  /// and ends then; another call waits for them as well:
  ///
  /// ```swift
  /// var runs = await store.shutdown(.draining(within: .seconds(20)))
  /// if !runs.isEmpty { runs = await store.shutdown(.cancelling(within: .seconds(5))) }
  /// for run in runs where !run.hasReturned { print("\(run) at \(run.site) ignores its cancellation") }
  /// ```
  ///
  /// - Ordering: first everything ends, then all observers see the last state, then this returns. Called again, it
  ///   waits as well: a `.cancelling` call makes a draining shutdown cancel. When the store has ended, a call returns at
  ///   once what the others have returned.
  /// - Cancellation: cancelling the waiting task turns draining into cancelling, and this returns at once, as at the limit.
  /// - Isolation: usable from anywhere. While a caller waits, the store is kept alive. “At once” is behind what was accepted
  ///   before.
  /// - Errors: if the store's clock does not sleep until the limit, the shutdown cancels and returns at once, and that is
  ///   reported. Inside a run of this store, the call would wait for itself. That is reported like an uncaught error of
  ///   the run, and the call returns at once; the shutdown has begun, without a time limit.
  /// - Complexity: O(active and waiting work).
  ///
  /// - Parameter shutdown: whether to cancel at once, or to let work end first.
  /// - Returns: the runs that had to be cancelled, executing or in a queue, in no particular order. With `.cancelling`
  ///   these are all active and waiting runs. With `.draining` they are those that were left at the limit, or when a
  ///   waiting task was cancelled. The runs that `cancelling:` names, and those that were cancelled before, are in it only if
  ///   this returns before they have returned.
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
        // A child task, so that no timer outlives the wait.
        group.addTask { [mailbox] in
          do throws(ClockFailure) {
            try await mailbox.time.wait(for: limit)
          } catch {
            // Rather too early than never: a limit is given where the shutdown has to end.
            mailbox.post(.order(.clockFailed(error)))
          }
          if !Task.isCancelled { mailbox.post(.order(.shutdownExpired(waiter))) }
        }
        _ = await waiter.wait()
        group.cancelAll()
      }
    } onCancel: {
      mailbox.post(.order(.shutdownExpired(waiter)))
    }
    // Rule E7: a waiting caller keeps the store. Without the store, the caller would get no answer.
    return withExtendedLifetime(self) { cutShort.withLock { $0 } }
  }

  /// Ends the store, when nothing is active any more and observers have seen its last state.
  func end() {
    mailbox.end()
    // Before any waiter is answered, so that no timer outlives `shutdown`.
    activity.value.timer?.task.cancel()
    activity.value.timer = nil
    observers.finish()
    hub.finish()
    if hub.version != core.value.outlet.version { refreshListeners() }
  }
}

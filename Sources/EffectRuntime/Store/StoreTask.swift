// This source file is part of swift-effects. License: Apache-2.0.

/// Everything that one sent action causes: wait for all of it, or cancel it.
///
/// You may discard a `StoreTask`; nothing is allocated for it. If you keep it, it does not keep the store alive; only a
/// waiting ``finish()`` does.
///
/// - Isolation: usable from any thread, any number of times.
public struct StoreTask: Sendable {
  @usableFromInline let target: any StoreTaskTarget
  @usableFromInline let number: UInt64

  /// Makes the value for a dispatch.
  ///
  /// - Parameters:
  ///   - target: what waits for the dispatch and cancels it.
  ///   - number: the number of the dispatch; 0 if the action was refused.
  @inlinable
  package init(target: any StoreTaskTarget, number: UInt64) {
    self.target = target
    self.number = number
  }

  /// Whether the store refused the action, because it was shut down. Then nothing is reduced, there is nothing to wait
  /// for, and the rest of this type does nothing.
  public var isRefused: Bool { number == 0 }

  /// Waits until everything the action caused has settled: its turn, the runs it started, and what the actions of these
  /// runs started.
  ///
  /// - Cancellation: cancelling the waiting task, also before the call, cancels all of that, and the wait ends. The
  ///   next query of the store sees the cancellation. An ``ObservableStore`` shows it with the next turn, or the next
  ///   budget's worth of work.
  /// - Ordering: when it returns, every action of those runs has been reduced or will never be.
  /// - Errors: inside a run of the same dispatch, in its own task or a child task, the call would wait for itself. This
  ///   is reported like an uncaught error of the run, and the call returns at once. The same happens with a wait that
  ///   closes a circle of runs of the store that wait for each other (rule L2). A `Task { }` that the run has made
  ///   waits; a run that awaits such a task waits until the run is cancelled.
  /// - Complexity: O(1). A repeated call waits as well. A call returns at once if everything has settled, or the store
  ///   was released.
  public func finish() async {
    guard !isRefused else { return }
    await target.finish(number)
  }

  /// Cancels everything the action caused and will cause.
  ///
  /// If the action has not been reduced yet, it is still reduced, but the runs it requests never start. Otherwise its
  /// runs, its queued runs and the rest of its sequences are cancelled. A run that other actions have joined continues
  /// for them (rule O5). Called twice or late it does nothing.
  ///
  /// - Ordering: like a sent action (rule L2). On the store's own isolation it has taken effect when this returns;
  ///   during a reduction or a notification it waits its turn. Elsewhere the next query of the store (``Store/state``,
  ///   ``Store/status(_:)``, ...) comes after it.
  /// - Parameter caller: the isolation of the caller, filled in by the compiler.
  /// - Complexity: O(1), plus the reductions of what waits if they happen inline.
  public func cancel(isolation caller: (any Actor)? = #isolation) {
    guard !isRefused else { return }
    target.cancel(number)
    target.drainInline(from: caller)
  }
}

/// What a ``StoreTask`` calls. It does not depend on the types of the store.
///
/// - Isolation: usable from any thread.
@usableFromInline
package protocol StoreTaskTarget: AnyObject, Sendable {
  /// Waits until everything that a dispatch has caused has settled. Cancelling the waiting task cancels the dispatch.
  func finish(_ number: UInt64) async
  /// Cancels everything that a dispatch has caused and will cause. Called twice or late it does nothing.
  func cancel(_ number: UInt64)
  /// If the caller is on the store's own isolation, handles what came from outside before. Otherwise it does nothing.
  func drainInline(from caller: (any Actor)?)
}

extension Mailbox {
  /// The run of this store that cannot end before the current task continues: the task is the run's own task, or a
  /// child of it.
  package var ownRun: Token { token(of: CurrentRun.awaitingThisTask) }

  /// The run of this store in which the current task was made, also if the run does not wait for the task; or none.
  package var surroundingRun: Token { token(of: CurrentRun.identity) }

  private func token(of run: CurrentRun?) -> Token {
    guard let run, run.store == identity else { return .none }
    return run.token
  }
}

extension Mailbox: StoreTaskTarget {
  /// Waits until a dispatch has settled; returns at once if the store was released.
  @usableFromInline
  package func finish(_ number: UInt64) async {
    // The store is kept while a caller waits (rule E7), because without it the work would be cancelled.
    guard let owner = liveOwner else { return }
    let waiter = Waiter()
    await withTaskCancellationHandler {
      guard post(.order(.watch(number, waiter, from: ownRun))) else { return }
      _ = await waiter.wait()
    } onCancel: {
      cancel(number)
    }
    withExtendedLifetime(owner) {}
  }

  /// Passes the call on to the owner, if it still exists.
  @usableFromInline
  package func drainInline(from caller: (any Actor)?) {
    guard caller != nil else { return }
    liveOwner?.drainInline(from: caller)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// Why a request has no answer; see ``Store/request(_:_:)``.
public enum RequestFailure: Error, Equatable {
  /// The store had been shut down: the action was not taken in.
  case refused
  /// The store was shut down meanwhile, and the effects of the action cancelled.
  case cutShort
  /// It was made inside a run that it would have waited for.
  case waitsForItself
}

extension Store {
  /// Sends an action, waits until everything it causes has settled, and answers with what the state is at that moment.
  ///
  /// ```swift
  /// let results = try await store.request(.queryChanged("swift")) { state in
  ///   if let failure = state.failure { throw SearchFailed(why: failure) }
  ///   return state.results
  /// }
  /// ```
  ///
  /// - Ordering: the action is accepted before this suspends, like one that is sent. The answer is made on the store's
  ///   isolation in the moment the last of the effects has settled (see ``StoreTask/finish()``): no other action is
  ///   reduced in between. It is made once; what it sends waits its turn.
  /// - Cancellation: cancelling the waiting task cancels the effects, and this throws `CancellationError` when no action of
  ///   theirs will be reduced any more. A task that was cancelled before sends nothing. Effects that are cancelled by
  ///   others (`cancel(id:)`, replaced, dropped) count as settled, and there is an answer.
  /// - Isolation: usable from anywhere, also inside runs. The state need not be `Sendable`, only what is made of it.
  ///   While somebody waits, the store is kept (rule E7).
  /// - Errors: what `answer` throws; `CancellationError`; a ``RequestFailure``.
  /// - Complexity: O(1), plus the reductions.
  public nonisolated func request<Value: Sendable>(
    _ action: R.Action, _ answer: @escaping @Sendable (R.State) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let outcome = Outcome<Value>()
    let waiter = Waiter { [self] in
      assumeIsolated { store in store.settle(outcome, answer) }
    }
    let number = mailbox.post(action, watchedBy: waiter, from: mailbox.ownRun)
    guard number > 0 else {
      if mailbox.isTraced { mailbox.post(.refused(action, nil)) }
      throw RequestFailure.refused
    }
    let hasSettled = await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      outcome.set(.failure(CancellationError()))
      mailbox.cancel(number)
    }
    guard let result = outcome.result else {
      throw hasSettled ? RequestFailure.cutShort : RequestFailure.waitsForItself
    }
    return try result.get()
  }

  /// Makes the answer of a request, unless it has been cancelled.
  private func settle<Value>(_ outcome: Outcome<Value>, _ answer: @Sendable (R.State) throws -> Value) {
    guard outcome.result == nil else { return }
    // With a shutdown everything settles; but what the state is then is no answer.
    guard activity.value.ending?.isCut != true else { return outcome.set(.failure(RequestFailure.cutShort)) }
    outcome.set(Result { try answer(core.value.state) })
  }
}

/// What a request comes to: the first thing said about it.
private final class Outcome<Value: Sendable>: Sendable {
  private let content = Lock<Result<Value, any Error>?>(nil)

  var result: Result<Value, any Error>? { content.withLock { $0 } }

  func set(_ result: Result<Value, any Error>) {
    content.withLock { content in
      if content == nil { content = result }
    }
  }
}

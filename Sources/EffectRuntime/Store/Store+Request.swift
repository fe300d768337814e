// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// Why a request has no answer; see ``Store/request(_:_:)-(_,(R.State)->Value)``.
public enum RequestFailure: Error, Equatable {
  /// The store had been shut down: the action was refused.
  case refused
  /// A shutdown cancelled effects of the action: all of them, at once or at its limit, or those of the ids that a
  /// draining shutdown cancels. It is thrown when the other effects have settled.
  case cutShort
  /// The request was made inside a run that it would have waited for, directly or in a circle of runs that wait for
  /// each other.
  case waitsForItself
  /// The request was made through a child store, and the child did not exist when everything had settled.
  case missingChild
}

extension Store {
  /// Sends an action, waits until everything it causes has settled, and returns a value that is made from the state at
  /// that moment.
  ///
  /// ```swift
  /// let results = try await store.request(.queryChanged("swift")) { state in
  ///   if let failure = state.failure { throw SearchFailed(why: failure) }
  ///   return state.results
  /// }
  /// ```
  ///
  /// - Ordering: the action is accepted before this suspends, like one that is sent. The answer is made on the store's
  ///   isolation at the moment the last of the effects has settled (see ``StoreTask/finish()``): no other action is
  ///   reduced in between. It is made once; what it sends waits its turn.
  /// - Cancellation: cancelling the waiting task cancels the effects, and this throws `CancellationError` when none of
  ///   their actions will be reduced any more. If the task was cancelled before, nothing is sent. Effects that are
  ///   cancelled by other code (`cancel(id:)`, replaced, dropped) count as settled, and there is an answer.
  /// - Isolation: usable from anywhere, also inside runs. The state need not be `Sendable`, only what is made of it.
  ///   While a caller waits, the store is kept alive (rule E7).
  /// - Complexity: O(1), plus the reductions.
  /// - Parameters:
  ///   - action: the action to send.
  ///   - answer: makes the value of the state. Called on the store's isolation, once, or never if this throws for
  ///     another reason.
  /// - Returns: what `answer` returned.
  /// - Throws: what `answer` throws; `CancellationError`; a ``RequestFailure``. Inside a run that would wait for
  ///   itself, that is also reported as a failure of the run.
  public nonisolated func request<Value: Sendable>(
    _ action: R.Action, _ answer: @escaping @Sendable (R.State) throws -> Value
  ) async throws -> Value {
    try await request(action, collecting: false) { store, _ in try answer(store.core.value.engine.state) }
  }

  /// Sends an action, waits until everything it causes has settled, and returns a value that is made from the state at
  /// that moment and from how everything ended.
  ///
  /// ```swift
  /// try await store.request(.saveTapped) { state, outcomes in
  ///   guard outcomes.allFinished else { throw NotSaved(why: "\(outcomes)") }
  ///   return state.version
  /// }
  /// ```
  ///
  /// Otherwise it is the same as ``request(_:_:)-(_,(R.State)->Value)``.
  ///
  /// - Parameters:
  ///   - action: the action to send.
  ///   - answer: called with the state and the ``RequestOutcomes``: one for each run, and each tree under an id, that
  ///     the action caused, transitively. They are in the order in which they settled.
  /// - Returns: what `answer` returns.
  /// - Throws: what `answer` throws; `CancellationError`; a ``RequestFailure``.
  /// - Complexity: as without outcomes, plus O(1) for each run of the action, and O(owners) for what joined runs cause.
  ///   The cost of other actions does not change.
  public nonisolated func request<Value: Sendable>(
    _ action: R.Action, _ answer: @escaping @Sendable (R.State, RequestOutcomes) throws -> Value
  ) async throws -> Value {
    try await request(action, collecting: true) { store, outcomes in try answer(store.core.value.engine.state, outcomes)
    }
  }

  /// The common part of all requests.
  ///
  /// - Parameters:
  ///   - action: the action to send.
  ///   - collecting: whether outcomes are collected.
  ///   - answer: makes the value. Called on the store's isolation, at most once.
  nonisolated func request<Value: Sendable>(
    _ action: R.Action, collecting: Bool,
    _ answer: @escaping @Sendable (isolated Store, RequestOutcomes) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let answered = RequestAnswer<Value>()
    let waiter = Waiter(
      whenSettled: { [self] outcomes in assumeIsolated { store in store.settle(answered, outcomes, answer) } },
      whenCut: { answered.set(.failure(RequestFailure.cutShort)) })
    let number = mailbox.post(action, watchedBy: waiter, collects: collecting, from: mailbox.ownRun)
    guard number > 0 else {
      if mailbox.isTraced { mailbox.post(.order(.refused(action, nil))) }
      throw RequestFailure.refused
    }
    let hasSettled = await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      answered.set(.failure(CancellationError()))
      mailbox.cancel(number)
    }
    guard let result = answered.result else {
      throw hasSettled ? RequestFailure.cutShort : RequestFailure.waitsForItself
    }
    return try result.get()
  }

  /// Makes the answer of a request, unless the request was cancelled or cut short before.
  private func settle<Value>(
    _ answered: RequestAnswer<Value>, _ outcomes: RequestOutcomes,
    _ answer: @Sendable (isolated Store, RequestOutcomes) throws -> Value
  ) {
    guard answered.result == nil else { return }
    answered.set(Result { try answer(self, outcomes) })
  }
}

/// The result of a request: the first value that is set. Usable from any thread.
final class RequestAnswer<Value: Sendable>: Sendable {
  private let content = Lock<Result<Value, any Error>?>(nil)

  /// The result; `nil` until one is set.
  var result: Result<Value, any Error>? { content.withLock { $0 } }

  /// Sets the result, unless there is one.
  func set(_ result: Result<Value, any Error>) {
    content.withLock { content in
      if content == nil { content = result }
    }
  }
}

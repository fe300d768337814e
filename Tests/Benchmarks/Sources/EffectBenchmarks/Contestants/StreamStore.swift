// This source file is part of swift-effects. License: Apache-2.0.

/// The store that articles and talks show: an actor, and a task that reads an `AsyncStream` of actions into it.
actor StreamStore<R: PlainReducer> {
  private let reducer: R
  private var state: R.State
  private nonisolated let continuation: AsyncStream<R.Action>.Continuation
  private var tasks = PlainTasks()

  init(_ state: sending R.State, _ reducer: sending R) {
    self.state = state
    self.reducer = reducer
    let (stream, continuation) = AsyncStream.makeStream(of: R.Action.self)
    self.continuation = continuation
    Task { [weak self] in
      for await action in stream { await self?.reduce(action) }
    }
  }

  deinit {
    continuation.finish()
  }

  nonisolated func send(_ action: R.Action) {
    continuation.yield(action)
  }

  private func reduce(_ action: R.Action) {
    // Not `self`: an effect must not keep the store alive.
    let send: PlainSend<R.Action> = { [continuation] action in continuation.yield(action) }
    switch reducer.reduce(into: &state, action: action) {
    case .none: break
    case .send(let next): send(next)
    case .run(let run): Task { await run(send) }
    case .merge(let runs):
      for run in runs { Task { await run(send) } }
    case .concatenate(let runs):
      Task { for run in runs { await run(send) } }
    case .restart(let id, let run): tasks.restart(id) { Task { await run(send) } }
    case .cancel(let id): tasks.cancel(id)
    case .cancelAll: tasks.cancelAll()
    }
  }
}

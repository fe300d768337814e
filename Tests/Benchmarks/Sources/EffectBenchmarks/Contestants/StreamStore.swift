// This source file is part of swift-effects. License: Apache-2.0.

/// The store that articles and talks teach: an actor, and a task that reads an `AsyncStream` of actions into it.
actor StreamStore<R: PlainReducer> {
  private let reducer: R
  private var state: R.State
  private nonisolated let continuation: AsyncStream<R.Action>.Continuation

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
    switch reducer.reduce(into: &state, action: action) {
    case .none: break
    case .send(let next): send(next)
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A feature with every kind of end: pages are fetched, parsed when they have arrived, and fetching can be cancelled.
struct Download: Reducer {
  enum Action: Equatable, Sendable { case fetch(String), fetched(Int), parsed, stop, wait, later }

  struct Unreachable: Error, Equatable {}

  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    switch action {
    case .fetch(let page):
      return .run(id: "fetch", overlap: .restart, input: page) { page, send in
        guard page != "nowhere" else { throw Unreachable() }
        send(.fetched(page.count))
      }
    case .fetched(let count):
      state = count
      return .run(id: "parse", overlap: .concurrent, name: "parser") { send in send(.parsed) }
    case .wait:
      return .run(id: "fetch", overlap: .restart, input: "slow") { _, send in try await send.sleep(for: .seconds(3600))
      }
    case .later:
      return .run(id: "later", overlap: .enqueue) { send in try await send.sleep(for: .seconds(3600)) }
        .delay(for: .milliseconds(1))
    case .stop: return .merge(.cancel(id: "fetch"), .cancel(id: "later"))
    case .parsed: return .none
    }
  }

  /// A store whose failures are only reported to its listeners.
  static func store() -> Store<Download> {
    Store(initialState: 0, reducer: Download(), onFailure: { _ in })
  }
}

extension Store<Download> {
  /// One run that finishes and starts another, one that fails, and one that is cancelled. Then the store is shut down,
  /// and an action comes too late.
  func session() async {
    trace.listen { [weak self] event in
      if case .shutdown(.draining) = event.kind { self?.send(.stop, fileID: "App/View.swift", line: 3) }
    }
    await send(.fetch("page")).finish()
    await send(.fetch("nowhere")).finish()
    send(.wait)
    await send(.stop).finish()
    await shutdown(.draining)
  }

  /// Two runs that wait for their time. Then the second waits for the first, and is reported again.
  func queue() async {
    trace.listen { [weak self] event in
      if case .run(_, .registered(.queued)) = event.kind { self?.send(.stop) }
    }
    let first = send(.later)
    await send(.later).finish()
    await first.finish()
  }
}

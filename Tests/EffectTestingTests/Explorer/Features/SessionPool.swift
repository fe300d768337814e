// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// Opens sessions to a database, lends them to clients, renews them, and closes those that are not used.
struct SessionPool: Reducer {
  struct Session: Hashable, Sendable {
    var client: String?
    var isIdle: Bool { client == nil }
  }

  struct State: Hashable, Sendable {
    var sessions: [Int: Session] = [:]
    var opening: Set<Int> = []
    var waiting: [String] = []
    var refused: Set<String> = []
    var isShutDown = false

    var size: Int { sessions.count + opening.count }

    func session(of client: String) -> Int? {
      sessions.first { $0.value.client == client }?.key
    }
  }

  enum Action: Hashable, Sendable {
    case requested(client: String)
    case returned(client: String)
    case waitEnded(client: String)
    case opened(Int)
    case openFailed(Int)
    case idleTooLong(Int)
    case renewalDue(Int)
    case renewalFailed(Int)
    case shutdownRequested
  }

  enum Work: Hashable, Sendable {
    case open(Int)
    case close(Int)
    case idle(Int)
    case renewalTimer(Int)
    case renewal(Int)
    case wait(String)
  }

  var open: @Sendable (Int) async throws -> Void
  var renew: @Sendable (Int) async throws -> Void
  var close: @Sendable (Int) async throws -> Void

  var maximum = 2
  var waitLimit = Duration.seconds(20)
  var openTimeout = Duration.seconds(5)
  var openAttempts = 2
  var idleLimit = Duration.seconds(60)
  var renewalInterval = Duration.seconds(45)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .requested(let client):
      guard !state.isShutDown else {
        state.refused.insert(client)
        return .none
      }
      guard state.session(of: client) == nil, !state.waiting.contains(client) else { return .none }
      state.refused.remove(client)
      state.waiting.append(client)
      let wait = Effect.send(Action.waitEnded(client: client))
        .cancellable(id: Work.wait(client), overlap: .restart).delay(for: waitLimit)
      return .merge(wait, lend(&state), openIfNeeded(&state))

    case .returned(let client):
      guard let id = state.session(of: client) else {
        state.waiting.removeAll { $0 == client }
        return .cancel(id: Work.wait(client))
      }
      state.sessions[id]?.client = nil
      return .merge(idle(id), lend(&state))

    case .waitEnded(let client):
      state.waiting.removeAll { $0 == client }
      state.refused.insert(client)
      return .none

    case .opened(let id):
      state.opening.remove(id)
      state.sessions[id] = Session()
      let renewals = Effect.timer(
        id: Work.renewalTimer(id), overlap: .restart, every: renewalInterval, Action.renewalDue(id))
      return .merge(renewals, idle(id), lend(&state))

    case .openFailed(let id):
      state.opening.remove(id)
      guard state.size == 0 else { return .none }  // the waiting clients get a session that is returned
      let clients = state.waiting
      state.waiting = []
      state.refused.formUnion(clients)
      return .cancel(ids: clients.map(Work.wait))

    case .idleTooLong(let id):
      guard state.sessions[id]?.isIdle == true else { return .none }
      return remove(id, &state)

    case .renewalDue(let id):
      return .run(id: Work.renewal(id), overlap: .drop, input: id) { [renew] id, _ in
        try await renew(id)
      } catch: { _, send in
        send(.renewalFailed(id))
      }
      .timeout(after: .seconds(5))

    case .renewalFailed(let id):
      // The server has forgotten this session. Its client waits for another one.
      let client = state.sessions[id]?.client
      let removed = remove(id, &state)
      guard let client else { return removed }
      return .merge(removed, .send(.requested(client: client)))

    case .shutdownRequested:
      state.isShutDown = true
      state.refused.formUnion(state.waiting)
      let ids = Array(state.sessions.keys).sorted()
      state.waiting = []
      state.opening = []
      return .merge(.cancel(.everything), .merge(ids.map { remove($0, &state) }))
    }
  }

  /// Gives idle sessions to the clients that wait, in their order.
  private func lend(_ state: inout State) -> Effect<Action> {
    var effects: [Effect<Action>] = []
    while let client = state.waiting.first,
      let id = state.sessions.keys.sorted().first(where: { state.sessions[$0]?.isIdle == true })
    {
      state.waiting.removeFirst()
      state.sessions[id]?.client = client
      effects.append(.cancel(ids: [Work.idle(id), Work.wait(client)]))
    }
    return .merge(effects)
  }

  private func openIfNeeded(_ state: inout State) -> Effect<Action> {
    guard state.opening.count < state.waiting.count, state.size < maximum else { return .none }
    let id = (1...).first { state.sessions[$0] == nil && !state.opening.contains($0) }!
    state.opening.insert(id)
    return .run(id: Work.open(id), overlap: .restart, input: id) { [open] id, send in
      try await open(id)
      send(.opened(id))
    } catch: { _, send in
      send(.openFailed(id))
    }
    .timeout(after: openTimeout)
    .retry(attempts: openAttempts, backoff: .constant(.seconds(2)))
  }

  private func idle(_ id: Int) -> Effect<Action> {
    .send(.idleTooLong(id)).cancellable(id: Work.idle(id), overlap: .restart).delay(for: idleLimit)
  }

  private func remove(_ id: Int, _ state: inout State) -> Effect<Action> {
    state.sessions[id] = nil
    let closing = Effect<Action>.run(id: Work.close(id), overlap: .enqueue, input: id) { [close] id, _ in
      try await close(id)
    } catch: { _, _ in
      // The server closes it itself after a time.
    }
    .timeout(after: .seconds(5))
    return .merge(.cancel(ids: [Work.renewalTimer(id), Work.renewal(id), Work.idle(id)]), closing)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// Features with three deadlines or more, likewise.
struct ServerFeatureTests {
  @Test func `A dispatcher with a limit for each tenant and a breaker`() async {
    let result = await explore(
      initialState: .init(),
      reducer: Dispatcher(
        perform: Mock(answering: { (job: Dispatcher.Job) in
          if job.id == 1 { throw Unavailable() }
        }).callAsFunction),
      options: .init(upTo: .timers)
    ) { script in
      script.send(.submitted(.init(id: 1, tenant: "ann")))
      script.send(.submitted(.init(id: 2, tenant: "ann")))
      script.send(.submitted(.init(id: 3, tenant: "bob")))
      script.send(.shutdownRequested)
    } always: { state in
      state.running(of: "ann") <= 1 && state.running(of: "bob") <= 1
    } finally: { state in
      state.running.isEmpty && state.waiting.isEmpty && state.outcomes.count == 3
    }
    expectLevel(.timers, result)
  }

  @Test func `A pool of sessions that are renewed`() async {
    let result = await explore(
      initialState: .init(),
      reducer: SessionPool(
        open: Mock(answering: { (_: Int) in }).callAsFunction,
        renew: Mock(answering: { (_: Int) in }).callAsFunction,
        close: Mock(answering: { (_: Int) in }).callAsFunction, maximum: 1),
      options: .init(upTo: .deliveries)
    ) { script in
      script.send(.requested(client: "ann"))
      script.send(.requested(client: "bob"))
      script.send(.returned(client: "ann"))
      script.send(.shutdownRequested)
    } always: { state in
      let clients = state.sessions.values.compactMap(\.client)
      return state.size <= 1 && Set(clients).count == clients.count && Set(clients).isDisjoint(with: state.waiting)
    } finally: { state in
      state.size == 0 && state.waiting.isEmpty
    }
    expectLevel(.deliveries, result)
  }

  @Test func `A queue of uploads in parts`() async {
    let result = await explore(
      initialState: .init(),
      reducer: UploadQueue(
        upload: Mock(answering: { (_: UploadQueue.Part) in }).callAsFunction,
        finish: Mock(answering: { (_: String) in }).callAsFunction),
      options: .init(upTo: .timers)
    ) { script in
      script.send(.added("a", parts: 3))
      script.send(.paused)
      script.send(.resumed)
      script.send(.cancelled("a"))
      script.send(.shutdownRequested)
    } always: { state in
      state.files.values.allSatisfy { $0.status != .done || $0.missing.isEmpty }
    } finally: { state in
      state.files.values.allSatisfy { !$0.isActive }
    }
    expectLevel(.timers, result)
  }

  @Test func `A checkout`() async {
    let result = await explore(
      initialState: .init(),
      reducer: Checkout(
        reserve: Mock(answering: { (_: [String]) in 7 }).callAsFunction,
        pay: Mock(answering: { (reservation: Int) in "receipt \(reservation)" }).callAsFunction,
        release: Mock(answering: { (_: Int) in }).callAsFunction),
      options: .init(upTo: .deliveries)
    ) { script in
      script.send(.reserveTapped)
      script.send(.payTapped)
      script.send(.cancelTapped)
      script.send(.backTapped)
      script.send(.loggedOut)
    } always: { state in
      switch state.phase {
      case .paid, .loggedOut: state.items.isEmpty
      default: !state.items.isEmpty
      }
    } finally: { state in
      state.phase == .loggedOut && state.message == nil
    }
    expectLevel(.deliveries, result)
  }

  @Test func `A trading screen`() async {
    let place = Mock(answering: { (_: (Int, Trading.Order)) in })
    let result = await explore(
      initialState: .init(),
      reducer: Trading(
        quotes: { AsyncThrowingStream { $0.yield(100) } },  // stays open until the log-out
        place: { id, order in try await place((id, order)) },
        awaitFill: Mock(answering: { (_: Int) in }).callAsFunction,
        cancelOrder: Mock(answering: { (_: Int) in }).callAsFunction),
      options: .init(upTo: .deliveries)
    ) { script in
      script.send(.appeared)
      script.send(.orderTapped(amount: 5))
      script.send(.cancelAllTapped)
      script.send(.loggedOut)
    } always: { state in
      state.isLoggedIn || state.orders.isEmpty && state.price == nil
    } finally: { state in
      state.activeOrders.isEmpty && !state.isLoggedIn
    }
    expectLevel(.deliveries, result)
  }

  @Test func `An editor with a lock that is renewed`() async {
    let result = await explore(
      initialState: .init(),
      reducer: Editor(
        acquire: Mock(answering: { () in }).callAsFunction,
        renew: Mock(answering: { () in }).callAsFunction,
        release: Mock(answering: { () in }).callAsFunction,
        save: Mock(answering: { (_: String) in }).callAsFunction),
      options: .init(upTo: .timers)
    ) { script in
      script.send(.opened)
      script.send(.edited("a"))
      script.send(.edited("ab"))
      script.send(.closeTapped)
    } always: { state in
      !state.isClosed || state.failure == nil
    } finally: { state in
      state.isClosed && state.lock == .none
    }
    expectLevel(.timers, result)
  }
}

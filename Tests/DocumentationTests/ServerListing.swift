// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code of Docs/Server.md. What is between `listing` and `end` is compared with the page; `ServerTests.swift` tests it.

import EffectTesting
import Foundation
import Synchronization
import Testing

// listing: call
struct Orders: Reducer {
  struct State: Equatable, Sendable {
    var last = 0
    var answers: [String: Int] = [:]                              // by call, until it has left
  }
  enum Action: Equatable, Sendable { case ordered(String, call: String), confirmed(Int, call: String), left(call: String) }

  var overlap = Overlap.enqueue(limit: 4, exclusive: true)
  let confirm: @Sendable (String, Int) async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .ordered(let item, let call):
      state.last += 1                                             // reductions never overlap: no number comes twice
      return .run(id: "confirm", overlap: overlap, input: state.last) { [confirm] number, send in
        try await confirm(item, number)
        send(.confirmed(number, call: call))
      }
    case .confirmed(let number, let call): state.answers[call] = number
    case .left(let call): state.answers[call] = nil
    }
    return .none
  }
}

struct OrderService: Sendable {
  let store: Store<Orders>                                        // one for all requests

  func order(_ item: String) async throws -> Int {
    let call = UUID().uuidString
    defer { store.send(.left(call: call)) }                       // also if the client has left
    return try await store.request(.ordered(item, call: call)) { state in
      guard let number = state.answers[call] else { throw NotConfirmed() }
      return number
    }
  }
}
// end

struct NotConfirmed: Error {}

// listing: carrying
enum RequestContext {
  @TaskLocal static var id = "none"
}

func makeOrders(confirm: @escaping @Sendable (String, Int) async throws -> Void) -> Store<Orders> {
  Store(initialState: .init(), reducer: Orders(confirm: confirm), carrying: [CarriedValue(RequestContext.$id)])
}
// end

// listing: breaker
struct Items: Reducer {
  enum Circuit: Equatable, Sendable { case closed(failures: Int), open, halfOpen }
  enum Answer: Equatable, Sendable { case item(String), failed }
  struct State: Equatable, Sendable {
    var circuit = Circuit.closed(failures: 0)
    var answers: [String: Answer] = [:]
  }
  enum Action: Equatable, Sendable { case asked(String, call: String), answered(Answer, call: String), left(call: String), rested }

  let get: @Sendable (String) async throws -> String

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .asked(let name, let call):
      switch state.circuit {
      case .closed: return fetch(name, call).retry(attempts: 3, backoff: .exponential(from: .milliseconds(200)))
      case .halfOpen: return fetch(name, call).cancellable(id: "probe", overlap: .drop)  // one call tries
      case .open: return .none                                    // no answer: refuse it with 503
      }
    case .answered(let answer, let call):
      state.answers[call] = answer
    case .left(let call):
      switch (state.circuit, state.answers.removeValue(forKey: call)) {
      case (.open, _), (_, nil): break                            // it began before, was refused, or its client has left
      case (_, .item): state.circuit = .closed(failures: 0)
      case (.closed(let failures), .failed) where failures < 4: state.circuit = .closed(failures: failures + 1)
      case (_, .failed):
        state.circuit = .open
        return .send(.rested).cancellable(id: "rest", overlap: .restart).delay(for: .seconds(30))
      }
    case .rested:
      state.circuit = .halfOpen
    }
    return .none
  }

  private func fetch(_ name: String, _ call: String) -> Effect<Action> {
    .run(input: name) { [get] name, send in
      send(.answered(.item(try await get(name)), call: call))
    } catch: { _, send in
      send(.answered(.failed, call: call))
    }
    .timeout(after: .seconds(5))                                  // each attempt
  }
}
// end

struct Renderings: Reducer {
  struct Key: Hashable, Sendable { var tenant: String; var page: String }
  struct Job: Hashable, Sendable { var key: Key; var text: String }
  enum Action: Equatable, Sendable { case submitted(Job), began(Job), ended(Job) }

  let render: @Sendable (Job) async throws -> Void

  // listing: queue
  func reduce(into active: inout Set<Key>, action: Action) -> Effect<Action> {
    switch action {
    case .submitted(let job):
      let work = Effect.run(id: job.key.tenant, overlap: .enqueue(limit: 2, exclusive: true), input: job) { [render] job, send in
        guard await send.delivered(Action.began(job)) else { return }  // a newer one came first
        defer { send(.ended(job)) }
        try await render(job)
      }
      .cancellable(id: job.key, overlap: .keepLatest)
      return active.contains(job.key) ? work : .merge(.cancel(id: job.key), work)
    case .began(let job): active.insert(job.key)
    case .ended(let job): active.remove(job.key)
    }
    return .none
  }
  // end
}

/// A service that goes on with a call that was cancelled, and counts its calls.
final class CountingService: Sendable {
  private let calls = Mutex((active: 0, most: 0))

  var most: Int { calls.withLock { $0.most } }

  @Sendable func confirm(_ item: String, _ number: Int) async {
    calls.withLock { $0 = ($0.active + 1, max($0.most, $0.active + 1)) }
    await Task.yield()
    calls.withLock { $0.active -= 1 }
  }
}

enum ServerListing {
  static func twoPlaces(_ overlap: Overlap) async -> Exploration {
    // listing: exclusive
    let result = await explore { schedule in
      let service = CountingService()                               // a new one for each schedule
      let script = schedule.store(
        initialState: Orders.State(), reducer: Orders(overlap: overlap, confirm: service.confirm),
        finally: { _ in service.most == 1 })
      let first = script.send(.ordered("tea", call: "a"))
      script.send(.ordered("tea", call: "b"))
      script.cancel(first)
    }
    result.expectComplete()
    // end
    return result
  }
}

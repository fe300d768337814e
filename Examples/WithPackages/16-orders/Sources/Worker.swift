// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A process that takes orders. Start reading here: this is all the logic there is.
struct Worker: Reducer {
  struct State: Equatable, Sendable {
    /// Taken, and neither finished nor parked.
    var held: [Int: Held] = [:]
    /// The last attempt to take orders has found some, or there is news since.
    var mayHaveMore = false
    var isLeaving = false
    var finished = 0
    /// Why this process cannot go on.
    var gaveUp: String?
  }

  /// An order that this process has, and what comes next.
  struct Held: Hashable, Sendable {
    let order: Order
    var step = Step.call
  }

  enum Step: Hashable, Sendable {
    /// And the commit, if nothing fails.
    case call
    /// The result of the call is known, so it is not called again.
    case commit
    case park(problem: String)
  }

  enum Action: Equatable, Sendable {
    case started, news, leaseTick, leave
    /// The connection with the news is lost.
    case cut
    case took([Order])
    case kept([Order], of: [Order])
    case next(Int, Step)
    case finished(Int)
    /// Another process has it, or it is parked.
    case dropped(Int)
    case gaveUp(String)
  }

  enum Work: Hashable, Sendable {
    case news, poll, leases
    case take, renew
    case order(Int)

    /// Ends with the process, and not by itself.
    static let endless = [news, poll, leases]
  }

  var services: Services
  /// How many orders are held at most, and how many are taken at once.
  var limit = 64
  var batch = 32
  var lease = Duration.seconds(3)
  /// How often a step is tried while the server is away, and how often if it is refused.
  var attempts = 60
  var refusals = 5
  /// Of the waits between attempts: so that processes do not come back at the same moments.
  var seed: UInt64 = 0

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started:
      return .merge(
        listen,
        // No news comes when a lease expires.
        .timer(id: Work.poll, overlap: .drop, every: lease / 3, .news),
        .timer(id: Work.leases, overlap: .drop, every: lease / 3, .leaseTick))
    case .cut:
      // Processes that were cut together do not come back together.
      return listen.delay(for: backoff().wait(after: Outage(description: "cut"), attempt: 1) ?? .zero)
    case .news:
      state.mayHaveMore = true
      return take(&state)
    case .took(let orders):
      state.mayHaveMore = !orders.isEmpty
      for order in orders { state.held[order.id] = Held(order: order) }
      return .merge(orders.map { work(on: Held(order: $0)) } + [take(&state)])
    case .next(let id, let step):
      guard let order = state.held[id]?.order else { break }
      let held = Held(order: order, step: step)
      state.held[id] = held
      return work(on: held)
    case .finished(let id):
      state.held[id] = nil
      state.finished += 1
      return take(&state)
    case .dropped(let id):
      state.held[id] = nil
      return take(&state)

    case .leaseTick:
      guard !state.held.isEmpty else { break }
      return .run(id: Work.renew, overlap: .drop, input: state.held.values.map(\.order)) { [services] orders, send in
        send(.kept(try await services.renew(orders), of: orders))
      } catch: { error, send in
        send(.gaveUp("\(error)"))
      }
      .retry(attempts: attempts, backoff: backoff())
    case .kept(let kept, let orders):
      let lost = Set(orders).subtracting(kept).filter { state.held[$0.id]?.order == $0 }
      for order in lost { state.held[order.id] = nil }
      return .merge(lost.map { .cancel(id: Work.order($0.id)) })
    case .leave:
      state.isLeaving = true
    case .gaveUp(let problem):
      state.isLeaving = true
      state.gaveUp = state.gaveUp ?? problem
    }
    return .none
  }

  private var listen: Effect<Action> {
    .run(id: Work.news, overlap: .restart) { [services] send in
      let news = try await services.news()
      // Of orders that came before there was no news.
      send(.news)
      for await _ in news { guard await send.delivered(.news) else { return } }
      send(.cut)
    } catch: { error, send in
      send(.gaveUp("\(error)"))
    }
    .retry(attempts: attempts, backoff: backoff())
  }

  /// One attempt at a time. News that come meanwhile are answered by another attempt, which waits.
  private func take(_ state: inout State) -> Effect<Action> {
    guard state.mayHaveMore, !state.isLeaving, state.held.count + batch <= limit else { return .none }
    state.mayHaveMore = false
    return .run(id: Work.take, overlap: .keepLatest, input: batch) { [services] batch, send in
      send(.took(try await services.take(batch)))
    } catch: { error, send in
      send(.gaveUp("\(error)"))
    }
    .retry(attempts: attempts, backoff: backoff())
  }

  /// One step. Only this step is tried again if it fails.
  private func work(on held: Held) -> Effect<Action> {
    .run(id: Work.order(held.order.id), overlap: .restart, input: held) { [services] held, send in
      let order = held.order
      switch held.step {
      case .call:
        try await services.call(order.id)
        do {
          send(try await services.finish(order) ? .finished(order.id) : .dropped(order.id))
        } catch {
          send(.next(order.id, .commit))
        }
      case .commit:
        send(try await services.finish(order) ? .finished(order.id) : .dropped(order.id))
      case .park(let problem):
        try await services.park(order, problem)
        send(.dropped(order.id))
      }
    } catch: { error, send in
      if case .park = held.step {
        send(.gaveUp("\(error)"))
      } else {
        send(error is Outage ? .gaveUp("\(error)") : .next(held.order.id, .park(problem: "\(error)")))
      }
    }
    .retry(attempts: attempts, backoff: backoff(of: held.order.id))
  }

  private func backoff(of id: Int = 0) -> Backoff {
    let waits = Backoff.exponential(from: .milliseconds(50), upTo: .seconds(1))
      .jittered(by: 0.5, seed: seed &+ UInt64(id))
    return Backoff { [refusals] error, attempt in
      error is Outage || attempt < refusals ? waits.wait(after: error, attempt: attempt) : nil
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A process that takes orders. Start reading here: this is all the logic there is.
struct Worker: Reducer {
  struct State: Equatable, Sendable {
    /// Taken, and not finished.
    var held: [Int: Order] = [:]
    /// The last attempt to take orders has found some, or there is news since.
    var mayHaveMore = false
    var isLeaving = false
    var finished = 0
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case started, news, leaseTick, leave
    case took([Order])
    case kept([Order], of: [Order])
    case finished(Int)
    /// Another process has it, or something has failed. Its lease expires, and a process takes it again.
    case dropped(Int, problem: String?)
    case failed(String)
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

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started:
      return .merge(
        listen,
        // No news comes when a lease expires.
        .timer(id: Work.poll, overlap: .drop, every: lease / 3, .news),
        .timer(id: Work.leases, overlap: .drop, every: lease / 3, .leaseTick))
    case .news:
      state.mayHaveMore = true
      return take(&state)
    case .took(let orders):
      state.mayHaveMore = !orders.isEmpty
      for order in orders { state.held[order.id] = order }
      return .merge(orders.map(work) + [take(&state)])
    case .finished(let id):
      state.held[id] = nil
      state.finished += 1
      return take(&state)
    case .dropped(let id, let problem):
      state.held[id] = nil
      state.problem = problem ?? state.problem
      return take(&state)
    case .failed(let problem):
      state.problem = problem

    case .leaseTick:
      guard !state.held.isEmpty else { break }
      return .run(id: Work.renew, overlap: .drop, input: Array(state.held.values)) { [services] orders, send in
        send(.kept(try await services.renew(orders), of: orders))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .kept(let kept, let orders):
      let lost = Set(orders).subtracting(kept).filter { state.held[$0.id] == $0 }
      for order in lost { state.held[order.id] = nil }
      return .merge(lost.map { .cancel(id: Work.order($0.id)) })
    case .leave:
      state.isLeaving = true
    }
    return .none
  }

  private var listen: Effect<Action> {
    .run(id: Work.news, overlap: .drop) { [services] send in
      let news = try await services.news()
      // Of orders that came before there was no news.
      send(.news)
      for await _ in news { guard await send.delivered(.news) else { return } }
    } catch: { error, send in
      send(.failed("\(error)"))
    }
  }

  /// One attempt at a time. News that come meanwhile are answered by another attempt, which waits.
  private func take(_ state: inout State) -> Effect<Action> {
    guard state.mayHaveMore, !state.isLeaving, state.held.count + batch <= limit else { return .none }
    state.mayHaveMore = false
    return .run(id: Work.take, overlap: .keepLatest, input: batch) { [services] batch, send in
      send(.took(try await services.take(batch)))
    } catch: { error, send in
      send(.failed("\(error)"))
    }
  }

  private func work(on order: Order) -> Effect<Action> {
    .run(id: Work.order(order.id), overlap: .restart, input: order) { [services] order, send in
      try await services.call(order.id)
      send(try await services.finish(order) ? .finished(order.id) : .dropped(order.id, problem: nil))
    } catch: { error, send in
      send(.dropped(order.id, problem: "\(error)"))
    }
  }
}

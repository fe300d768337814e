// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// Shows quotes, and places orders that expire.
struct Trading: Reducer {
  struct Order: Hashable, Sendable {
    var symbol: String
    var amount: Int
    var status = Status.placing

    enum Status: Hashable, Sendable { case placing, open, filled, rejected, cancelling, cancelled, expired }

    var isActive: Bool {
      switch status {
      case .placing, .open, .cancelling: true
      case .filled, .rejected, .cancelled, .expired: false
      }
    }
  }

  enum Connection: Hashable, Sendable { case offline, live, stale }

  struct State: Hashable, Sendable {
    var isLoggedIn = true
    var connection = Connection.offline
    var price: Int?
    var orders: [Int: Order] = [:]
    var lastOrder = 0

    var activeOrders: [Int] { orders.filter(\.value.isActive).keys.sorted() }
  }

  enum Action: Hashable, Sendable {
    case appeared
    case quoted(Int)
    case quotesStale
    case orderTapped(amount: Int)
    case accepted(Int)
    case rejected(Int)
    case filled(Int)
    case orderExpired(Int)
    case cancelAllTapped
    case orderCancelled(Int)
    case loggedOut
  }

  enum Work: Hashable, Sendable {
    case quotes
    case stale
    case place(Int)
    case fill(Int)
    case expiry(Int)
    case cancelling(Int)
  }

  var quotes: @Sendable () -> AsyncThrowingStream<Int, any Error>
  var place: @Sendable (Int, Order) async throws -> Void
  var awaitFill: @Sendable (Int) async throws -> Void
  var cancelOrder: @Sendable (Int) async throws -> Void

  var quoteLimit = Duration.seconds(10)
  var placeTimeout = Duration.seconds(5)
  var orderLifetime = Duration.seconds(60)
  var cancelTimeout = Duration.seconds(5)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      guard state.isLoggedIn else { return .none }
      return .stream(id: Work.quotes, overlap: .drop, sequence: quotes, transform: { .quoted($0) })
        .retry(attempts: 5, backoff: .exponential(from: .seconds(1), upTo: .seconds(30)))

    case .quoted(let price):
      state.price = price
      state.connection = .live
      return .send(.quotesStale).cancellable(id: Work.stale, overlap: .restart).delay(for: quoteLimit)

    case .quotesStale:
      state.connection = .stale
      return .none

    case .orderTapped(let amount):
      guard state.isLoggedIn, state.connection == .live else { return .none }
      state.lastOrder += 1
      let order = Order(symbol: "AAPL", amount: amount)
      state.orders[state.lastOrder] = order
      return placing(state.lastOrder, order)

    case .accepted(let id):
      guard state.orders[id]?.status == .placing else { return .none }
      state.orders[id]?.status = .open
      return .merge(filling(id), expiry(of: id))

    case .rejected(let id):
      // Without an answer it may have been placed, so it is cancelled as well.
      guard state.orders[id]?.status == .placing else { return .none }
      state.orders[id]?.status = .rejected
      return cancelling(id)

    case .filled(let id):
      state.orders[id]?.status = .filled
      return .cancel(ids: [Work.expiry(id), .cancelling(id)])

    case .orderExpired(let id):
      guard state.orders[id]?.status == .open else { return .none }
      state.orders[id]?.status = .expired
      return .cancel(id: Work.fill(id))

    case .cancelAllTapped:
      return .merge(
        state.activeOrders.map { id in
          state.orders[id]?.status = .cancelling
          return .merge(.cancel(ids: [Work.place(id), .expiry(id)]), cancelling(id))
        })

    case .orderCancelled(let id):
      guard state.orders[id]?.status == .cancelling else { return .none }
      state.orders[id]?.status = .cancelled
      return .cancel(id: Work.fill(id))

    case .loggedOut:
      // Open orders stay in the market until they expire there.
      state = State(isLoggedIn: false)
      return .cancel(.everything)
    }
  }

  private func placing(_ id: Int, _ order: Order) -> Effect<Action> {
    .run(id: Work.place(id), overlap: .drop, input: order) { [place] order, send in
      try await place(id, order)
      send(.accepted(id))
    } catch: { _, send in
      send(.rejected(id))
    }
    .timeout(after: placeTimeout)  // no retry: it could be placed twice
  }

  private func filling(_ id: Int) -> Effect<Action> {
    .run(id: Work.fill(id), overlap: .drop, input: id) { [awaitFill] id, send in
      try await awaitFill(id)
      send(.filled(id))
    } catch: { _, _ in
      // It expires.
    }
  }

  private func expiry(of id: Int) -> Effect<Action> {
    .send(.orderExpired(id)).cancellable(id: Work.expiry(id), overlap: .restart).delay(for: orderLifetime)
  }

  private func cancelling(_ id: Int) -> Effect<Action> {
    .run(id: Work.cancelling(id), overlap: .drop, input: id) { [cancelOrder] id, send in
      try await cancelOrder(id)
      send(.orderCancelled(id))
    } catch: { _, send in
      send(.orderCancelled(id))
    }
    .timeout(after: cancelTimeout)
    .retry(attempts: 2, backoff: .constant(.seconds(1)))
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// From the cart to a paid order. Stock is reserved for a time, and paid while it is reserved.
struct Checkout: Reducer {
  enum Phase: Hashable, Sendable {
    case cart
    case reserving
    case reserved(Int)
    case paying(Int)
    case paid(receipt: String)
    case loggedOut
  }

  struct State: Hashable, Sendable {
    var items = ["tea"]
    var phase = Phase.cart
    var message: String?
  }

  enum Action: Hashable, Sendable {
    case reserveTapped
    case reserved(Int)
    case reserveFailed
    case reservationExpired
    case payTapped
    case paid(String)
    case payFailed
    case cancelTapped
    case backTapped
    case messageEnded
    case loggedOut
  }

  enum Work: Hashable, Sendable {
    case reserve
    case expiry
    case pay
    case release
    case message
    case idle
  }

  var reserve: @Sendable ([String]) async throws -> Int
  var pay: @Sendable (Int) async throws -> String
  var release: @Sendable (Int) async throws -> Void

  var reserveTimeout = Duration.seconds(5)
  var reservationTime = Duration.seconds(120)
  var payTimeout = Duration.seconds(30)
  var payAttempts = 2
  var messageTime = Duration.seconds(4)
  var idleTime = Duration.seconds(900)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .reserveTapped:
      guard state.phase == .cart, !state.items.isEmpty else { return .none }
      state.phase = .reserving
      state.message = nil
      return .merge(.cancel(id: Work.message), reserving(state.items), idle)

    case .reserved(let reservation):
      guard state.phase == .reserving else { return releasing(reservation) }
      state.phase = .reserved(reservation)
      return expiry

    case .reserveFailed:
      guard state.phase == .reserving else { return .none }
      state.phase = .cart
      return show("Nothing could be reserved.", &state)

    case .reservationExpired:
      switch state.phase {
      case .reserved:
        state.phase = .cart
        return show("The reservation has expired.", &state)
      default:
        return .none  // a payment that has begun decides; the server keeps the stock for it
      }

    case .payTapped:
      guard case .reserved(let reservation) = state.phase else { return .none }
      state.phase = .paying(reservation)
      return .merge(paying(reservation), idle)

    case .paid(let receipt):
      guard case .paying = state.phase else { return .none }
      state.phase = .paid(receipt: receipt)
      state.items = []
      return .cancel(id: Work.expiry)

    case .payFailed:
      guard case .paying(let reservation) = state.phase else { return .none }
      state.phase = .cart
      return .merge(.cancel(id: Work.expiry), releasing(reservation), show("The payment has failed.", &state))

    case .cancelTapped:
      guard case .paying(let reservation) = state.phase else { return .none }
      state.phase = .reserved(reservation)
      return .merge(.cancel(id: Work.pay), expiry)  // the server extends a reservation with each payment

    case .backTapped:
      switch state.phase {
      case .reserving:
        state.phase = .cart
        return .merge(.cancel(id: Work.reserve), idle)
      case .reserved(let reservation):
        state.phase = .cart
        return .merge(.cancel(id: Work.expiry), releasing(reservation), idle)
      case .cart, .paying, .paid, .loggedOut:
        return .none
      }

    case .messageEnded:
      state.message = nil
      return .none

    case .loggedOut:
      let phase = state.phase
      state = State(items: [], phase: .loggedOut)
      switch phase {
      case .reserved(let reservation), .paying(let reservation):
        return .merge(.cancel(.everything), releasing(reservation))
      case .cart, .reserving, .paid, .loggedOut:
        return .cancel(.everything)
      }
    }
  }

  private func reserving(_ items: [String]) -> Effect<Action> {
    .run(id: Work.reserve, overlap: .restart, input: items) { [reserve] items, send in
      send(.reserved(try await reserve(items)))
    } catch: { _, send in
      send(.reserveFailed)
    }
    .timeout(after: reserveTimeout)
    .retry(attempts: 2, backoff: .constant(.seconds(1)))
  }

  private func paying(_ reservation: Int) -> Effect<Action> {
    .run(id: Work.pay, overlap: .drop, input: reservation) { [pay] reservation, send in
      send(.paid(try await pay(reservation)))
    } catch: { _, send in
      send(.payFailed)
    }
    .timeout(after: payTimeout)
    .retry(attempts: payAttempts, backoff: .exponential(from: .seconds(2), upTo: .seconds(10)))
  }

  private func releasing(_ reservation: Int) -> Effect<Action> {
    .run(id: Work.release, overlap: .enqueue, input: reservation) { [release] reservation, _ in
      try await release(reservation)
    } catch: { _, _ in
      // It expires on the server.
    }
    .timeout(after: .seconds(5))
  }

  /// Logs out a user who does nothing for a quarter of an hour.
  private var idle: Effect<Action> {
    .send(.loggedOut).cancellable(id: Work.idle, overlap: .restart).delay(for: idleTime)
  }

  private var expiry: Effect<Action> {
    .send(.reservationExpired).cancellable(id: Work.expiry, overlap: .restart).delay(for: reservationTime)
  }

  private func show(_ message: String, _ state: inout State) -> Effect<Action> {
    state.message = message
    return .send(.messageEnded).cancellable(id: Work.message, overlap: .restart).delay(for: messageTime)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// An order of a meal, from the kitchen to the rating.
struct Delivery: Reducer {
  enum Step: Int, Hashable, Sendable { case preparing, onTheWay, delivered }

  enum Order: Equatable, Sendable {
    case none
    case placing(String)
    case tracking(id: Int, Step)
    case cancelling(id: Int, Step)
    case cancelled(id: Int)
    case failed(String)
  }

  struct State: Equatable, Sendable {
    var isLoggedIn = true
    var order = Order.none
    var isStale = false
    var isDisconnected = false
    var asksForRating = false
    var cancelFailed = false

    init() {}
  }

  enum Action: Equatable, Sendable {
    case orderTapped(String)
    case placed(id: Int)
    case placeFailed(String)
    case stepped(Step)
    case trackingFailed
    case reconnectTapped
    case statusExpired
    case cancelTapped
    case cancelled
    case cancelRefused
    case ratingExpired
    case rated(Int)
    case loggedOut
  }

  enum Work: Hashable, Sendable {
    case place, tracking, status, cancel, ratingPrompt, rating
  }

  struct Client: Sendable {
    var place: @Sendable (_ meal: String) async throws -> Int
    var track: @Sendable (_ order: Int) async throws -> AsyncThrowingStream<Step, any Error>
    var cancel: @Sendable (_ order: Int) async throws -> Void
    var rate: @Sendable (_ order: Int, _ stars: Int) async throws -> Void

    init(
      place: @escaping @Sendable (_ meal: String) async throws -> Int,
      track: @escaping @Sendable (_ order: Int) async throws -> AsyncThrowingStream<Step, any Error>,
      cancel: @escaping @Sendable (_ order: Int) async throws -> Void,
      rate: @escaping @Sendable (_ order: Int, _ stars: Int) async throws -> Void
    ) {
      self.place = place
      self.track = track
      self.cancel = cancel
      self.rate = rate
    }
  }

  var client: Client
  var attempts: Int

  init(client: Client, attempts: Int = 4) {
    self.client = client
    self.attempts = attempts
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .orderTapped(let meal):
      guard state.isLoggedIn else { return .none }
      switch state.order {
      case .none, .cancelled, .failed, .tracking(_, .delivered): break
      case .placing, .tracking, .cancelling: return .none
      }
      state = State()
      state.order = .placing(meal)
      return place(meal)

    case .placed(let id):
      state.order = .tracking(id: id, .preparing)
      return .merge(track(id), expectStatus())

    case .placeFailed(let meal):
      state.order = .failed(meal)
      return .none

    case .stepped(let step):
      (state.isStale, state.isDisconnected) = (false, false)
      switch state.order {
      case .tracking(let id, _): state.order = .tracking(id: id, step)
      case .cancelling(let id, _):
        state.order = step == .delivered ? .tracking(id: id, step) : .cancelling(id: id, step)
      case .none, .placing, .cancelled, .failed: return .none
      }
      return step == .delivered ? delivered(&state) : expectStatus()

    case .trackingFailed:
      state.isDisconnected = true
      return .none

    case .reconnectTapped:
      guard state.isDisconnected, case .tracking(let id, let step) = state.order, step != .delivered else {
        return .none
      }
      state.isDisconnected = false
      return .merge(track(id), expectStatus())

    case .statusExpired:
      state.isStale = true
      return .none

    case .cancelTapped:
      guard case .tracking(let id, let step) = state.order, step == .preparing else { return .none }
      state.order = .cancelling(id: id, step)
      state.cancelFailed = false
      return cancel(id)

    case .cancelled:
      guard case .cancelling(let id, _) = state.order else { return .none }
      state.order = .cancelled(id: id)
      (state.isStale, state.isDisconnected) = (false, false)
      return .cancel(ids: [Work.tracking, .status])

    case .cancelRefused:
      guard case .cancelling(let id, let step) = state.order else { return .none }
      state.order = .tracking(id: id, step)
      state.cancelFailed = true
      return .none

    case .ratingExpired:
      state.asksForRating = false
      return .none

    case .rated(let stars):
      guard state.asksForRating, case .tracking(let id, .delivered) = state.order else { return .none }
      state.asksForRating = false
      return .merge(.cancel(id: Work.ratingPrompt), rate(id, stars))

    case .loggedOut:
      state = State()
      state.isLoggedIn = false
      return .cancel(.everything)
    }
  }

  private func delivered(_ state: inout State) -> Effect<Action> {
    state.asksForRating = true
    return .merge(
      .cancel(ids: [Work.tracking, .status, .cancel]),  // it is too late to cancel the order
      .send(.ratingExpired).cancellable(id: Work.ratingPrompt, overlap: .restart).delay(for: .seconds(60)))
  }

  /// The order is shown as stale if nothing is heard of it for two minutes.
  private func expectStatus() -> Effect<Action> {
    .send(.statusExpired).cancellable(id: Work.status, overlap: .restart).delay(for: .seconds(120))
  }

  private func place(_ meal: String) -> Effect<Action> {
    .run(id: Work.place, overlap: .drop, input: meal) { [client] meal, send in
      send(.placed(id: try await client.place(meal)))
    } catch: { _, send in
      send(.placeFailed(meal))
    }
    .timeout(after: .seconds(20))  // no retry: it might be ordered twice
  }

  private func track(_ id: Int) -> Effect<Action> {
    .stream(id: Work.tracking, overlap: .restart, input: id, sequence: client.track, transform: { .stepped($0) }) {
      _, send in send(.trackingFailed)
    }
    .retry(attempts: attempts, backoff: .exponential(from: .seconds(1), upTo: .seconds(30)))
  }

  private func cancel(_ id: Int) -> Effect<Action> {
    .run(id: Work.cancel, overlap: .drop, input: id) { [client] id, send in
      try await client.cancel(id)
      send(.cancelled)
    } catch: { _, send in
      send(.cancelRefused)
    }
    .timeout(after: .seconds(10))
  }

  private func rate(_ id: Int, _ stars: Int) -> Effect<Action> {
    .run(id: Work.rating, overlap: .drop, input: stars) { [client] stars, _ in
      try await client.rate(id, stars)
    } catch: { _, _ in
      // A rating that is lost is no problem for anybody.
    }
    .timeout(after: .seconds(10))
    .retry(attempts: 2, backoff: .constant(.seconds(2)))
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// Edits a document that one person at a time may edit. The lock must be renewed, or it is lost.
struct Editor: Reducer {
  enum Lock: Hashable, Sendable { case none, acquiring, held, lost }

  struct State: Hashable, Sendable {
    var text = ""
    var savedText = ""
    var lock = Lock.none
    var failure: String?
    var isClosing = false
    var isClosed = false

    var isDirty: Bool { text != savedText }
    var canEdit: Bool { lock == .held && !isClosing && !isClosed }
  }

  enum Action: Hashable, Sendable {
    case opened
    case lockAcquired
    case lockRefused
    case renewalDue
    case lockRenewed
    case lockExpired
    case edited(String)
    case saved(String)
    case saveFailed
    case failureHidden
    case closeTapped
    case closeLimitReached
    case lockReleased
  }

  enum Work: Hashable, Sendable {
    case acquire
    case renewal
    case renewalTimer
    case lockExpiry
    case save
    case failure
    case closeLimit
    case release
  }

  var acquire: @Sendable () async throws -> Void
  var renew: @Sendable () async throws -> Void
  var release: @Sendable () async throws -> Void
  var save: @Sendable (String) async throws -> Void

  var pause = Duration.seconds(1)
  var saveTimeout = Duration.seconds(5)
  var saveAttempts = 2
  var renewalInterval = Duration.seconds(20)
  var lockLifetime = Duration.seconds(60)
  var closeLimit = Duration.seconds(15)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      guard state.lock == .none || state.lock == .lost, !state.isClosing, !state.isClosed else { return .none }
      state.lock = .acquiring
      return .run(id: Work.acquire, overlap: .drop) { [acquire] send in
        try await acquire()
        send(.lockAcquired)
      } catch: { _, send in
        send(.lockRefused)
      }
      .timeout(after: .seconds(5))

    case .lockAcquired:
      state.lock = .held
      return .merge(renewing, lockExpiry)

    case .lockRefused:
      state.lock = .none
      return show("The document is locked by someone else.", &state)

    case .renewalDue:
      return .run(id: Work.renewal, overlap: .drop) { [renew] send in
        try await renew()
        send(.lockRenewed)
      } catch: { _, send in
        send(.lockExpired)
      }
      .timeout(after: .seconds(5))

    case .lockRenewed:
      return lockExpiry

    case .lockExpired:
      state.lock = .lost
      let stop = Effect<Action>.cancel(ids: [Work.lockExpiry, .renewal, .renewalTimer, .save])
      if state.isClosing { return .merge(stop, close(&state)) }
      return .merge(stop, show("The lock is lost. Changes are not saved.", &state))

    case .edited(let text):
      guard state.canEdit else { return .none }
      state.text = text
      return saving(text).debounce(for: pause, maxWait: .seconds(10))

    case .saved(let text):
      state.savedText = text
      guard state.isClosing, !state.isDirty else { return .none }
      return close(&state)

    case .saveFailed:
      if state.isClosing { return close(&state) }
      return show("Could not save.", &state)

    case .failureHidden:
      state.failure = nil
      return .none

    case .closeTapped:
      guard !state.isClosing, !state.isClosed else { return .none }
      state.isClosing = true
      guard state.lock == .held, state.isDirty else { return close(&state) }
      let limit = Effect.send(Action.closeLimitReached)
        .cancellable(id: Work.closeLimit, overlap: .restart).delay(for: closeLimit)
      return .merge(saving(state.text), limit)  // replaces a save that waits for a pause

    case .closeLimitReached:
      return close(&state)

    case .lockReleased:
      state.lock = .none
      return .none
    }
  }

  /// Renews the lock until it is refused. The lock expires if an answer does not come.
  private var renewing: Effect<Action> {
    .timer(id: Work.renewalTimer, overlap: .restart, every: renewalInterval, .renewalDue)
  }

  private func saving(_ text: String) -> Effect<Action> {
    .run(id: Work.save, overlap: .restart, input: text) { [save] text, send in
      try await save(text)
      send(.saved(text))
    } catch: { _, send in
      send(.saveFailed)
    }
    .timeout(after: saveTimeout)
    .retry(attempts: saveAttempts, backoff: .constant(.seconds(2)))
  }

  private var lockExpiry: Effect<Action> {
    .send(.lockExpired).cancellable(id: Work.lockExpiry, overlap: .restart).delay(for: lockLifetime)
  }

  private func show(_ failure: String, _ state: inout State) -> Effect<Action> {
    state.failure = failure
    return .send(.failureHidden).cancellable(id: Work.failure, overlap: .restart).delay(for: .seconds(4))
  }

  private func close(_ state: inout State) -> Effect<Action> {
    let mustRelease = state.lock == .held || state.lock == .acquiring
    (state.isClosing, state.isClosed, state.failure) = (false, true, nil)
    guard mustRelease else {
      state.lock = .none
      return .cancel(.everything)
    }
    let releasing = Effect<Action>.run(id: Work.release, overlap: .drop) { [release] send in
      try await release()
      send(.lockReleased)
    } catch: { _, send in
      send(.lockReleased)  // it expires on the server
    }
    .timeout(after: .seconds(5))
    return .merge(.cancel(.everything), releasing)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// A document on a server: it is edited, saved after a pause, and reloaded after a conflict.
struct Document: Reducer {
  /// A text, and the version of the server on which it is based.
  struct Revision: Hashable, Sendable {
    var text: String
    var version: Int

    init(text: String, version: Int) {
      self.text = text
      self.version = version
    }
  }

  struct Conflict: Error, Equatable {
    init() {}
  }

  enum Problem: Equatable, Sendable { case conflict, offline }
  enum Phase: Equatable, Sendable { case open, asking, closing, closed }

  struct State: Equatable, Sendable {
    var phase = Phase.open
    var text: String
    var saved: Revision
    var problem: Problem?

    init(_ revision: Revision) {
      self.text = revision.text
      self.saved = revision
    }

    var hasChanges: Bool { text != saved.text }
  }

  enum Action: Equatable, Sendable {
    case edited(String)
    case saveTapped
    case pauseEnded
    case saved(Revision)
    case saveFailed(Problem)
    case reloadTapped
    case reloaded(Revision)
    case reloadFailed
    case closeTapped
    case saveAndCloseTapped
    case discardTapped
    case keepEditingTapped
  }

  enum Work: Hashable, Sendable {
    case pause, save, reload
  }

  struct Client: Sendable {
    /// Returns the new version, or throws a `Conflict` if the version is not the newest.
    var save: @Sendable (Revision) async throws -> Int
    var load: @Sendable () async throws -> Revision

    init(
      save: @escaping @Sendable (Revision) async throws -> Int,
      load: @escaping @Sendable () async throws -> Revision
    ) {
      self.save = save
      self.load = load
    }
  }

  var client: Client
  var attempts: Int

  init(client: Client, attempts: Int = 3) {
    self.client = client
    self.attempts = attempts
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edited(let text):
      guard state.phase == .open else { return .none }
      state.text = text
      guard state.problem != .conflict else { return .none }  // it must be reloaded first
      return .send(.pauseEnded)
        .cancellable(id: Work.pause, overlap: .restart)
        .debounce(for: .seconds(2), maxWait: .seconds(10))

    case .saveTapped:
      guard state.phase == .open else { return .none }
      return .merge(.cancel(id: Work.pause), save(state))

    case .pauseEnded:
      return save(state)

    case .saved(let revision):
      state.saved = revision
      state.problem = nil
      if state.hasChanges { return save(state) }  // it was edited during the save
      return state.phase == .closing ? close(&state) : .none

    case .saveFailed(let problem):
      state.problem = problem
      if state.phase == .closing { state.phase = .asking }
      return .none

    case .reloadTapped:
      guard state.phase == .open else { return .none }
      return .merge(.cancel(ids: [Work.pause, .save]), reload())

    case .reloaded(let revision):
      (state.text, state.saved, state.problem) = (revision.text, revision, nil)
      return .none

    case .reloadFailed:
      state.problem = .offline
      return .none

    case .closeTapped:
      guard state.phase == .open else { return .none }
      guard state.hasChanges else { return close(&state) }
      state.phase = .asking
      return .cancel(id: Work.reload)  // no answer replaces the changes in question

    case .saveAndCloseTapped:
      guard state.phase == .asking, state.problem != .conflict else { return .none }
      guard state.hasChanges else { return close(&state) }
      state.phase = .closing
      return .merge(.cancel(id: Work.pause), save(state))

    case .discardTapped:
      guard state.phase == .asking else { return .none }
      return close(&state)

    case .keepEditingTapped:
      guard state.phase == .asking else { return .none }
      state.phase = .open
      return .none
    }
  }

  private func close(_ state: inout State) -> Effect<Action> {
    state.phase = .closed
    return .cancel(.everything)
  }

  private func save(_ state: State) -> Effect<Action> {
    guard state.hasChanges, state.problem != .conflict else { return .none }
    let revision = Revision(text: state.text, version: state.saved.version)
    return .run(id: Work.save, overlap: .keepLatest, input: revision) { [client] revision, send in
      let version = try await client.save(revision)
      send(.saved(Revision(text: revision.text, version: version)))
    } catch: { error, send in
      send(.saveFailed(error is Conflict ? .conflict : .offline))
    }
    .timeout(after: .seconds(5))
    .retry(
      attempts: attempts,
      backoff: Backoff { error, attempt in error is Conflict ? nil : .seconds(1 << attempt) })
  }

  private func reload() -> Effect<Action> {
    .run(id: Work.reload, overlap: .restart) { [client] send in
      send(.reloaded(try await client.load()))
    } catch: { _, send in
      send(.reloadFailed)
    }
    .timeout(after: .seconds(10))
  }
}

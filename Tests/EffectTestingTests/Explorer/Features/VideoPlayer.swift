// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// A player of a list of videos.
struct VideoPlayer: Reducer {
  enum Phase: Equatable, Sendable {
    case stopped, loading, playing, buffering, failed(Problem)
  }

  enum Problem: Equatable, Sendable { case notLoaded, stalled, interrupted }

  struct State: Equatable, Sendable {
    var playlist: [String]
    var position = 0
    var phase = Phase.stopped
    var loaded: String?
    var showsControls = false

    init(playlist: [String]) {
      self.playlist = playlist
    }

    var video: String? { playlist.indices.contains(position) ? playlist[position] : nil }
  }

  /// What the engine reports during the playback.
  enum Report: Equatable, Sendable { case stalled, resumed, ended }

  enum Action: Equatable, Sendable {
    case playTapped
    case loaded(String)
    case loadFailed(String)
    case reported(Report)
    case engineFailed
    case stallExpired
    case nextTapped
    case screenTapped
    case controlsExpired
    case stopTapped
  }

  enum Work: Hashable, Sendable {
    case load, playback, stall, controls
  }

  struct Client: Sendable {
    var load: @Sendable (_ video: String) async throws -> Void
    var play: @Sendable (_ video: String) async throws -> AsyncThrowingStream<Report, any Error>

    init(
      load: @escaping @Sendable (_ video: String) async throws -> Void,
      play: @escaping @Sendable (_ video: String) async throws -> AsyncThrowingStream<Report, any Error>
    ) {
      self.load = load
      self.play = play
    }
  }

  var client: Client
  var attempts: Int

  init(client: Client, attempts: Int = 2) {
    self.client = client
    self.attempts = attempts
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .playTapped:
      switch state.phase {
      case .stopped, .failed: return start(&state)
      case .loading, .playing, .buffering: return .none
      }

    case .loaded(let video):
      (state.phase, state.loaded) = (.playing, video)
      return .merge(playback(of: video), showControls(&state))

    case .loadFailed:
      state.phase = .failed(.notLoaded)
      return .none

    case .reported(.stalled):
      state.phase = .buffering
      return .send(.stallExpired)
        .cancellable(id: Work.stall, overlap: .restart)
        .delay(for: .seconds(10))

    case .reported(.resumed):
      state.phase = .playing
      return .cancel(id: Work.stall)

    case .reported(.ended):
      return next(&state)

    case .engineFailed:
      state.phase = .failed(.interrupted)
      return .cancel(id: Work.stall)

    case .stallExpired:
      state.phase = .failed(.stalled)
      return .cancel(id: Work.playback)

    case .nextTapped:
      guard state.phase != .stopped else { return .none }
      return next(&state)

    case .screenTapped:
      guard state.phase != .stopped else { return .none }
      guard state.showsControls else { return showControls(&state) }
      state.showsControls = false
      return .cancel(id: Work.controls)

    case .controlsExpired:
      state.showsControls = false
      return .none

    case .stopTapped:
      return stop(&state)
    }
  }

  private func stop(_ state: inout State) -> Effect<Action> {
    (state.phase, state.loaded, state.showsControls) = (.stopped, nil, false)
    return .cancel(.everything)
  }

  private func next(_ state: inout State) -> Effect<Action> {
    guard state.position + 1 < state.playlist.count else { return stop(&state) }
    state.position += 1
    return start(&state)
  }

  private func start(_ state: inout State) -> Effect<Action> {
    guard let video = state.video else { return .none }
    (state.phase, state.loaded) = (.loading, nil)
    return .merge(.cancel(ids: [Work.load, .playback, .stall]), load(video))
  }

  private func showControls(_ state: inout State) -> Effect<Action> {
    state.showsControls = true
    return .send(.controlsExpired)
      .cancellable(id: Work.controls, overlap: .restart)
      .delay(for: .seconds(3))
  }

  private func load(_ video: String) -> Effect<Action> {
    .run(id: Work.load, overlap: .restart, input: video) { [client] video, send in
      try await client.load(video)
      send(.loaded(video))
    } catch: { _, send in
      send(.loadFailed(video))
    }
    .timeout(after: .seconds(8))
    .retry(attempts: attempts, backoff: .constant(.seconds(1)))
  }

  private func playback(of video: String) -> Effect<Action> {
    .stream(
      id: Work.playback, overlap: .restart, input: video, sequence: client.play, transform: { .reported($0) }
    ) { _, send in
      send(.engineFailed)
    }
  }
}

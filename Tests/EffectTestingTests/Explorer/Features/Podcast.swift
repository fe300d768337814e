// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// The page of one episode: it downloads, plays, falls asleep, and remembers where the listener was.
struct Podcast: Reducer {
  enum Download: Equatable, Sendable {
    case none
    case running(Double)
    case done(file: String)
    case failed
  }

  struct State: Equatable, Sendable {
    var episode: Int
    var isOpen = true
    var download = Download.none
    var isPlaying = false
    var hasSleepTimer = false
    var remembered: Int?

    init(episode: Int) {
      self.episode = episode
    }
  }

  enum Action: Equatable, Sendable {
    case downloadTapped
    case progressed(Double)
    case downloaded(file: String)
    case downloadFailed
    case playTapped
    case playbackFailed
    case pauseTapped
    case sleepTimerSet(minutes: Int)
    case sleepTimerEnded
    case rememberDue
    case remembered(Int)
    case closed
  }

  enum Work: Hashable, Sendable {
    case download, play, sleepTimer, clock, remember
  }

  struct Client: Sendable {
    var download: @Sendable (_ episode: Int, _ progress: @escaping @Sendable (Double) -> Void) async throws -> String
    /// Plays until it is cancelled, or throws.
    var play: @Sendable (_ file: String, _ from: Int) async throws -> Void
    var position: @Sendable () async throws -> Int
    var remember: @Sendable (_ episode: Int, _ position: Int) async throws -> Void

    init(
      download: @escaping @Sendable (Int, @escaping @Sendable (Double) -> Void) async throws -> String,
      play: @escaping @Sendable (String, Int) async throws -> Void,
      position: @escaping @Sendable () async throws -> Int,
      remember: @escaping @Sendable (Int, Int) async throws -> Void
    ) {
      self.download = download
      self.play = play
      self.position = position
      self.remember = remember
    }
  }

  var client: Client
  var attempts: Int
  var interval: Duration

  init(client: Client, attempts: Int = 3, interval: Duration = .seconds(15)) {
    self.client = client
    self.attempts = attempts
    self.interval = interval
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .downloadTapped:
      guard state.isOpen else { return .none }
      switch state.download {
      case .running, .done: return .none
      case .none, .failed: break
      }
      state.download = .running(0)
      return download(state.episode)

    case .progressed(let fraction):
      guard case .running = state.download else { return .none }
      state.download = .running(fraction)
      return .none

    case .downloaded(let file):
      state.download = .done(file: file)
      return .none

    case .downloadFailed:
      state.download = .failed
      return .none

    case .playTapped:
      guard state.isOpen, !state.isPlaying, case .done(let file) = state.download else { return .none }
      state.isPlaying = true
      return .merge(
        play(file, from: state.remembered ?? 0),
        .timer(id: Work.clock, overlap: .restart, every: interval, .rememberDue))

    case .playbackFailed, .pauseTapped:
      guard state.isPlaying else { return .none }
      return stop(&state)

    case .sleepTimerSet(let minutes):
      guard state.isPlaying else { return .none }
      state.hasSleepTimer = true
      return .send(.sleepTimerEnded)
        .cancellable(id: Work.sleepTimer, overlap: .restart)
        .delay(for: .seconds(60 * minutes))

    case .sleepTimerEnded:
      state.hasSleepTimer = false
      return stop(&state)

    case .rememberDue:
      return remember(state.episode)

    case .remembered(let position):
      state.remembered = position
      return .none

    case .closed:
      guard state.isOpen else { return .none }
      state.isOpen = false
      if case .running = state.download { state.download = .none }
      return .concatenate(.cancel(id: Work.download), stop(&state))
    }
  }

  /// Ends the playback, and remembers the last position.
  private func stop(_ state: inout State) -> Effect<Action> {
    guard state.isPlaying else { return .none }
    (state.isPlaying, state.hasSleepTimer) = (false, false)
    return .concatenate(.cancel(ids: [Work.play, .clock, .sleepTimer]), remember(state.episode))
  }

  private func download(_ episode: Int) -> Effect<Action> {
    .run(id: Work.download, overlap: .drop, input: episode) { [client] episode, send in
      let file = try await client.download(episode) { fraction in send(.progressed(fraction)) }
      send(.downloaded(file: file))
    } catch: { _, send in
      send(.downloadFailed)
    }
    .timeout(after: .seconds(120))
    .retry(attempts: attempts, backoff: .exponential(from: .seconds(2), upTo: .seconds(30)))
  }

  private func play(_ file: String, from position: Int) -> Effect<Action> {
    .run(id: Work.play, overlap: .restart, input: file) { [client] file, _ in
      try await client.play(file, position)
    } catch: { _, send in
      send(.playbackFailed)
    }
  }

  private func remember(_ episode: Int) -> Effect<Action> {
    .run(id: Work.remember, overlap: .restart, input: episode) { [client] episode, send in
      let position = try await client.position()
      try await client.remember(episode, position)
      send(.remembered(position))
    } catch: { _, _ in
      // The next tick tries again.
    }
    .timeout(after: .seconds(5))
  }
}

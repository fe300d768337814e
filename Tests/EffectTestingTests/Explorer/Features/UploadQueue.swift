// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// Uploads files in parts, at most two parts at a time. Can be paused, and each file can be cancelled.
struct UploadQueue: Reducer {
  struct Part: Hashable, Sendable {
    var file: String
    var number: Int
  }

  enum Status: Hashable, Sendable { case uploading, finishing, done, failed, cancelled }

  struct File: Hashable, Sendable {
    var partCount: Int
    var uploaded: Set<Int> = []
    var status = Status.uploading

    var missing: [Int] { (0..<partCount).filter { !uploaded.contains($0) } }
    var isActive: Bool { status == .uploading || status == .finishing }
  }

  struct State: Hashable, Sendable {
    var files: [String: File] = [:]
    var isPaused = false
    var isShutDown = false
  }

  enum Action: Hashable, Sendable {
    case added(String, parts: Int)
    case partUploaded(Part)
    case partFailed(Part)
    case finished(String)
    case finishFailed(String)
    case linkExpired(String)
    case paused
    case resumed
    case pausedTooLong
    case cancelled(String)
    case shutdownRequested
  }

  enum Work: Hashable, Sendable {
    case parts
    case file(String)
    case finish(String)
    case link(String)
    case pause
  }

  var upload: @Sendable (Part) async throws -> Void
  var finish: @Sendable (String) async throws -> Void

  var partTimeout = Duration.seconds(30)
  var partAttempts = 2
  var finishTimeout = Duration.seconds(10)
  var linkLifetime = Duration.seconds(600)
  var pauseLimit = Duration.seconds(300)

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .added(let name, let partCount):
      guard !state.isShutDown, state.files[name]?.isActive != true else { return .none }
      let file = File(partCount: partCount)
      state.files[name] = file
      let link = Effect.send(Action.linkExpired(name))
        .cancellable(id: Work.link(name), overlap: .restart).delay(for: linkLifetime)
      return .merge(link, state.isPaused ? .none : uploadMissing(of: name, file))

    case .partUploaded(let part):
      guard state.files[part.file]?.status == .uploading else { return .none }
      state.files[part.file]?.uploaded.insert(part.number)
      guard state.files[part.file]?.missing.isEmpty == true else { return .none }
      state.files[part.file]?.status = .finishing
      return state.isPaused ? .none : finishing(part.file)

    case .partFailed(let part):
      return end(part.file, .failed, &state)

    case .finished(let name):
      return end(name, .done, &state)

    case .finishFailed(let name), .linkExpired(let name):
      return end(name, .failed, &state)

    case .paused:
      guard !state.isPaused, !state.isShutDown else { return .none }
      state.isPaused = true
      let files = state.files.keys.sorted()
      let limit = Effect.send(Action.pausedTooLong)
        .cancellable(id: Work.pause, overlap: .restart).delay(for: pauseLimit)
      return .merge(.cancel(ids: files.flatMap(uploading)), limit)

    case .resumed:
      guard state.isPaused, !state.isShutDown else { return .none }
      state.isPaused = false
      var effects: [Effect<Action>] = [.cancel(id: Work.pause)]
      for (name, file) in state.files.sorted(by: { $0.key < $1.key }) {
        if file.status == .uploading { effects.append(uploadMissing(of: name, file)) }
        if file.status == .finishing { effects.append(finishing(name)) }
      }
      return .merge(effects)

    case .pausedTooLong:
      // The server deletes incomplete files. They must be added again.
      state.isPaused = false
      let active = state.files.filter(\.value.isActive).keys.sorted()
      return .merge(active.map { end($0, .failed, &state) })

    case .cancelled(let name):
      return end(name, .cancelled, &state)

    case .shutdownRequested:
      state.isShutDown = true
      for (name, file) in state.files where file.isActive { state.files[name]?.status = .cancelled }
      return .cancel(.everything)
    }
  }

  private func uploadMissing(of name: String, _ file: File) -> Effect<Action> {
    .merge(file.missing.map { uploadPart(Part(file: name, number: $0)) })
  }

  /// At most two parts of all files at a time. Each one can be cancelled alone.
  private func uploadPart(_ part: Part) -> Effect<Action> {
    .run(id: Work.parts, overlap: .enqueue(limit: 2), input: part) { [upload] part, send in
      try await upload(part)
      send(.partUploaded(part))
    } catch: { _, send in
      send(.partFailed(part))
    }
    .timeout(after: partTimeout)
    .retry(attempts: partAttempts, backoff: .constant(.seconds(5)))
    .cancellable(id: Work.file(part.file), overlap: .concurrent)
  }

  private func finishing(_ name: String) -> Effect<Action> {
    .run(id: Work.finish(name), overlap: .restart, input: name) { [finish] name, send in
      try await finish(name)
      send(.finished(name))
    } catch: { _, send in
      send(.finishFailed(name))
    }
    .timeout(after: finishTimeout)
    .retry(attempts: 2, backoff: .constant(.seconds(5)))
  }

  private func uploading(_ name: String) -> [Work] {
    [.file(name), .finish(name)]
  }

  private func end(_ name: String, _ status: Status, _ state: inout State) -> Effect<Action> {
    guard state.files[name]?.isActive == true else { return .none }
    state.files[name]?.status = status
    return .cancel(ids: uploading(name) + [.link(name)])
  }
}

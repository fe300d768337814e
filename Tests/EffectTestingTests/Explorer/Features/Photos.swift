// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore

/// A library of photos: a grid of thumbnails, one photo in full size, uploads, and a delete that can be undone.
struct Photos: Reducer {
  struct Photo: Equatable, Sendable, Identifiable {
    var id: Int
    var thumbnail: String?
  }

  struct State: Equatable, Sendable {
    var isLoggedIn = true
    var photos: [Photo]
    var opened: Int?
    var fullImage: String?
    var fullImageFailed = false
    var uploads: [String: Upload] = [:]
    var toUndo: Pending?

    init(photos: [Int] = []) {
      self.photos = photos.map { Photo(id: $0) }
    }
  }

  enum Upload: Equatable, Sendable { case uploading, failed }

  /// A photo that is not shown any more, and not yet deleted on the server.
  struct Pending: Equatable, Sendable {
    var photo: Photo
    var index: Int
  }

  enum Action: Equatable, Sendable {
    case appeared(Int)
    case disappeared(Int)
    case thumbnailLoaded(Int, String)
    case opened(Int)
    case closed
    case fullImageLoaded(Int, String)
    case fullImageFailed(Int)
    case uploadTapped(String)
    case uploaded(String, as: Int)
    case uploadFailed(String)
    case deleteTapped(Int)
    case undoTapped
    case undoExpired(Int)
    case deleteFailed(Pending)
    case loggedOut
  }

  enum Work: Hashable, Sendable {
    case thumbnails, thumbnail(Int), fullImage, upload(String), undo, delete(Int)
  }

  struct Client: Sendable {
    var thumbnail: @Sendable (Int) async throws -> String
    var fullImage: @Sendable (Int) async throws -> String
    var upload: @Sendable (String) async throws -> Int
    var delete: @Sendable (Int) async throws -> Void

    init(
      thumbnail: @escaping @Sendable (Int) async throws -> String,
      fullImage: @escaping @Sendable (Int) async throws -> String,
      upload: @escaping @Sendable (String) async throws -> Int,
      delete: @escaping @Sendable (Int) async throws -> Void
    ) {
      self.thumbnail = thumbnail
      self.fullImage = fullImage
      self.upload = upload
      self.delete = delete
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
    case .appeared(let id):
      guard let photo = state.photos.first(where: { $0.id == id }), photo.thumbnail == nil else { return .none }
      return loadThumbnail(id)

    case .disappeared(let id):
      return .cancel(id: Work.thumbnail(id))

    case .thumbnailLoaded(let id, let data):
      guard let index = state.photos.firstIndex(where: { $0.id == id }) else { return .none }
      state.photos[index].thumbnail = data
      return .none

    case .opened(let id):
      guard state.photos.contains(where: { $0.id == id }) else { return .none }
      (state.opened, state.fullImage, state.fullImageFailed) = (id, nil, false)
      return .merge(.cancel(id: Work.fullImage), loadFullImage(id))

    case .closed:
      (state.opened, state.fullImage, state.fullImageFailed) = (nil, nil, false)
      return .cancel(id: Work.fullImage)

    case .fullImageLoaded(let id, let data):
      guard state.opened == id else { return .none }
      state.fullImage = data
      return .none

    case .fullImageFailed(let id):
      guard state.opened == id else { return .none }
      state.fullImageFailed = true
      return .none

    case .uploadTapped(let file):
      guard state.isLoggedIn, state.uploads[file] != .uploading else { return .none }
      state.uploads[file] = .uploading
      return upload(file)

    case .uploaded(let file, let id):
      state.uploads[file] = nil
      state.photos.append(Photo(id: id))
      return .none

    case .uploadFailed(let file):
      state.uploads[file] = .failed
      return .none

    case .deleteTapped(let id):
      guard let index = state.photos.firstIndex(where: { $0.id == id }) else { return .none }
      let former = state.toUndo
      state.toUndo = Pending(photo: state.photos.remove(at: index), index: index)
      if state.opened == id { (state.opened, state.fullImage, state.fullImageFailed) = (nil, nil, false) }
      return .merge(
        former.map(delete) ?? .none,  // its time to undo is over
        .cancel(id: Work.thumbnail(id)),
        .send(.undoExpired(id)).cancellable(id: Work.undo, overlap: .restart).delay(for: .seconds(5)))

    case .undoTapped:
      guard let pending = state.toUndo else { return .none }
      state.toUndo = nil
      restore(pending, in: &state)
      return .cancel(id: Work.undo)

    case .undoExpired(let id):
      guard let pending = state.toUndo, pending.photo.id == id else { return .none }
      state.toUndo = nil
      return delete(pending)

    case .deleteFailed(let pending):
      restore(pending, in: &state)
      return .none

    case .loggedOut:
      state = State()
      state.isLoggedIn = false
      return .cancel(.everything)
    }
  }

  private func restore(_ pending: Pending, in state: inout State) {
    state.photos.insert(pending.photo, at: min(pending.index, state.photos.count))
  }

  private func loadThumbnail(_ id: Int) -> Effect<Action> {
    .run(id: Work.thumbnails, overlap: .enqueue(limit: 2), input: id) { [client] id, send in
      send(.thumbnailLoaded(id, try await client.thumbnail(id)))
    } catch: { _, _ in
      // The placeholder stays, and the next appearance tries again.
    }
    .cancellable(id: Work.thumbnail(id), overlap: .drop)
  }

  private func loadFullImage(_ id: Int) -> Effect<Action> {
    .run(id: Work.fullImage, overlap: .restart, input: id) { [client] id, send in
      send(.fullImageLoaded(id, try await client.fullImage(id)))
    } catch: { _, send in
      send(.fullImageFailed(id))
    }
    .timeout(after: .seconds(15))
  }

  private func upload(_ file: String) -> Effect<Action> {
    .run(id: Work.upload(file), overlap: .drop, input: file) { [client] file, send in
      send(.uploaded(file, as: try await client.upload(file)))
    } catch: { _, send in
      send(.uploadFailed(file))
    }
    .timeout(after: .seconds(60))
    .retry(attempts: attempts, backoff: .exponential(from: .seconds(1), upTo: .seconds(30)))
  }

  private func delete(_ pending: Pending) -> Effect<Action> {
    .run(id: Work.delete(pending.photo.id), overlap: .drop, input: pending.photo.id) { [client] id, _ in
      try await client.delete(id)
    } catch: { _, send in
      send(.deleteFailed(pending))
    }
    .timeout(after: .seconds(10))
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// A queue of downloads. Start reading here: this is all the logic there is.
struct Downloads: Reducer {
  struct State: Equatable, Sendable {
    var items: [Item] = []
  }

  struct Item: Equatable, Sendable, Identifiable {
    let file: File
    var received = 0
    var phase = Phase.waiting
    var id: String { file.name }
  }

  enum Phase: Equatable, Sendable {
    case waiting, loading, paused, failed, done
  }

  enum Action: Equatable, Sendable {
    // From the user.
    case added([File])
    case pauseTapped(String)
    case resumeTapped(String)
    case cancelTapped(String)
    case cancelAllTapped
    // From the downloads.
    case received(String, upTo: Int)
    case finished(String)
    case failed(String)
  }

  /// The ids of the runs: one for each file, and one for the queue of all files.
  enum Work: Hashable, Sendable {
    case queue
    case file(String)
  }

  /// Some bytes of a file, from a position on. A dependency is a stored property, so that tests can replace it.
  var fetch: @Sendable (_ name: String, _ position: Int) async throws -> [UInt8]
  /// Where the bytes are kept.
  var disk: any Storage
  /// How many files at once.
  var limit = 3

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .added(let files):
      state.items += files.map { Item(file: $0) }
      return .merge(files.map(download))
    case .pauseTapped(let name):
      return state.change(name, from: [.waiting, .loading], to: .paused) ? .cancel(id: Work.file(name)) : .none
    case .resumeTapped(let name):
      guard state.change(name, from: [.paused, .failed], to: .waiting) else { return .none }
      return .merge(state.items.filter { $0.id == name }.map { download($0.file) })
    case .cancelTapped(let name):
      state.items.removeAll { $0.id == name }
      return .cancel(id: Work.file(name))
    case .cancelAllTapped:
      state.items = []
      return .cancel(.everything)

    case .received(let name, let position):
      state.change(name, to: .loading, received: position)
      return .none
    case .finished(let name):
      state.change(name, to: .done)
      return .none
    case .failed(let name):
      state.change(name, to: .failed)
      return .none
    }
  }

  private func download(_ file: File) -> Effect<Action> {
    // In the queue at most three runs are active, the others wait in order. `exclusive`: a cancelled run keeps its slot
    // until its closure has returned, so that there are never four connections.
    .run(id: Work.queue, overlap: .enqueue(limit: limit, exclusive: true), input: file.name) {
      [fetch, disk] name, send in
      // Start at the bytes on the disk: so each attempt, and each resume, goes on where the one before has ended.
      var position = try await disk.count(name)
      guard await send.delivered(.received(name, upTo: position)) else { return }
      while position < file.size {
        let bytes = try await fetch(name, position)
        try await disk.write(name, position, bytes)
        position += bytes.count
        guard await send.delivered(.received(name, upTo: position)) else { return }
      }
      guard checksum(try await disk.read(name)) == file.checksum else { throw Damaged() }
      send(.finished(name))
    } catch: { _, send in
      send(.failed(file.name))
    }
    .retry(
      attempts: 4,
      backoff: Backoff { error, attempt in
        error is Damaged ? nil : Backoff.exponential(from: .milliseconds(20)).wait(after: error, attempt: attempt)
      }
    )
    // Each file also has its own id, by which it is cancelled, whether it runs or waits. A resume can come while the `catch` of the run
    // before still ends: it replaces that.
    .cancellable(id: Work.file(file.name), overlap: .restart)
  }
}

extension Downloads.State {
  /// Changes an item if it is in the list and in one of the phases; returns whether it was.
  @discardableResult
  mutating func change(
    _ name: String, from phases: [Downloads.Phase]? = nil, to phase: Downloads.Phase, received: Int? = nil
  ) -> Bool {
    guard let index = items.firstIndex(where: { $0.id == name }) else { return false }
    guard phases?.contains(items[index].phase) ?? true else { return false }
    items[index].phase = phase
    items[index].received = received ?? items[index].received
    return true
  }
}

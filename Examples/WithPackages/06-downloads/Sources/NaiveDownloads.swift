// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Downloads without queue and retries, and with one mistake in `download`: it goes on from the position in the state,
/// and appends to the file on the disk. These two may differ: a run may write a part before it is cancelled, and then
/// its action about that part is dropped.
struct NaiveDownloads: Reducer {
  typealias State = Downloads.State
  typealias Action = Downloads.Action

  var fetch: @Sendable (_ name: String, _ position: Int) async throws -> [UInt8]
  var append: @Sendable (_ name: String, [UInt8]) async throws -> Void
  var read: @Sendable (_ name: String) async throws -> [UInt8]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .added(let files):
      state.items += files.map { Downloads.Item(file: $0) }
      return .merge(files.map { download(Downloads.Item(file: $0)) })
    case .pauseTapped(let name):
      state.change(name, to: .paused)
      return .cancel(id: Downloads.Work.file(name))
    case .resumeTapped(let name):
      state.change(name, to: .waiting)
      return .merge(state.items.filter { $0.id == name }.map(download))
    case .cancelTapped(let name):
      state.items.removeAll { $0.id == name }
      return .cancel(id: Downloads.Work.file(name))
    case .cancelAllTapped:
      state.items = []
      return .cancel(.everything)
    case .received(let name, let position):
      state.change(name, to: .loading, received: position)
    case .finished(let name):
      state.change(name, to: .done)
    case .failed(let name):
      state.change(name, to: .failed)
    }
    return .none
  }

  private func download(_ item: Downloads.Item) -> Effect<Action> {
    .run(id: Downloads.Work.file(item.id), overlap: .concurrent, input: item.received) {
      [fetch, append, read] received, send in
      var position = received
      while position < item.file.size {
        let bytes = try await fetch(item.id, position)
        try await append(item.id, bytes)
        position += bytes.count
        guard await send.delivered(.received(item.id, upTo: position)) else { return }
      }
      guard checksum(try await read(item.id)) == item.file.checksum else { throw Damaged() }
      send(.finished(item.id))
    } catch: { _, send in
      send(.failed(item.id))
    }
  }
}

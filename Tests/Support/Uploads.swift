// This source file is part of swift-effects. License: Apache-2.0.

package import EffectRuntime

/// A queue of uploads, whose state says which are under way. Between two turns each file that was added is under way or
/// done; in the middle of a turn it need not be.
package struct Uploads: Reducer {
  package struct State: Equatable, Sendable {
    package var added: [Int] = []
    package var active: [Int] = []
    package var done: [Int] = []
    /// How often it was restored.
    package var restarts = 0

    package init() {}

    /// The files 1 to `added`, of which the first are done.
    package init(added: Int, done: Int) {
      self.added = Array(1..<(added + 1))
      self.done = Array(1..<(done + 1))
      active = Array((done + 1)..<(added + 1))
    }

    /// Whether no file is lost or twice there.
    package var isWhole: Bool { added.sorted() == (active + done).sorted() && Set(added).count == added.count }
  }

  package enum Action: Equatable, Sendable { case add(Int), begin(Int), uploaded(Int), restored }

  private let upload: @Sendable (Int) async throws -> Void

  package init(upload: @escaping @Sendable (Int) async throws -> Void) {
    self.upload = upload
  }

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let file):
      guard !state.added.contains(file) else { return .none }
      state.added.append(file)
      return .send(.begin(file))
    case .begin(let file):
      state.active.append(file)
      return run(file)
    case .uploaded(let file):
      state.active.removeAll { $0 == file }
      state.done.append(file)
      return .none
    case .restored:
      state.restarts += 1
      return .merge(state.active.map(run))
    }
  }

  private func run(_ file: Int) -> Effect<Action> {
    .run(id: file, overlap: .drop, input: file) { [upload] file, send in
      try await upload(file)
      send(.uploaded(file))
    }
  }
}

// MARK: - As text

extension Uploads {
  package struct NotText: Error {
    let text: String

    package init(text: String) { self.text = text }
  }

  /// States as `added;active;done;restarts`, actions as `add 1`.
  package static let codec = RecordingCodec<State, Action>(
    encodeState: { state in
      let lists = [state.added, state.active, state.done].map { $0.map(String.init).joined(separator: ",") }
      return Array("\(lists.joined(separator: ";"));\(state.restarts)".utf8)
    },
    decodeState: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
        part.split(separator: ",").compactMap { Int($0) }
      }
      guard parts.count == 4, let restarts = parts[3].first else { throw NotText(text: text) }
      var state = State()
      (state.added, state.active, state.done, state.restarts) = (parts[0], parts[1], parts[2], restarts)
      return state
    },
    encodeAction: { action in
      switch action {
      case .add(let file): Array("add \(file)".utf8)
      case .begin(let file): Array("begin \(file)".utf8)
      case .uploaded(let file): Array("uploaded \(file)".utf8)
      case .restored: Array("restored".utf8)
      }
    },
    decodeAction: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      let words = text.split(separator: " ")
      switch (words.first, words.last.flatMap { Int($0) }) {
      case ("add", let file?): return .add(file)
      case ("begin", let file?): return .begin(file)
      case ("uploaded", let file?): return .uploaded(file)
      case ("restored", nil): return .restored
      default: throw NotText(text: text)
      }
    })
}

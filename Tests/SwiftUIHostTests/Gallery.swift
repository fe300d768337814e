// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport

/// A feature with a child of each kind. Each action it reduces is recorded.
struct Gallery: Reducer {
  struct State: Equatable, Sendable {
    var title = "Gallery"
    var word = "a"
    var isListShown = true
    var header = Photo.State(title: "Header")
    var order: [Int] = []
    var photos: [Int: Photo.State] = [:]
    var detail: Detail.State?

    init(photos count: Int = 0) {
      order = Array(0..<count)
      for id in order { photos[id] = Photo.State(title: "Photo \(id)") }
    }
  }

  enum Action: Equatable, Sendable {
    case appeared, check(String)
    case titled(String), word(String), hidden, added(Int), removed(Int), opened(Int), closed
    case header(Photo.Action), photo(Int, Photo.Action), detail(Detail.Action)
  }

  static let header = CasePath(
    embed: Action.header, extract: { if case .header(let action) = $0 { action } else { nil } })
  static let photo = CasePath(
    embed: Action.photo, extract: { if case .photo(let id, let action) = $0 { (id, action) } else { nil } })
  static let detail = CasePath(
    embed: Action.detail, extract: { if case .detail(let action) = $0 { action } else { nil } })

  let log: Recorder<String>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    log.record("\(action)")
    return body.reduce(into: &state, action: action)
  }

  private var body: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .titled(let title): state.title = title
      case .word(let word): state.word = word
      case .hidden: state.isListShown = false
      case .added(let id):
        state.order.append(id)
        state.photos[id] = Photo.State(title: "Photo \(id)")
      case .removed(let id):
        state.order.removeAll { $0 == id }
        state.photos[id] = nil
      case .opened(let id): state.detail = Detail.State(id: id)
      case .closed: state.detail = nil
      case .header(.starred): state.header.stars += 1
      case .appeared, .check, .photo, .detail: break
      }
      return .none
    }
    .forEach(\.photos, action: Self.photo) { Photo() }
    .ifLet(\.detail, action: Self.detail) { Detail(log: log) }
  }
}

struct Photo: Reducer {
  struct State: Equatable, Sendable {
    var title = ""
    var stars = 0
  }
  enum Action: Equatable, Sendable { case starred }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.stars += 1
    return .none
  }
}

struct Detail: Reducer {
  struct State: Equatable, Sendable {
    var number: Int
    var caption = ""
    var note: String?
    init(id: Int) { number = id }
  }
  enum Action: Equatable, Sendable { case appeared, captioned(String), noted(String?) }

  let log: Recorder<String>

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      return .run(id: "watch", overlap: .restart, input: state.number) { [log] number, send in
        log.record("watches \(number)")
        defer { log.record("has watched \(number)") }
        try await send.sleep(for: .seconds(1_000))
      }
    case .captioned(let caption): state.caption = caption
    case .noted(let note): state.note = note
    }
    return .none
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import InspectorCore
import NIOCore
import Synchronization

@testable import Inspector

/// A counter with runs, for tests of the inspector.
struct Counter: Reducer, Sendable {
  struct State: Equatable, Codable, Sendable {
    var sum = 0
    var last = 0
  }

  enum Action: Equatable, Codable, Sendable {
    case add(Int), load(Int), loaded(Int), chain(Int)
  }

  var load: @Sendable (Int) async throws -> Int = { $0 }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let value):
      state.sum += value
      state.last = value
      return .none
    case .load(let value):
      return .run(id: "load", overlap: .restart, input: value) { [load] value, send in
        send(.loaded(try await load(value)))
      }
    case .loaded(let value):
      state.last = value
      return .none
    case .chain(let length):
      return length == 0 ? .none : .send(.chain(length - 1))
    }
  }

  static let codec = RecordingCodec<State, Action>(
    encodeState: { try Array(JSONEncoder().encode($0)) },
    decodeState: { try JSONDecoder().decode(State.self, from: Data($0)) },
    encodeAction: { try Array(JSONEncoder().encode($0)) },
    decodeAction: { try JSONDecoder().decode(Action.self, from: Data($0)) })
}

/// Keeps a text, which may be long.
struct Note: Reducer, Sendable {
  struct State: Equatable, Codable, Sendable { var length = 0 }
  enum Action: Equatable, Codable, Sendable { case write(String) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .write(let text) = action { state.length = text.utf8.count }
    return .none
  }

  static let codec = RecordingCodec<State, Action>(
    encodeState: { try Array(JSONEncoder().encode($0)) },
    decodeState: { try JSONDecoder().decode(State.self, from: Data($0)) },
    encodeAction: { try Array(JSONEncoder().encode($0)) },
    decodeAction: { try JSONDecoder().decode(Action.self, from: Data($0)) })
}

/// Counts, for example the calls of a dependency.
final class Calls: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }
  func add() { value.withLock { $0 += 1 } }
}

extension Inspector {
  /// Shows a counter as store 1 until the body has ended.
  static func whileRunning(
    _ store: Store<Counter>, idle: TimeAmount = .seconds(Limits.idleSeconds),
    _ body: (Inspector, Int) async throws -> Void
  ) async throws {
    let inspector = try await Inspector.start(idle: idle)
    do {
      let id = try await inspector.attach(store, name: "counter", reducer: Counter(), codec: Counter.codec)
      try await body(inspector, id)
      await inspector.stop()
    } catch {
      await inspector.stop()
      throw error
    }
  }
}

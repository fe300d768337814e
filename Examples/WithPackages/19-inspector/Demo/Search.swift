// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import InspectorCore

/// The first store of the demo: a search that waits until the user has stopped typing.
struct Search: Reducer {
  struct State: Equatable, Codable, Sendable {
    var query = ""
    var results: [String] = []
    var searches = 0
  }

  enum Action: Equatable, Codable, Sendable {
    case queryChanged(String)
    case found([String])
  }

  var find: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .queryChanged(let query):
      state.query = query
      return .run(id: "search", overlap: .restart, input: query) { [find] query, send in
        send(.found(try await find(query)))
      }
      .debounce(for: .milliseconds(150))
    case .found(let results):
      state.searches += 1
      state.results = results
      return .none
    }
  }

  static let codec = RecordingCodec<State, Action>.json()

  /// How an exported test makes the reducer.
  static let test = TestExpressions(
    reducer: "Search(find: { _ in [] })", codec: "Search.codec", importing: ["inspector_demo"])

  static let words = "swallow swan swift swiftlet tern thrush tit".split(separator: " ").map { String($0) }
}

extension RecordingCodec where State: Codable & SendableMetatype, Action: Codable & SendableMetatype {
  /// JSON with sorted keys, so that equal values have equal texts.
  static func json() -> Self {
    Self(
      encodeState: { try bytes($0) }, decodeState: { try JSONDecoder().decode(State.self, from: Data($0)) },
      encodeAction: { try bytes($0) }, decodeAction: { try JSONDecoder().decode(Action.self, from: Data($0)) })
  }
}

private func bytes(_ value: some Encodable) throws -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return try Array(encoder.encode(value))
}

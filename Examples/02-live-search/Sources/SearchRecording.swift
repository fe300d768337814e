// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation

extension Search {
  /// The format of states and actions in a recording: JSON with sorted keys, so that equal values have equal texts.
  static let codec = RecordingCodec<State, Action>(
    encodeState: { try json($0) },
    decodeState: { try JSONDecoder().decode(State.self, from: Data($0)) },
    encodeAction: { try json(WrittenAction($0)) },
    decodeAction: { try JSONDecoder().decode(WrittenAction.self, from: Data($0)).action })
}

private func json(_ value: some Encodable) throws -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return try Array(encoder.encode(value))
}

/// An action as it is written: a `Character` cannot be encoded, a `String` can.
private enum WrittenAction: Codable {
  case typed(String), erased, cleared, queryChanged(String)
  case started, found(Findings), finished, failed(String)

  init(_ action: Search.Action) {
    self =
      switch action {
      case .typed(let character): .typed(String(character))
      case .erased: .erased
      case .cleared: .cleared
      case .queryChanged(let query): .queryChanged(query)
      case .started: .started
      case .found(let findings): .found(findings)
      case .finished: .finished
      case .failed(let message): .failed(message)
      }
  }

  var action: Search.Action {
    get throws {
      switch self {
      case .typed(let text):
        // A person who changes a recording by hand may have written more.
        guard let character = text.first, text.count == 1 else {
          let reason = "what was typed is one character, not \(String(reflecting: text))"
          throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: reason))
        }
        return .typed(character)
      case .erased: return .erased
      case .cleared: return .cleared
      case .queryChanged(let query): return .queryChanged(query)
      case .started: return .started
      case .found(let findings): return .found(findings)
      case .finished: return .finished
      case .failed(let message): return .failed(message)
      }
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Foundation

/// One line of `time.jsonl`: the results of an independent oracle for debounce and throttle (rules C2 and C3).
struct TimeVector: Decodable {
  let name: String
  let `operator`: String
  let milliseconds: Int
  let maxWait: Int?
  let trailing: Bool?
  let inputs: [Moment]
  let fires: [Moment]

  /// A run that arrives, or whose closure starts, this many milliseconds after the beginning.
  struct Moment: Decodable, Equatable {
    let at: Int
    let run: String
  }

  struct Unknown: Error {
    let text: String
  }

  static func all() throws -> [TimeVector] {
    guard let file = Bundle.module.url(forResource: "time", withExtension: "jsonl") else {
      throw Unknown(text: "time.jsonl is not among the resources")
    }
    let decoder = JSONDecoder()
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      try decoder.decode(TimeVector.self, from: Data(line.utf8))
    }
  }
}

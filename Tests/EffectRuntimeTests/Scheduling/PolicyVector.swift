// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation

/// One line of `policies.jsonl`: what must happen under one id, computed by an independent oracle (rules O1 to O3).
struct PolicyVector: Decodable {
  let name: String
  let policy: Policy
  let steps: [Step]

  struct Policy: Decodable {
    let limit: Int?
    let overflow: String
    let exclusive: Bool
    let capacity: Int?
    let whenFull: String?
  }

  struct Step: Decodable {
    let op: String
    let run: String?
    let limit: Int?
    let input: String?
    let expect: Outcome
  }

  /// What a step did, and the state afterwards.
  struct Outcome: Decodable, Equatable {
    let started: [String]
    let cancelled: [String]
    let dropped: [String]
    let joined: String?
    let running: [String]
    let queued: [String]
    let cancelling: [String]
  }

  struct Unknown: Error {
    let text: String
  }

  static func all() throws -> [PolicyVector] {
    guard let file = Bundle.module.url(forResource: "policies", withExtension: "jsonl") else {
      throw Unknown(text: "policies.jsonl is not among the resources")
    }
    let decoder = JSONDecoder()
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      try decoder.decode(PolicyVector.self, from: Data(line.utf8))
    }
  }
}

extension PolicyVector.Policy {
  /// The overlap in the terms of this library, with the limit that applies.
  func overlap(limit: Int?) throws -> Overlap {
    if overflow == "unlimited" { return .concurrent }
    let limit = limit ?? .max
    switch overflow {
    case "cancelOldest": return .restart(limit: limit, exclusive: exclusive)
    case "dropNewest": return .drop(limit: limit, exclusive: exclusive)
    case "keepLatest": return .keepLatest(limit: limit, exclusive: exclusive)
    case "join": return .join(limit: limit)
    case "enqueue":
      let whenFull: Overlap.WhenFull
      switch self.whenFull {
      case nil, "dropNewest": whenFull = .dropNewest
      case "dropOldest": whenFull = .dropOldest
      case let other?: throw PolicyVector.Unknown(text: "whenFull \(other)")
      }
      return .enqueue(limit: limit, exclusive: exclusive, capacity: capacity, whenFull: whenFull)
    default: throw PolicyVector.Unknown(text: "overflow \(overflow)")
    }
  }

}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

@testable import EffectTesting

/// A small feature, derived from a seed, for which ``OrderModel`` computes the schedules without a store.
///
/// The script sends 1,000 and so on. A run with the number *n* sends `10n`, `10n + 1` and so on.
struct OrderedFeature: Reducer, CustomStringConvertible {
  enum Part: Equatable {
    case send(Int)
    /// Waits until the action is reduced.
    case deliver(Int)
    /// Calls the actor that all runs share.
    case ask
    case nothing
  }

  enum Answer: Equatable {
    case run(Int, id: String?, [Part])
    case cancel(String)
  }

  actor Server {
    func ask() {}
  }

  private(set) var script: [Int] = []
  private(set) var answers: [Int: Answer] = [:]
  /// The overlap is the same for all ids.
  let restarts: Bool
  var server = Server()

  init(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    restarts = numbers.next(below: 2) == 0
    script = (0..<2 + numbers.next(below: 2)).map { 1_000 + $0 }
    var left = 3
    for (index, action) in script.enumerated() {
      if index > 0, numbers.next(below: 4) == 0 {
        answers[action] = .cancel("a")
        continue
      }
      if index > 0, left == 0 || numbers.next(below: 6) == 0 { continue }
      let parts = (0..<1 + numbers.next(below: min(left, 2))).map { part -> Part in
        switch numbers.next(below: 5) {
        case 0: .nothing
        case 1: .ask
        case 2: .deliver(10 * index + part)
        default: .send(10 * index + part)
        }
      }
      left = max(1, left - parts.count)
      answers[action] = .run(
        index, id: numbers.next(below: 5) == 0 ? nil : ["a", "a", "b"][numbers.next(below: 3)], parts)
      if case .send(let own) = parts[0], numbers.next(below: 4) == 0 { answers[own] = .cancel("a") }
    }
  }

  var description: String { "\(script) \(answers.sorted { $0.key < $1.key }) restarts: \(restarts)" }

  func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
    state.append(action)
    switch answers[action] {
    case nil: return .none
    case .cancel(let id): return .cancel(id: EffectID(id))
    case .run(_, let id, let parts):
      return .run(id: id, overlap: restarts && id != nil ? .restart : .concurrent) { [server] send in
        for (index, part) in parts.enumerated() {
          if index > 0 { await Task.yield() }
          if Task.isCancelled { return }
          switch part {
          case .send(let action): send(action)
          case .deliver(let action): _ = await send.delivered(action)
          case .ask: await server.ask()
          case .nothing: break
          }
        }
      }
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// An effect that the model can read: what is interpreted is made of the same plan.
indirect enum Plan {
  case none
  case send(String)
  case run(Run)
  case merge([Plan])
  case concatenate([Plan])
  case cancel(id: String)
  case cancelEverything
  case tree(id: String, Overlap, Plan)

  struct Run {
    var name: String
    var id: String?
    var overlap = Overlap.concurrent
    var catches = false
  }

  var isNone: Bool { if case .none = self { true } else { false } }

  /// A merge in normal form, as effects are (see `EffectLawTests`); so is the next.
  static func all(of parts: [Plan]) -> Plan {
    let parts = parts.flatMap { part in if case .merge(let inner) = part { inner } else { [part] } }.filter {
      !$0.isNone
    }
    return parts.count < 2 ? parts.first ?? .none : .merge(parts)
  }

  static func sequence(of parts: [Plan]) -> Plan {
    let parts = parts.flatMap { part in if case .concatenate(let inner) = part { inner } else { [part] } }
      .filter { !$0.isNone }
    return parts.count < 2 ? parts.first ?? .none : .concatenate(parts)
  }

  func effect(_ ledger: Ledger) -> Effect<String> {
    switch self {
    case .none: .none
    case .send(let action): .send(action)
    case .run(let run):
      ledger.run(run.name, id: run.id.map { EffectID($0) }, overlap: run.overlap, catches: run.catches)
    case .merge(let parts): .merge(parts.map { $0.effect(ledger) })
    case .concatenate(let parts): .concatenate(parts.map { $0.effect(ledger) })
    case .cancel(let id): .cancel(id: EffectID(id))
    case .cancelEverything: .cancel(.everything)
    case .tree(let id, let overlap, let content):
      content.effect(ledger).cancellable(id: EffectID(id), overlap: overlap)
    }
  }
}

/// Makes plans of every kind, over few ids so that they meet. Trees are not nested.
struct Planner {
  private var numbers: Numbers
  private var made = 0

  static let treeIDs = ["t", "u"]
  static let ids = ["a", "b"] + treeIDs

  init(seed: UInt64) { numbers = Numbers(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

  private mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  /// What an action causes. Actions are called by their depth: those that lead on become rarer, and a turn ends.
  mutating func plan(for action: String) -> Plan {
    plan(height: 3, depth: (Int(action) ?? 0) + 1, isInTree: false)
  }

  private mutating func plan(height: Int, depth: Int, isInTree: Bool) -> Plan {
    switch height == 0 ? next(6) : next(12) {
    case 0: return depth < 4 ? .send("\(depth)") : .none
    case 1, 2: return run(isInTree ? ["a", "b"] : ["a", "b", "t", "u"])
    case 3: return next(8) == 0 ? .cancelEverything : .cancel(id: ["a", "b", "t", "u"][next(4)])
    case 4, 5: return run([])
    case 6, 7: return .all(of: parts(height, depth, isInTree))
    case 8, 9, 10: return .sequence(of: parts(height, depth, isInTree))
    default:
      guard !isInTree else { return .none }
      let content = plan(height: height - 1, depth: depth, isInTree: true)
      return content.isNone ? .none : .tree(id: ["t", "u"][next(2)], overlap(), content)
    }
  }

  private mutating func parts(_ height: Int, _ depth: Int, _ isInTree: Bool) -> [Plan] {
    (0..<2 + next(2)).map { _ in plan(height: height - 1, depth: depth, isInTree: isInTree) }
  }

  private mutating func run(_ ids: [String]) -> Plan {
    made += 1
    let catches = next(3) == 0
    guard !ids.isEmpty else { return .run(.init(name: "r\(made)", catches: catches)) }
    return .run(.init(name: "r\(made)", id: ids[next(ids.count)], overlap: overlap(), catches: catches))
  }

  private mutating func overlap() -> Overlap {
    let (limit, exclusive) = (1 + next(3), next(3) == 0)
    return switch next(8) {
    case 0: .concurrent
    case 1, 2: .restart(limit: limit, exclusive: exclusive)
    case 3: .drop(limit: limit, exclusive: exclusive)
    case 4: .enqueue(limit: limit, exclusive: exclusive)
    case 5: .enqueue(limit: limit, exclusive: exclusive, capacity: next(3))
    case 6: .enqueue(limit: limit, exclusive: exclusive, capacity: 1 + next(2), whenFull: .dropOldest)
    default: .keepLatest(limit: limit, exclusive: exclusive)
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport

/// An effect that the model can read: the interpreted effect is made of the same plan.
indirect enum Plan: Sendable {
  case none
  case send(String)
  case run(Run)
  case merge([Plan])
  case concatenate([Plan])
  case cancel(id: String)
  case cancelIDs([String])
  /// All work whose id is one of these, in any scope.
  case cancelAll(Set<String>)
  case cancelEverything
  case cancelScope
  case tree(id: String, Overlap, Plan)
  /// In the only scope there is.
  case scoped(Plan)
  /// With time modifiers, for every run in it.
  case timed(Timing, Plan)

  struct Run: Sendable {
    var name: String
    var id: String?
    var overlap = Overlap.concurrent
    var catches = false
    var conduct = Conduct.sending
    var input: String?
    var timing = Timing()
    var script = Script()
    /// How many of the scopes around it do not count for it.
    var lostScopes = 0
  }

  /// What an explored run does.
  enum Conduct { case sending, throwing, delivering, asking, waiting }

  var isNone: Bool {
    switch self {
    case .none: true
    case .scoped(let content): content.isNone
    default: false
    }
  }

  static let scope = "s"

  /// An id as the path that the model uses.
  static func id(_ path: String) -> EffectID {
    path.hasPrefix("s/") ? id(String(path.dropFirst(2))).scoped(by: EffectID(scope)) : EffectID(path)
  }

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
    case .cancelIDs(let ids): .cancel(ids: ids)
    case .cancelAll(let names): .cancel(.all(of: String.self) { names.contains($0) })
    case .cancelEverything: .cancel(.everything)
    case .cancelScope: .cancel(scope: Plan.scope)
    case .scoped(let content): content.effect(ledger).scoped(EffectID(Plan.scope)) { $0 }
    case .tree(let id, let overlap, let content):
      content.effect(ledger).cancellable(id: EffectID(id), overlap: overlap)
    case .timed(let timing, let content): timing.applied(to: content.effect(ledger))
    }
  }
}

/// Makes plans of every kind, over few ids so that they meet.
struct Planner {
  private var numbers: Numbers
  private var made = 0

  static let treeIDs = ["t", "u", "v"].flatMap { [$0, "s/" + $0] }
  static let ids = ["a", "b", "s/a", "s/b"] + treeIDs

  init(seed: UInt64) { numbers = Numbers(seed: seed) }

  private mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  /// What an action causes. The name of an action is its depth: actions that cause more become rarer, so that a turn
  /// ends.
  mutating func plan(for action: String) -> Plan {
    plan(height: 3, In(depth: (Int(action) ?? 0) + 1))
  }

  /// What contains a part. Trees are nested, also in one of their own id, and hold runs of it (rule E6).
  private struct In {
    var depth: Int
    var trees: [String] = []
    var isScoped = false
  }

  private mutating func plan(height: Int, _ place: In) -> Plan {
    var inner = place
    switch height == 0 ? next(6) : next(14) {
    case 0: return place.depth < 4 ? .send("\(place.depth)") : .none
    case 1, 2: return run(place.trees.isEmpty ? ["a", "b", "t", "u"] : ["a", "b"] + place.trees)
    case 3:
      switch next(16) {
      case 0, 1: return .cancelEverything
      case 2, 3: return place.isScoped ? .cancelEverything : .cancelScope
      default: return .cancel(id: ["a", "b", "t", "u", "v"][next(5)])
      }
    case 4, 5: return run([])
    case 6, 7: return .all(of: parts(height, place))
    case 8, 9, 10: return .sequence(of: parts(height, place))
    case 11 where !place.isScoped:
      inner.isScoped = true
      let content = plan(height: height - 1, inner)
      return content.isNone ? .none : .scoped(content)
    default:
      guard place.trees.count < 2 else { return .none }
      let id = place.trees.isEmpty ? ["t", "u"][next(2)] : next(2) == 0 ? "v" : place.trees[0]
      inner.trees.append(id)
      let content = plan(height: height - 1, inner)
      return content.isNone ? .none : .tree(id: id, overlap(), content)
    }
  }

  private mutating func parts(_ height: Int, _ place: In) -> [Plan] {
    (0..<2 + next(2)).map { _ in plan(height: height - 1, place) }
  }

  private mutating func run(_ ids: [String]) -> Plan {
    made += 1
    let catches = next(3) == 0
    guard !ids.isEmpty else { return .run(.init(name: "r\(made)", catches: catches)) }
    return .run(.init(name: "r\(made)", id: ids[next(ids.count)], overlap: overlap(), catches: catches))
  }

  private mutating func overlap() -> Overlap {
    let (limit, exclusive) = (1 + next(3), next(3) == 0)
    return switch next(10) {
    case 0: .concurrent
    case 1, 2: .restart(limit: limit, exclusive: exclusive)
    case 3: .drop(limit: limit, exclusive: exclusive)
    case 4: .enqueue(limit: limit, exclusive: exclusive)
    case 5: .enqueue(limit: limit, exclusive: exclusive, capacity: next(3))
    case 6: .enqueue(limit: limit, exclusive: exclusive, capacity: 1 + next(2), whenFull: .dropOldest)
    case 7: .keepLatest(limit: limit, exclusive: exclusive)
    default: .join(limit: limit)
    }
  }
}

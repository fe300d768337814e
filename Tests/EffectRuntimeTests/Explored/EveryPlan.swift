// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// Two actions and the effects that each causes; runs have numbers as names, in order.
struct EveryProgram: CustomStringConvertible {
  let plans: [Plan]
  let overlap: Overlap

  /// A part of a program, before its runs have names.
  indirect enum Shape {
    /// A run without an id, under the id, and one under the id that throws and is caught; a send; a cancel of the id.
    case free, own, failing, send, cancel
    /// Runs under the id: the first throws an error that is not caught; the next waits until its action is reduced, and
    /// sends another; the action of the next starts one more run of the id; the last waits to be cancelled.
    case throwing, delivering, asking, waiting
    case cancelScope, cancelEverything
    case merge([Shape]), concatenate([Shape])
    /// Under the id.
    case tree(Shape)
    /// In the only scope there is.
    case scoped(Shape)
  }

  /// The parts that programs are made of.
  struct Vocabulary {
    var leaves: [Shape] = [.free, .own, .failing, .send, .cancel]
    /// The parts that trees under the id may hold.
    var trees = Trees.withoutID
    var hasScopes = false

    enum Trees { case none, withoutID, withID }

    /// Whether some programs end with runs that wait for ever, as they should.
    var mayWait: Bool { trees == .withID || leaves.contains { if case .waiting = $0 { true } else { false } } }
  }

  static let id = "a"

  private init(_ shapes: [Shape], _ overlap: Overlap) {
    var count = 0
    self.overlap = overlap
    plans = shapes.map { Self.plan($0, overlap, &count) }
  }

  var description: String { plans.map { "\($0)" }.joined(separator: " | ") }

  private static func plan(_ shape: Shape, _ overlap: Overlap, _ count: inout Int) -> Plan {
    switch shape {
    case .free, .own, .failing, .throwing, .delivering, .asking, .waiting:
      count += 1
      var run = Plan.Run(name: "r\(count)", id: id, overlap: overlap)
      switch shape {
      case .free: run = Plan.Run(name: "r\(count)")
      case .failing: (run.name, run.catches) = ("r\(count)x", true)
      case .throwing: run.conduct = .throwing
      case .delivering: run.conduct = .delivering
      case .asking: (run.name, run.conduct) = ("q\(count)", .asking)
      case .waiting: run.conduct = .waiting
      default: break
      }
      return .run(run)
    case .send:
      count += 1
      return .send("s\(count)")
    case .cancel: return .cancel(id: id)
    case .cancelScope: return .cancelScope
    case .cancelEverything: return .cancelEverything
    case .scoped(let content): return .scoped(plan(content, overlap, &count))
    case .merge(let parts): return .merge(parts.map { plan($0, overlap, &count) })
    case .concatenate(let parts): return .concatenate(parts.map { plan($0, overlap, &count) })
    case .tree(let content): return .tree(id: id, overlap, plan(content, overlap, &count))
    }
  }

  // MARK: - All of them

  /// Every program of two actions with so many parts in all: leaves and trees.
  static func all(parts: Int, of vocabulary: Vocabulary = Vocabulary(), _ overlap: Overlap) -> [EveryProgram] {
    let shapes = Shapes(upTo: parts - 1, of: vocabulary)
    return (1..<parts).flatMap { first in
      shapes[first].flatMap { left in shapes[parts - first].map { right in [left, right] } }
    }
    // Without the id all overlaps are equal.
    .filter { pair in overlap == .concurrent || pair.contains(where: \.usesID) }
    .map { EveryProgram($0, overlap) }
  }

  /// Every shape, by its number of parts, in normal form: no merge in a merge, and so on.
  private struct Shapes {
    private var bySize: [[Shape]]

    subscript(size: Int) -> [Shape] { bySize[size] }

    init(upTo size: Int, of vocabulary: Vocabulary) {
      bySize = [[], vocabulary.leaves]
      guard size > 1 else { return }
      for size in 2...size {
        var found: [Shape] = []
        found += lists(size, isMerge: true).map { .merge($0) }
        found += lists(size, isMerge: false).map { .concatenate($0) }
        switch vocabulary.trees {
        case .none: break
        case .withoutID: found += bySize[size - 1].filter { !$0.isUnderID && !$0.isFree }.map { .tree($0) }
        case .withID: found += bySize[size - 1].filter { !$0.isFree }.map { .tree($0) }
        }
        if vocabulary.hasScopes { found += bySize[size - 1].filter { !$0.isScoped }.map { .scoped($0) } }
        bySize.append(found)
      }
    }

    /// Every list of two parts or more.
    private func lists(_ size: Int, isMerge: Bool) -> [[Shape]] {
      func parts(_ left: Int, _ count: Int) -> [[Shape]] {
        if left == 0 { return count > 1 ? [[]] : [] }
        return (1...left).flatMap { first in
          first == size
            ? []
            : bySize[first].filter { isMerge ? !$0.isMerge : !$0.isConcatenate }
              .flatMap { part in parts(left - first, count + 1).map { [part] + $0 } }
        }
      }
      return parts(size, 0)
    }
  }
}

extension EveryProgram.Shape {
  fileprivate var isMerge: Bool { if case .merge = self { true } else { false } }
  fileprivate var isConcatenate: Bool { if case .concatenate = self { true } else { false } }
  fileprivate var isFree: Bool { if case .free = self { true } else { false } }

  /// Whether some work in it is under the id: in a tree of the same id it would wait for itself (rule O4).
  fileprivate var isUnderID: Bool {
    switch self {
    case .own, .failing, .throwing, .delivering, .asking, .waiting, .tree: true
    case .free, .send, .cancel, .cancelScope, .cancelEverything: false
    case .scoped(let content): content.isUnderID
    case .merge(let parts), .concatenate(let parts): parts.contains(where: \.isUnderID)
    }
  }

  /// Whether something in it has the scope, which is not nested.
  fileprivate var isScoped: Bool {
    switch self {
    case .scoped, .cancelScope: true
    case .merge(let parts), .concatenate(let parts): parts.contains(where: \.isScoped)
    case .tree(let content): content.isScoped
    default: false
    }
  }

  fileprivate var usesID: Bool {
    switch self {
    case .merge(let parts), .concatenate(let parts): parts.contains(where: \.usesID)
    default: isUnderID
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// Two actions and what each causes; runs are called by numbers, in order.
struct EveryProgram: CustomStringConvertible {
  let plans: [Plan]

  /// A part of a program, before its runs have names.
  indirect enum Shape {
    /// A run without an id, under the id, and one under the id that throws and is caught; a send; a cancel of the id.
    case free, own, failing, send, cancel
    case merge([Shape]), concatenate([Shape])
    /// Under the id; what is in it is not.
    case tree(Shape)
  }

  static let id = "a"

  private init(_ shapes: [Shape], _ overlap: Overlap) {
    var count = 0
    plans = shapes.map { Self.plan($0, overlap, &count) }
  }

  var description: String { plans.map { "\($0)" }.joined(separator: " | ") }

  private static func plan(_ shape: Shape, _ overlap: Overlap, _ count: inout Int) -> Plan {
    switch shape {
    case .free, .own, .failing:
      count += 1
      if case .free = shape { return .run(.init(name: "r\(count)")) }
      if case .failing = shape { return .run(.init(name: "r\(count)x", id: id, overlap: overlap, catches: true)) }
      return .run(.init(name: "r\(count)", id: id, overlap: overlap))
    case .send:
      count += 1
      return .send("s\(count)")
    case .cancel: return .cancel(id: id)
    case .merge(let parts): return .merge(parts.map { plan($0, overlap, &count) })
    case .concatenate(let parts): return .concatenate(parts.map { plan($0, overlap, &count) })
    case .tree(let content): return .tree(id: id, overlap, plan(content, overlap, &count))
    }
  }

  // MARK: - All of them

  /// Every program of two actions with so many parts in all: leaves and trees.
  static func all(parts: Int, _ overlap: Overlap) -> [EveryProgram] {
    let shapes = Shapes(upTo: parts - 1)
    return (1..<parts).flatMap { first in
      shapes[first].flatMap { left in shapes[parts - first].map { right in [left, right] } }
    }
    // Without the id all overlaps are alike.
    .filter { pair in overlap == .concurrent || pair.contains(where: \.usesID) }
    .map { EveryProgram($0, overlap) }
  }

  /// Every shape, by its number of parts, in normal form: no merge in a merge, and so on.
  private struct Shapes {
    private var bySize: [[Shape]] = [[], [.free, .own, .failing, .send, .cancel]]

    subscript(size: Int) -> [Shape] { bySize[size] }

    init(upTo size: Int) {
      guard size > 1 else { return }
      for size in 2...size {
        var found: [Shape] = []
        found += lists(size, isMerge: true).map { .merge($0) }
        found += lists(size, isMerge: false).map { .concatenate($0) }
        found += bySize[size - 1].filter { !$0.isUnderID && !$0.isFree }.map { .tree($0) }
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
    case .own, .failing, .tree: true
    case .free, .send, .cancel: false
    case .merge(let parts), .concatenate(let parts): parts.contains(where: \.isUnderID)
    }
  }

  fileprivate var usesID: Bool {
    switch self {
    case .merge(let parts), .concatenate(let parts): parts.contains(where: \.usesID)
    default: isUnderID
    }
  }
}

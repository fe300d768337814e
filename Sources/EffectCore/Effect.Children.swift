// This source file is part of swift-effects. License: Apache-2.0.

extension Effect {
  /// The parts of a `merge` or a `concatenate`, in order.
  ///
  /// There are always at least two, and none of them is `.none`: only the functions of the same names make `Children`.
  public struct Children: Sendable {
    @usableFromInline package fileprivate(set) var node: Node

    @inlinable
    init(node: Node) {
      self.node = node
    }
  }

  /// A tree of effects that is one unit under an id: one policy decides about all of it, one cancel stops it.
  public struct Tree: Sendable {
    @usableFromInline package fileprivate(set) var node: Node
    @usableFromInline package let label: TreeLabel

    /// The name of the unit.
    package var id: EffectID { label.id }
    /// What happens when it starts while other work of its id is active.
    package var overlap: Overlap { label.overlap }
    /// The effect inside.
    package var content: Effect { node.children[0] }
  }

  /// The heap part of a tree.
  ///
  /// An indirect enum would be the obvious choice, but it overflows the stack when a tree of about ten thousand levels
  /// is released. A class can release its parts in a loop.
  // SAFETY: `children` is written in `init` and in `deinit` only, when no other code has a reference to the node.
  @usableFromInline
  package final class Node: EffectNode, @unchecked Sendable {
    @usableFromInline package fileprivate(set) var children: [Effect]
    /// Whether any of the children is a branch, so that most nodes need no search for branches when they are released.
    @usableFromInline let hasBranches: Bool

    @inlinable
    init(_ children: [Effect], scope: EffectID?) {
      self.children = children
      hasBranches = children.contains { $0.isBranch }
      super.init(count: children.count, scope: scope)
    }

    deinit {
      guard hasBranches else { return }
      var pending: [Effect] = []
      swap(&pending, &children)
      while let effect = pending.popLast() {
        switch consume effect {
        case .merge(var children), .concatenate(var children): Node.takeApart(&children.node, into: &pending)
        case .cancellable(var tree): Node.takeApart(&tree.node, into: &pending)
        case .none, .send, .run, .cancel: break
        }
      }
    }

    override package func firstWork(of ids: Set<EffectID>, from index: Int) -> CallSite? {
      var pending = Array(children[index...].reversed())
      while let effect = pending.popLast() {
        switch effect {
        case .none, .send, .cancel: break
        case .run(let operation): if let id = operation.id, ids.contains(id) { return operation.site }
        case .merge(let children), .concatenate(let children): pending.append(contentsOf: children.reversed())
        case .cancellable(let tree):
          if ids.contains(tree.id) { return tree.label.site }
          pending.append(tree.content)
        }
      }
      return nil
    }

    /// Moves the children of a node that is about to be released to the list. Its own release then finds nothing to do.
    private static func takeApart(_ node: inout Node, into pending: inout [Effect]) {
      guard isKnownUniquelyReferenced(&node) else { return }
      pending.append(contentsOf: node.children)
      node.children = []
    }
  }

  @inlinable
  var isBranch: Bool {
    switch self {
    case .merge, .concatenate, .cancellable: true
    case .none, .send, .run, .cancel: false
    }
  }
}

extension Effect.Children: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of parts.
  public var endIndex: Int { node.children.count }
  /// The part at a position.
  ///
  /// - Parameter position: from 0, in the order in which the parts were written.
  /// - Complexity: O(1).
  public subscript(position: Int) -> Effect { node.children[position] }
}

// MARK: - Making nodes

extension Effect {
  /// The normal form of several parts: without `.none`. No part makes `.none`, and a single part stays as it is.
  @inlinable
  static func branch(
    _ parts: [Effect], scope: EffectID? = nil, _ make: (Children) -> Effect
  ) -> Effect {
    var count = 0
    var last = 0
    for index in parts.indices where !parts[index].isNone {
      count += 1
      last = index
    }
    switch count {
    case 0: return .none
    case 1: return parts[last]
    case parts.count: return make(Children(node: Node(parts, scope: scope)))
    default: return make(Children(node: Node(parts.filter { !$0.isNone }, scope: scope)))
    }
  }

  static func tree(_ content: Effect, label: TreeLabel, scope: EffectID? = nil) -> Effect {
    .cancellable(Tree(node: Node([content], scope: scope), label: label))
  }
}

// MARK: - Without the action type

/// A node without the action type, for the scheduler, which is compiled once for all action types.
// SAFETY: both properties are constants of Sendable type.
@usableFromInline
package class EffectNode: @unchecked Sendable {
  /// How many parts it was made with.
  package let count: Int
  /// The scope this part of the tree was built in, so that cancelling the scope stops a sequence between two parts.
  package let scope: EffectID?

  @usableFromInline
  init(count: Int, scope: EffectID?) {
    self.count = count
    self.scope = scope
  }

  /// The line of the first run or tree of one of these ids, from a part on; `nil` if there is none. O(size).
  package func firstWork(of ids: Set<EffectID>, from index: Int) -> CallSite? { nil }
}

/// The id, overlap and source line of an ``Effect/Tree``; on the heap so that an effect stays small.
@usableFromInline
package final class TreeLabel: Sendable {
  package let id: EffectID
  package let overlap: Overlap
  package let site: CallSite

  package init(id: EffectID, overlap: Overlap, site: CallSite) {
    self.id = id
    self.overlap = overlap
    self.site = site
  }
}

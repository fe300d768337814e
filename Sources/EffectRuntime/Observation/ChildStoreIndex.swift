// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The child stores of a parent that are still used. It makes a child have one store as long as this store is used, so
/// that a view that is given the same object again need not be evaluated again.
struct ChildStoreIndex {
  /// What distinguishes the children of a parent.
  struct Name: Hashable {
    let field: FieldName
    let scope: EffectID?
    let extraction: ClosureIdentity?
    let actions: ObjectIdentifier
  }

  /// All nodes of a child have the same fields. There are several if its actions are sent through several case paths.
  private struct Entry {
    weak var fields: ObservedFields?
    var nodes: [Node] = []
  }

  private struct Node {
    weak var node: AnyObject?
    let embedding: ClosureIdentity
  }

  private var entries: [Name: Entry] = [:]
  private var countWhenSwept = 0

  /// How many entries there are; for tests of the entries that remain.
  var count: Int { entries.count }

  /// The node of a child that sends through a case path; `nil` if there is none that is still used.
  func node(_ name: Name, _ embedding: ClosureIdentity) -> AnyObject? {
    entries[name]?.nodes.first { $0.embedding == embedding && $0.node != nil }?.node
  }

  /// The fields of a child, as long as a reader tracks them, also if no store of the child is kept.
  func fields(_ name: Name) -> ObservedFields? { entries[name]?.fields }

  /// Adds a node of a child. Sometimes removes the entries of children that are not used any more.
  mutating func note(_ node: AnyObject, _ fields: ObservedFields, _ name: Name, _ embedding: ClosureIdentity) {
    var entry = entries[name] ?? Entry()
    entry.fields = fields
    entry.nodes.removeAll { $0.node == nil }
    entry.nodes.append(Node(node: node, embedding: embedding))
    entries[name] = entry
    guard entries.count > 2 * countWhenSwept + 32 else { return }
    entries = entries.filter { $0.value.fields != nil }
    countWhenSwept = entries.count
  }
}

/// Identifies a closure. While two closures exist, their identities are equal only if they are the same closure.
struct ClosureIdentity: Hashable {
  private let function: UInt
  private let context: UInt

  /// - Parameter position: the position of the closure in the path: the first or the second one.
  fileprivate init<Root, Value>(of path: CasePath<Root, Value>, at position: Int) {
    // SAFETY: a path consists of two closures, and a closure of two words: a function and its context. Only the bits are
    // compared, and nothing is made of them.
    (function, context) = unsafe withUnsafeBytes(of: path) { bytes in
      unsafe (
        bytes.load(fromByteOffset: 2 * position * MemoryLayout<UInt>.size, as: UInt.self),
        bytes.load(fromByteOffset: (2 * position + 1) * MemoryLayout<UInt>.size, as: UInt.self)
      )
    }
  }
}

extension CasePath {
  /// The identity of the closure that embeds. The node of a child keeps that closure.
  var embedding: ClosureIdentity { ClosureIdentity(of: self, at: 0) }
  /// The identity of the closure that extracts. The node of a child keeps that closure.
  var extraction: ClosureIdentity { ClosureIdentity(of: self, at: 1) }
}

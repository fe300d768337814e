// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  /// The child that a view shows. The number of a child is one of its parent's: if a view is given another store, or another
  /// row, the child with the same number is another child.
  struct ShownChild<ID: Hashable>: Hashable {
    let id: ID
    private let parent: ObservedFields

    init(_ id: ID, of parent: ObservedFields) {
      self.id = id
      self.parent = parent
    }

    static func == (first: Self, second: Self) -> Bool { first.id == second.id && first.parent === second.parent }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }
#endif

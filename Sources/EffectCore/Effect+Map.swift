// This source file is part of swift-effects. License: Apache-2.0.

// MARK: - Functor

extension Effect {
  /// The same effect with every action transformed.
  ///
  /// Names do not change: the `"search"` of one child and that of another are the same id. Use ``scoped(_:_:)`` to keep
  /// the work of children apart.
  ///
  /// - Isolation: the transformation may be called from any thread, once for each action.
  /// - Complexity: O(number of nodes), without recursion.
  /// - Laws: shape is kept; `e.map(f).map(g)` behaves as `e.map { g(f($0)) }`.
  /// - Parameter transform: makes the action of the parent. It must be pure: it may also be called for actions that
  ///   are dropped later.
  /// - Returns: the effect with the parent's actions and the same ids.
  public func map<Parent: Sendable>(_ transform: @escaping @Sendable (Action) -> Parent) -> Effect<Parent> {
    transformed(scope: nil, transform)
  }

  /// The effect of a child feature: every action transformed, every name put inside a scope.
  ///
  /// ```swift
  /// case .row(let id, let action):
  ///   return row.reduce(into: &state.rows[id], action: action).scoped(id) { .row(id, $0) }
  /// case .removed(let id):
  ///   state.rows[id] = nil
  ///   return .cancel(scope: id)
  /// ```
  ///
  /// Then the `"search"` of one row and that of another are different ids. A `cancel` inside the child reaches only the
  /// child's own work. `.cancel(scope: id)` stops all of the child's work. ``Reducer/reduce(into:action:fileID:line:)``
  /// is for children that may have been removed, such as rows.
  ///
  /// - Complexity: O(number of nodes), without recursion.
  /// - Parameters:
  ///   - scope: what separates this child from others: the id of its row, or a name.
  ///   - transform: makes the action of the parent.
  /// - Returns: the effect with the parent's actions, and with ids inside of the scope.
  public func scoped<Parent: Sendable>(
    _ scope: some Hashable & Sendable, _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    // Most actions cause no work, and an id costs more than everything else here.
    isNone ? .none : transformed(scope: EffectID(scope), transform)
  }

  private func transformed<Parent: Sendable>(
    scope: EffectID?, _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    rebuilt(scope: scope) { $0.transformedLeaf(scope: scope, transform) }
  }

  /// The same effect with every run changed, and each `.send` replaced by the run that `send` makes of it, if any.
  func mapRuns(_ change: (Operation) -> Operation, send: (Action) -> Operation? = { _ in nil }) -> Effect {
    rebuilt(scope: nil) { effect in
      switch effect {
      case .run(let operation): .run(change(operation))
      case .send(let action): send(action).map { .run($0) } ?? effect
      case .none, .cancel: effect
      case .merge, .concatenate, .cancellable: nil
      }
    }
  }

  /// The same tree with other leaves; `leaf` returns `nil` for an effect that has children.
  private func rebuilt<Parent: Sendable>(
    scope: EffectID?, _ leaf: (Effect) -> Effect<Parent>?
  ) -> Effect<Parent> {
    if let leaf = leaf(self) { return leaf }
    // A tree is rebuilt from its leaves upwards with a stack of our own: the thread's stack may have only 512 KiB.
    var stack = [Rebuild<Parent>(of: self)]
    while true {
      let top = stack.count - 1
      if let child = stack[top].nextChild() {
        if let leaf = leaf(child) {
          stack[top].done.append(leaf)
        } else {
          stack.append(Rebuild(of: child))
        }
        continue
      }
      let rebuilt = stack.removeLast().result(scope: scope)
      guard !stack.isEmpty else { return rebuilt }
      stack[top - 1].done.append(rebuilt)
    }
  }

  /// The transformed effect, if it has no children.
  private func transformedLeaf<Parent: Sendable>(
    scope: EffectID?, _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent>? {
    switch self {
    case .none: Effect<Parent>.none
    case .send(let action): .send(transform(action))
    case .run(let operation): .run(operation.mapped(scope: scope, transform))
    case .cancel(let target): .cancel(scope.map(target.scoped(by:)) ?? target)
    case .merge, .concatenate, .cancellable: nil
    }
  }

  /// A branch whose children are being transformed.
  private struct Rebuild<Parent: Sendable> {
    let branch: Effect
    let node: Node
    var done: [Effect<Parent>] = []

    init(of branch: Effect) {
      self.branch = branch
      switch branch {
      case .merge(let children), .concatenate(let children): node = children.node
      case .cancellable(let tree): node = tree.node
      case .none, .send, .run, .cancel:
        fatalError("Effect.map: a leaf has no children; bug in EffectCore, please report")
      }
      done.reserveCapacity(node.children.count)
    }

    func nextChild() -> Effect? {
      done.count < node.children.count ? node.children[done.count] : nil
    }

    consuming func result(scope: EffectID?) -> Effect<Parent> {
      let inside = scope.map { scope in node.scope?.inside(scope) ?? scope } ?? node.scope
      switch branch {
      case .merge: return .branch(done, scope: inside) { .merge($0) }
      case .concatenate: return .branch(done, scope: inside) { .concatenate($0) }
      case .cancellable(let tree):
        let id = scope.map(tree.id.inside) ?? tree.id
        // A `send` that was replaced by a run gets the id, like a run that is written there.
        if case .send = tree.content, case .run(let operation) = done[0], operation.isPlain {
          return .run(operation.named(id, overlap: tree.overlap))
        }
        let label = TreeLabel(id: id, overlap: tree.overlap, site: tree.label.site)
        return .tree(done[0], label: label, scope: inside)
      case .none, .send, .run, .cancel: return .none
      }
    }
  }
}

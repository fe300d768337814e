// This source file is part of swift-effects. License: Apache-2.0.

extension Reducer {
  /// Adds an optional child: a sheet, a detail, whatever is there for a while.
  ///
  /// ```swift
  /// Reduce<State, Action> { state, action in
  ///   switch action {
  ///   case .editTapped: state.editor = Editor.State(text: state.text); return .none
  ///   case .editor(.done), .closed: state.editor = nil; return .none        // what the editor was doing is cancelled
  ///   case .editor: return .none
  ///   }
  /// }
  /// .ifLet(\.editor, action: editor) { Editor() }
  /// ```
  ///
  /// Ids of the child's work lie inside the key path, as with ``Scope``.
  ///
  /// - Ordering: the child has its action first, then the parent, which sees what the child made of it. If the parent has
  ///   removed the child then, what both returned is: the cancel of the child's work, then the parent's effect; of what the
  ///   child returned for this very action nothing begins (rule M2).
  /// - Cancellation: whoever inside this reducer sets the state to `nil` cancels all work of the child, running and queued,
  ///   at the end of this reduction, and no other's. So does whoever puts another child in its place: one with another
  ///   `id`, if its state is `Identifiable`. One without an id is the same child as long as there is one; its parent
  ///   returns `.cancel(scope: \State.editor)`.
  /// - Errors: an action for a child that is not there is dropped and reported as a ``MissingChild`` of this line (rule M3);
  ///   the parent sees it.
  /// - Complexity: a key path and a case path more than the child and the parent.
  public func ifLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> some Reducer<State, Action> {
    OptionalChild(
      parent: self, child: child(), action: action, position: EffectID(position: state),
      site: CallSite(fileID: fileID, line: line), identity: { $0[keyPath: state].map { _ in true } },
      reduce: { child, parent, action, site in child.reduce(into: &parent[keyPath: state], action: action, at: site) })
  }

  /// Adds an optional child that has an id; see ``ifLet(_:action:fileID:line:_:)``. Another id is another child.
  public func ifLet<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> some Reducer<State, Action> where ChildState: Identifiable {
    OptionalChild(
      parent: self, child: child(), action: action, position: EffectID(position: state),
      site: CallSite(fileID: fileID, line: line), identity: { $0[keyPath: state]?.id },
      reduce: { child, parent, action, site in child.reduce(into: &parent[keyPath: state], action: action, at: site) })
  }
}

/// A child that comes and goes, wherever its state is kept.
struct OptionalChild<Parent: Reducer, Child: Reducer, Identity: Equatable>: Reducer {
  let parent: Parent
  let child: Child
  let action: CasePath<Parent.Action, Child.Action>
  let position: EffectID
  let site: CallSite
  /// Who is there.
  let identity: (Parent.State) -> Identity?
  let reduce: (Child, inout Parent.State, Child.Action, CallSite) -> Effect<Child.Action>

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    // Before the child as well: one that makes another of itself is another one.
    let former = identity(state)
    var effect = Effect<Parent.Action>.none
    if let childAction = self.action.extract(action) {
      effect = reduce(child, &state, childAction, site).scoped(position, self.action.embed)
    }
    let others = parent.reduce(into: &state, action: action)
    if let former, former != identity(state) { effect = .cancel(.scope(position)) }
    return .merge(effect, others)
  }
}

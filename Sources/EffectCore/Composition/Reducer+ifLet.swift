// This source file is part of swift-effects. License: Apache-2.0.

extension Reducer {
  /// Adds an optional child: for example a sheet or a detail screen, which exists for a while.
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
  /// - Ordering: the child reduces its action first, then the parent, which sees the changed state. If the parent
  ///   removes the child, the result of both is the cancel of the child's work, then the parent's effect. The effect
  ///   that the child returned for this action does not start (rule M2).
  /// - Cancellation: if code inside this reducer sets the state to `nil`, all work of the child, active and queued, is
  ///   cancelled at the end of this reduction. Other work goes on. The same happens if another child replaces it: one
  ///   with another `id`, if the state is `Identifiable`. A child without an id is the same child until the state is
  ///   `nil`; to replace it, the parent returns `.cancel(scope: \State.editor)`. If this reducer makes a child, the
  ///   work of a former one is cancelled first, if there is any.
  /// - Errors: an action for a child that is not there is reduced by its parent only, and reported as a missing child of this
  ///   line (rule M3).
  /// - Complexity: that of the child and the parent, plus a key path and a case path.
  /// - Parameters:
  ///   - state: where the child's state is; `nil` means that there is no child.
  ///   - action: the case of the parent's actions that holds the child's.
  ///   - fileID: the file that a report about an action for a missing child names.
  ///   - line: the line likewise.
  ///   - child: what reduces the child's state.
  /// - Returns: this reducer together with its child.
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
  ///
  /// - Parameters:
  ///   - state: where the child's state is; `nil` means that there is no child.
  ///   - action: the case of the parent's actions that holds the child's.
  ///   - fileID: the file that a report about an action for a missing child names.
  ///   - line: the line likewise.
  ///   - child: what reduces the child's state.
  /// - Returns: this reducer together with its child.
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

/// A child that does not always exist: its state is in an optional or in an enum case.
struct OptionalChild<Parent: Reducer, Child: Reducer, Identity: Equatable>: Reducer {
  let parent: Parent
  let child: Child
  let action: CasePath<Parent.Action, Child.Action>
  let position: EffectID
  let site: CallSite
  /// The identity of the child; `nil` if there is none.
  let identity: (Parent.State) -> Identity?
  let reduce: (Child, inout Parent.State, Child.Action, CallSite) -> Effect<Child.Action>

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    // Read before the child is called: a child that changes its own id is another child.
    let former = identity(state)
    var effect = Effect<Parent.Action>.none
    if let childAction = self.action.extract(action) {
      effect = reduce(child, &state, childAction, site).scoped(position, self.action.embed)
    }
    let others = parent.reduce(into: &state, action: action)
    guard let former else {
      // Work of a child that was removed where this reducer did not see it must not reach the new one.
      return identity(state) == nil ? .merge(effect, others) : .merge(.cancel(.scope(position)), effect, others)
    }
    if !Sameness.areSame(former, identity(state)) { effect = .cancel(.scope(position)) }
    return .merge(effect, others)
  }
}

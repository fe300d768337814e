// This source file is part of swift-effects. License: Apache-2.0.

extension Reducer where State: Equatable {
  /// Adds undo and redo to a feature.
  ///
  /// ```swift
  /// Editor(check: check).undoable(cancelling: ["check"], keeping: { $0.isOnline = $1.isOnline }) { action in
  ///   switch action {
  ///   case .typed: .grouped(by: "typing")                    // one step until something else is done
  ///   case .cleared: .single
  ///   case .checked, .connectionChanged: .notUndoable        // not done by the user
  ///   }
  /// }
  /// ```
  ///
  /// The actions become ``UndoAction``, the state ``Undoable``. Ids of the feature's work stay as they are.
  ///
  /// Undo restores the whole state of the feature, including what actions that are not undoable have changed since. If
  /// such a part must not go back, copy it in `keeping`, or keep it in the parent's state.
  ///
  /// - Ordering: an undo changes the state; its effect is the cancel of `cancelling`, and nothing else (rule M7). The work
  ///   of the undone actions is not reversed, and redo does not start it again.
  /// - Cancellation: work of the feature goes on after undo and redo, and its actions come as ``UndoAction/edit(_:)``. An
  ///   undo or redo that changes the state cancels the work of the ids in `cancelling`. Name there the work whose answer
  ///   belongs to the state that is replaced.
  /// - Isolation: as for any ``Reducer``; the closures are called on the store's executor.
  /// - Complexity: that of the feature, and of ``Undoable/edit(_:_:)``.
  ///
  /// - Parameters:
  ///   - ids: work that an undo or redo cancels, by the ids that the feature uses.
  ///   - keep: what undo and redo do not change: gets the state that is restored, and the present state, from which it
  ///     copies.
  ///   - step: what an action is for the history. It is called once for each action of the feature, before its reduction.
  /// - Returns: a reducer that handles undo and redo as well.
  public func undoable(
    cancelling ids: [EffectID] = [],
    keeping keep: @escaping (_ restored: inout State, _ present: State) -> Void = { _, _ in },
    step: @escaping (_ action: Action) -> UndoStep
  ) -> some Reducer<Undoable<State>, UndoAction<Action>> {
    let cancels = Effect<UndoAction<Action>>.merge(ids.map { .cancel(.id($0.implied)) })
    return Reduce { state, action in
      switch action {
      case .edit(let action):
        let effect = state.edit(step(action)) { self.reduce(into: &$0, action: action) }
        return effect.isNone ? .none : effect.map { .edit($0) }
      case .undo: return state.undo(keeping: keep) ? cancels : .none
      case .redo: return state.redo(keeping: keep) ? cancels : .none
      }
    }
  }
}

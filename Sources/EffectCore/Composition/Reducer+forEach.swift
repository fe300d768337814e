// This source file is part of swift-effects. License: Apache-2.0.

extension Reducer {
  /// Adds a child for each row of a collection.
  ///
  /// ```swift
  /// Reduce<State, Action> { state, action in
  ///   switch action {
  ///   case .row(let id, .deleteTapped): state.rows[id] = nil; return .none          // what the row was doing is cancelled
  ///   case .row: return .none
  ///   }
  /// }
  /// .forEach(\.rows, action: row) { Row() }
  /// ```
  ///
  /// Ids of a row's work lie inside the key path and the row's id: a row's `"load"` never meets another's, and
  /// `EffectID(id).scoped(by: EffectID(\State.rows))` is the scope of all that the row does.
  ///
  /// - Ordering: as with ``ifLet(_:action:fileID:line:_:)``: the row first, then this reducer.
  /// - Cancellation: whoever inside this reducer removes a row cancels all work of that row, running and queued, at the end
  ///   of this reduction, and no other's. A row that is replaced by one with the same id is the same row.
  /// - Errors: an action for a row that is not there is dropped and reported as a ``MissingChild`` of this line (rule M3).
  /// - Complexity: an action of a row finds it and changes it in place: O(1) in a dictionary, whatever the number of rows,
  ///   O(count) in an array. A change that *this reducer* makes to the collection itself, rather than the row, copies it,
  ///   to find out who is gone: O(count), and O(work of the rows removed) for the cancel. With very many rows,
  ///   ``Reducer/reduce(into:action:fileID:line:)`` and `.cancel(scope:)` in plain Swift cost nothing of the kind.
  public func forEach<Rows: RowContainer, ChildAction: Sendable, Child: Reducer<Rows.Row, ChildAction>>(
    _ rows: any WritableKeyPath<State, Rows> & Sendable, action: CasePath<Action, (Rows.RowID, ChildAction)>,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<Rows.Row, ChildAction> _ child: () -> Child
  ) -> some Reducer<State, Action> where Rows.RowID: Sendable {
    EachRow<Self, Rows, Child>(
      parent: self, rows: rows, child: child(), action: action, position: EffectID(position: rows),
      site: CallSite(fileID: fileID, line: line))
  }
}

private struct EachRow<Parent: Reducer, Rows: RowContainer, Child: Reducer>: Reducer
where Child.State == Rows.Row, Rows.RowID: Sendable {
  let parent: Parent
  let rows: any WritableKeyPath<Parent.State, Rows> & Sendable
  let child: Child
  let action: CasePath<Parent.Action, (Rows.RowID, Child.Action)>
  let position: EffectID
  let site: CallSite

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    guard let (id, childAction) = self.action.extract(action) else {
      let former = state[keyPath: rows]
      let others = parent.reduce(into: &state, action: action)
      return .merge(cancels(since: former, in: state), others)
    }
    let changed = state[keyPath: rows].updateRow(id) { row in child.reduce(into: &row, action: childAction) }
    let former = state[keyPath: rows]
    let others = parent.reduce(into: &state, action: action)
    let removed = state[keyPath: rows].rowsRemoved(since: former)
    let effect = changed ?? .missingChild(childAction, at: site)
    guard !removed.contains(id) else { return .merge(cancels(of: removed), others) }
    let scoped = effect.scoped(scope(of: id)) { [embed = self.action.embed] in embed((id, $0)) }
    return removed.isEmpty ? .merge(scoped, others) : .merge(scoped, cancels(of: removed), others)
  }

  private func scope(of id: Rows.RowID) -> EffectID { EffectID(id).scoped(by: position) }

  private func cancels(since former: Rows, in state: Parent.State) -> Effect<Parent.Action> {
    cancels(of: state[keyPath: rows].rowsRemoved(since: former))
  }

  private func cancels(of removed: [Rows.RowID]) -> Effect<Parent.Action> {
    removed.isEmpty ? .none : .merge(removed.map { .cancel(scope: scope(of: $0)) })
  }
}

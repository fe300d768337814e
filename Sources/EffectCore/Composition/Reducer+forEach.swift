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
  /// Ids of a row's work lie inside the key path and the row's id: the `"load"` of one row and that of another are
  /// different ids. The scope of all work of a row is `EffectID(id).scoped(by: EffectID(\State.rows))`.
  ///
  /// - Ordering: as with `ifLet(_:action:_:)`: the row first, then this reducer.
  /// - Cancellation: if code inside this reducer removes a row, all work of that row, active and queued, is cancelled
  ///   at the end of this reduction. Work of other rows goes on. A row that is replaced by one with the same id is the
  ///   same row.
  /// - Errors: an action for a row that is not there is reduced by no row, and reported as a missing child of this line (rule M3).
  /// - Complexity: an action of a row finds it and changes it in place: O(1) in a dictionary, whatever the number of
  ///   rows, O(count) in an array. If *this reducer* writes to the collection, even to one field of one row, the
  ///   collection is copied, to find the removed rows: O(count), and O(work of the rows removed) for the cancel. With
  ///   very many rows, use ``Reducer/reduce(into:action:fileID:line:)`` and `.cancel(scope:)` in plain Swift, which
  ///   have no such cost.
  /// - Parameters:
  ///   - rows: where the rows are: a dictionary, an array, or another ``RowContainer``.
  ///   - action: the case of the parent's actions that holds a row's id and its action.
  ///   - fileID: the file that a report about an action for a missing child names.
  ///   - line: the line likewise.
  ///   - child: what reduces one row. It is made once, not for each row.
  /// - Returns: this reducer together with its rows.
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

struct EachRow<Parent: Reducer, Rows: RowContainer, Child: Reducer>: Reducer
where Child.State == Rows.Row, Rows.RowID: Sendable {
  let parent: Parent
  let rows: any WritableKeyPath<Parent.State, Rows> & Sendable
  let child: Child
  let action: CasePath<Parent.Action, (Rows.RowID, Child.Action)>
  let position: EffectID
  let site: CallSite
  /// Whether the number of ids is known.
  private let isCounted = Rows.RowIDs.self is any Collection.Type

  init(
    parent: Parent, rows: any WritableKeyPath<Parent.State, Rows> & Sendable, child: Child,
    action: CasePath<Parent.Action, (Rows.RowID, Child.Action)>, position: EffectID, site: CallSite
  ) {
    self.parent = parent
    self.rows = rows
    self.child = child
    self.action = action
    self.position = position
    self.site = site
  }

  func reduce(into state: inout Parent.State, action: Parent.Action) -> Effect<Parent.Action> {
    guard let (id, childAction) = self.action.extract(action) else {
      let former = state[keyPath: rows]
      let others = parent.reduce(into: &state, action: action)
      let (removed, new) = changes(of: state[keyPath: rows], since: former)
      return removed.isEmpty && new.isEmpty ? others : .merge(cancels(of: removed + new), others)
    }
    let changed = state[keyPath: rows].changeRow(id) { row in child.reduce(into: &row, action: childAction) }
    // A row that changes its own id is another row.
    let isAnother = changed != nil && !state[keyPath: rows].hasRow(id)
    let former = state[keyPath: rows]
    let others = parent.reduce(into: &state, action: action)
    var (removed, new) = changes(of: state[keyPath: rows], since: former)
    if isAnother { removed.append(id) }
    let effect = changed ?? .missingChild(childAction, at: site)
    if effect.isNone, removed.isEmpty, new.isEmpty { return others }
    guard !removed.contains(id) else { return .merge(cancels(of: removed + new), others) }
    return .merge(cancels(of: new), scoped(effect, id), cancels(of: removed), others)
  }

  /// The rows that were removed, and those that are new and must get no answer to the work of former ones.
  func changes(of present: Rows, since former: Rows) -> (removed: [Rows.RowID], new: [Rows.RowID]) {
    present.noteChanges(since: former)
    let removed = present._rowsRemoved(since: former)
    let hasNew = !isCounted || present._rowIDs.underestimatedCount + removed.count != former._rowIDs.underestimatedCount
    return (removed, hasNew ? former._rowsRemoved(since: present) : [])
  }

  func scoped(_ effect: Effect<Child.Action>, _ id: Rows.RowID) -> Effect<Parent.Action> {
    effect.scoped(EffectID(id).inside(position)) { [embed = action.embed] in embed((id, $0)) }
  }

  func cancels(of removed: [Rows.RowID]) -> Effect<Parent.Action> {
    .merge(removed.map { .cancel(.scope(EffectID($0).inside(position))) })
  }
}

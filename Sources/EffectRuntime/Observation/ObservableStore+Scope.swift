// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension ObservableStore {
  /// A child that is always there, as ``/EffectCore/Scope`` puts it into the reducer.
  ///
  /// ```swift
  /// SettingsView(store: app.scope(\.settings, action: App.settings))
  /// ```
  ///
  /// - Complexity: O(1); see ``ChildStore``.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<R.State, Child>, action: CasePath<R.Action, ChildAction>
  ) -> ChildStore<Child, ChildAction> {
    node.always(state, action, or: nil)
  }

  /// An optional child, as `ifLet` puts it into the reducer; `nil` without one. Whether there is one is tracked as the field is.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<R.State, Child?>, action: CasePath<R.Action, ChildAction>
  ) -> ChildStore<Child, ChildAction>? {
    node.optional(state, action)
  }

  /// A row, as `forEach` puts it into the reducer; `nil` if there is none of that id.
  ///
  /// Whether there is one is not tracked: who shows rows has read the collection, or its ids, by which they are scoped.
  public func scope<Rows: RowContainer, ChildAction>(
    _ rows: KeyPath<R.State, Rows>, id: Rows.RowID, action: CasePath<R.Action, (Rows.RowID, ChildAction)>
  ) -> ChildStore<Rows.Row, ChildAction>? where Rows.RowID: Sendable {
    node.row(rows, id, action)
  }

  /// A child that is there in one case of the state, as `ifCase` puts it into the reducer under the same `scope`; `nil` in others.
  ///
  /// Whether the state is in that case is tracked.
  public func scope<Child, ChildAction>(
    _ state: CasePath<R.State, Child>, action: CasePath<R.Action, ChildAction>, scope: some Hashable & Sendable
  ) -> ChildStore<Child, ChildAction>? {
    node.inCase(state, action, scope)
  }
}

// MARK: - Four kinds of children

extension ScopeNode {
  /// - Parameter former: what the state was, where it may be gone.
  func always<Child, ChildAction>(
    _ path: KeyPath<State, Child>, _ action: CasePath<Action, ChildAction>, or former: State?
  ) -> ChildStore<Child, ChildAction> {
    guard let part = read(path) ?? former?[keyPath: path] else {
      fatalError("ObservableStore: nothing was read; bug in EffectRuntime, please report")
    }
    return child(
      part, at: MemoryLayout<State>.offset(of: path), position: EffectID(position: path), { $0[keyPath: path] },
      action.embed)
  }

  func optional<Child, ChildAction>(
    _ path: KeyPath<State, Child?>, _ action: CasePath<Action, ChildAction>
  ) -> ChildStore<Child, ChildAction>? {
    let position = EffectID(position: path)
    guard let part = tracked(position, { $0[keyPath: path] }) else { return nil }
    return child(part, position: position, { $0[keyPath: path] }, action.embed)
  }

  func row<Rows: RowContainer, ChildAction>(
    _ path: KeyPath<State, Rows>, _ id: Rows.RowID, _ action: CasePath<Action, (Rows.RowID, ChildAction)>
  ) -> ChildStore<Rows.Row, ChildAction>? where Rows.RowID: Sendable {
    var part: Rows.Row?
    visit { part = $0[keyPath: path].row(of: id) }
    guard let part else { return nil }
    return child(
      part, position: EffectID(id).scoped(by: EffectID(position: path)), { $0[keyPath: path].row(of: id) },
      { [embed = action.embed] in embed((id, $0)) })
  }

  func inCase<Child, ChildAction>(
    _ path: CasePath<State, Child>, _ action: CasePath<Action, ChildAction>, _ scope: some Hashable & Sendable
  ) -> ChildStore<Child, ChildAction>? {
    let position = EffectID(scope)
    guard let part = tracked(position, path.extract) else { return nil }
    return child(part, position: position, path.extract, action.embed)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension ObservableStore {
  /// A child that always exists, as ``/EffectCore/Scope`` puts it into the reducer.
  ///
  /// ```swift
  /// SettingsView(store: app.scope(\.settings, action: App.settings))
  /// ```
  ///
  /// A child that is a computed property is evaluated by its readers. They are notified whenever the state has been
  /// reduced. This also holds for the other functions below.
  ///
  /// - Parameters:
  ///   - state: the path to the child in the state.
  ///   - action: the case of the parent's action that holds the child's actions.
  /// - Returns: the child store.
  /// - Complexity: O(1); see ``ObservableStore``.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<State, Child>, action: CasePath<Action, ChildAction>
  ) -> ObservableStore<Child, ChildAction> {
    node.always(state, action)
  }

  /// An optional child, as `ifLet` puts it into the reducer; `nil` if it does not exist. Its existence is tracked like
  /// a field.
  ///
  /// - Parameters:
  ///   - state: the path to the optional child in the state.
  ///   - action: the case of the parent's action that holds the child's actions.
  /// - Returns: the child store; `nil` if the child does not exist.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<State, Child?>, action: CasePath<Action, ChildAction>
  ) -> ObservableStore<Child, ChildAction>? {
    node.optional(state, action)
  }

  /// A row, as `forEach` puts it into the reducer; `nil` if no row has that id.
  ///
  /// The existence of the row is tracked. If several rows have that id, it is the first of them.
  ///
  /// - Parameters:
  ///   - rows: the path to the collection of rows in the state.
  ///   - id: the id of the row, not its position.
  ///   - action: the case of the parent's action that holds a row's id and its action.
  /// - Returns: the child store of the row; `nil` if there is no such row.
  /// - Complexity: O(1) for a dictionary, O(rows) for an array.
  public func scope<Rows: RowContainer, ChildAction>(
    _ rows: KeyPath<State, Rows>, id: Rows.RowID, action: CasePath<Action, (Rows.RowID, ChildAction)>
  ) -> ObservableStore<Rows.Row, ChildAction>? where Rows.RowID: Sendable {
    node.row(rows, id, action)
  }

  /// A child that exists in one case of the state, as `ifCase` puts it into the reducer under the same `scope`; `nil`
  /// in other cases.
  ///
  /// Whether the state is in that case is tracked. Each case has a `scope` of its own.
  ///
  /// - Parameters:
  ///   - state: the case of the state in which the child exists.
  ///   - action: the case of the parent's action that holds the child's actions.
  ///   - scope: the id that the reducer passes to `ifCase` for this case.
  /// - Returns: the child store; `nil` if the child does not exist.
  public func scope<Child, ChildAction>(
    _ state: CasePath<State, Child>, action: CasePath<Action, ChildAction>, scope: some Hashable & Sendable
  ) -> ObservableStore<Child, ChildAction>? {
    node.inCase(state, action, scope)
  }
}

// MARK: - Children by delegation

extension ObservableStore {
  /// A child to which the reducer delegates in plain Swift, with `.scoped(scope)`. Its work is named inside `scope`.
  /// Otherwise it is the same as ``scope(_:action:)-(KeyPath<State,Child>,_)``.
  ///
  /// - Parameters:
  ///   - state: the path to the child in the state.
  ///   - action: the case of the parent's action that holds the child's actions.
  ///   - scope: the id that the reducer passes to `.scoped`. With another one, the store does not find the child's
  ///     work.
  /// - Returns: the child store.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<State, Child>, action: CasePath<Action, ChildAction>, scope: some Hashable & Sendable
  ) -> ObservableStore<Child, ChildAction> {
    node.always(state, action, EffectID(scope))
  }

  /// An optional child to which the reducer delegates in plain Swift, with `.scoped(scope)`.
  ///
  /// - Parameters:
  ///   - state: the path to the optional child in the state.
  ///   - action: the case of the parent's action that holds the child's actions.
  ///   - scope: the id that the reducer passes to `.scoped`. With another one, the store does not find the child's
  ///     work.
  /// - Returns: the child store; `nil` if the child does not exist.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<State, Child?>, action: CasePath<Action, ChildAction>, scope: some Hashable & Sendable
  ) -> ObservableStore<Child, ChildAction>? {
    node.optional(state, action, EffectID(scope))
  }

  /// A row to which the reducer delegates in plain Swift, with `.scoped(scope)`.
  ///
  /// ```swift
  /// // In the reducer: tab.reduce(into: &state.tabs[id], action: action).scoped(id) { .tab(id, $0) }
  /// tabs.scope(\.tabs, id: id, action: Tabs.tab, scope: id)?.isRunning("search")
  /// ```
  ///
  /// - Parameters:
  ///   - rows: the path to the collection of rows in the state.
  ///   - id: the id of the row, not its position.
  ///   - action: the case of the parent's action that holds a row's id and its action.
  ///   - scope: the id that the reducer passes to `.scoped`. With another one, the store does not find the child's
  ///     work.
  /// - Returns: the child store of the row; `nil` if there is no such row.
  public func scope<Rows: RowContainer, ChildAction>(
    _ rows: KeyPath<State, Rows>, id: Rows.RowID, action: CasePath<Action, (Rows.RowID, ChildAction)>,
    scope: some Hashable & Sendable
  ) -> ObservableStore<Rows.Row, ChildAction>? where Rows.RowID: Sendable {
    node.row(rows, id, action, EffectID(scope))
  }
}

// MARK: - Four kinds of children

extension ScopeNode {
  func always<Child, ChildAction>(
    _ path: KeyPath<State, Child>, _ action: CasePath<Action, ChildAction>, _ scope: EffectID? = nil
  ) -> ObservableStore<Child, ChildAction> {
    let way = ChildWay<State, Child>(
      place: EffectID(position: path), scope: scope, get: { $0[keyPath: path] },
      offset: MemoryLayout<State>.offset(of: path))
    return always(path, way, action)
  }

  func optional<Child, ChildAction>(
    _ path: KeyPath<State, Child?>, _ action: CasePath<Action, ChildAction>, _ scope: EffectID? = nil
  ) -> ObservableStore<Child, ChildAction>? {
    let way = ChildWay(optional: path, scope)
    return tracked(way).map { child($0, way, action.embedding, action.embed) }
  }

  func row<Rows: RowContainer, ChildAction>(
    _ path: KeyPath<State, Rows>, _ id: Rows.RowID, _ action: CasePath<Action, (Rows.RowID, ChildAction)>,
    _ scope: EffectID? = nil
  ) -> ObservableStore<Rows.Row, ChildAction>? where Rows.RowID: Sendable {
    var way = ChildWay<State, Rows.Row>(
      place: EffectID(id).scoped(by: EffectID(position: path)), scope: scope, get: { $0[keyPath: path]._row(of: id) })
    if let offset = MemoryLayout<State>.offset(of: path) {
      way.look = { state in state.value(at: offset, as: Rows.self)._row(of: id) }
      way.enlist = { [watched = root.watchedRows] fields, child in
        let rows: ObservedRowsInPlace<Rows> = fields.rows(path, at: offset, watched)
        rows.add(child, of: id)
      }
    }
    guard let row = trackedIfMissing(way) else { return nil }
    let store = child(row, way, action.embedding) { [embed = action.embed] in embed((id, $0)) }
    // The existence of a row is one of the row's own fields, so it is removed with them. There may be many rows.
    store.node.noteExistence()
    return store
  }

  func inCase<Child, ChildAction>(
    _ path: CasePath<State, Child>, _ action: CasePath<Action, ChildAction>, _ scope: some Hashable & Sendable
  ) -> ObservableStore<Child, ChildAction>? {
    let way = ChildWay<State, Child>(
      place: EffectID(scope), get: path.extract, extraction: path.extraction,
      look: { [extract = path.extract] in extract($0.value()) })
    return tracked(way).map { child($0, way, action.embedding, action.embed) }
  }
}

extension ChildWay {
  /// The way to an optional property.
  init(optional path: KeyPath<State, Part?>, _ scope: EffectID? = nil) {
    self.init(
      place: EffectID(position: path), scope: scope, get: { $0[keyPath: path] },
      look: MemoryLayout<State>.offset(of: path).map { offset in { $0.value(at: offset, as: Part?.self) } })
  }
}

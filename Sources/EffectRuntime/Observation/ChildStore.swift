// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import Observation

/// A child feature of an observable store, read and used as if it were a store of its own.
///
/// ```swift
/// let sheet = app.scope(\.sheet, action: App.sheet)         // nil without a sheet
/// sheet?.send(.saveTapped)
/// sheet?.isRunning("save")                                // only the "save" of the sheet
/// ```
///
/// While you keep a child store, a call of `scope` with the same arguments returns the same object. So SwiftUI need not
/// evaluate a view again that is given this object again. Keep case paths in `static let`: a path that is made for each
/// call is a different argument, and gives a different child store. A child store that was released, and that no reader
/// tracks, costs nothing any more.
///
/// - Ordering: fields are tracked as those of an ``ObservableStore``; state and statuses change together. A reader that
///   does not keep the child store is notified in the same way.
/// - Isolation: the main actor.
/// - Lifetime: keeps the whole store alive. When the child is removed, the child store shows the last value of each
///   stored field that was read through it or through another store of the same child. For all other fields it shows
///   the values from when the first of these stores was made, or from a later action that was sent through them. So a
///   view can fade out. It notifies once when the child is removed, and then not until the child is back. What is sent
///   to a child that does not exist is dropped (rule M3).
/// - Complexity: a turn finds each child with tracked fields once: O(1) for a key path or a row of a dictionary, O(rows)
///   for a row of an array. It compares the fields as an ``ObservableStore`` does. For a child that may be removed, it
///   also compares the fields that were read before and have notified. Such a child is copied, so that it can be shown
///   after its removal: when the first of its stores is made, and after the first, second, fourth, eighth (and so on)
///   action sent through them. The next change of a collection in it then copies that collection. A child that always
///   exists is not copied.
@MainActor @dynamicMemberLookup
public final class ChildStore<State, Action: Sendable>: Observable {
  let node: ScopeNode<State, Action>

  init(_ node: ScopeNode<State, Action>) {
    self.node = node
  }

  /// The value of a field now.
  ///
  /// - Parameter keyPath: the path from the child's state to the field.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    node.value(keyPath)
  }

  /// Sends an action of the child; see ``ObservableStore/send(_:)``.
  ///
  /// - Parameter action: the action of the child, without the case of the parent's action around it.
  /// - Returns: a ``StoreTask`` to wait for, or to cancel, what the action causes. You may discard it.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    node.sendOwn(action)
  }

  /// Sends an action of the child, waits until everything it causes has settled, and returns a value made of the state.
  ///
  /// The value is made from the child's state at that moment; see ``Store/request(_:_:)-(_,(R.State)->Value)``.
  ///
  /// - Parameters:
  ///   - action: the action of the child.
  ///   - answer: called at most once, on the main actor, with the child's state. Not called if the request throws before.
  /// - Returns: what `answer` returned.
  /// - Throws: what `answer` throws; `CancellationError`; a ``RequestFailure``: `missingChild` if the child does not
  ///   exist when everything has settled. If it did not exist at the beginning, its action is dropped, which is reported
  ///   as well (rule M3).
  public func request<Value: Sendable>(
    _ action: Action, _ answer: @escaping @Sendable (State) throws -> Value
  ) async throws -> Value {
    try await node.requestOwn(action, collects: false) { state, _ in try answer(state) }
  }

  /// Sends an action of the child and waits, as the request above, and passes the outcomes to the closure as well.
  ///
  /// These are the outcomes of all work that the action caused, also of work outside of the child; see
  /// ``Store/request(_:_:)-(_,(R.State,RequestOutcomes)->Value)``.
  ///
  /// - Parameters:
  ///   - action: the action of the child.
  ///   - answer: called at most once, on the main actor, with the child's state and the outcomes. Not called if the
  ///     request throws before.
  /// - Returns: what `answer` returned.
  /// - Throws: as the request without outcomes.
  public func request<Value: Sendable>(
    _ action: Action, _ answer: @escaping @Sendable (State, RequestOutcomes) throws -> Value
  ) async throws -> Value {
    try await node.requestOwn(action, collects: true, answer)
  }

  /// Whether work runs that the child started under an id; see ``ObservableStore/isRunning(_:)-(EffectID)``.
  ///
  /// - Parameter id: the id as the child's reducer writes it, without the scopes around the child. An optional id
  ///   means the id in it; `nil` means no work.
  /// - Returns: `false` if its work only waits, or was cancelled.
  public func isRunning(_ id: some Hashable & Sendable) -> Bool {
    guard let id = EffectID.unwrapping(id) else { return false }
    return node.root.isRunning(node.name(id))
  }

  /// What the child's work of an id is doing; see ``ObservableStore/status(_:)-(EffectID)``.
  ///
  /// - Parameter id: the id as the child's reducer writes it, without the scopes around the child. An optional id
  ///   means the id in it; `nil` means no work.
  /// - Returns: the status; idle for an id that was never used.
  public func status(_ id: some Hashable & Sendable) -> EffectStatus {
    guard let id = EffectID.unwrapping(id) else { return EffectStatus() }
    return node.root.status(node.name(id))
  }

  /// A child of the child that always exists; see ``ObservableStore/scope(_:action:)-(KeyPath<R.State,Child>,_)``.
  ///
  /// - Parameters:
  ///   - state: the path to the child in the state.
  ///   - action: the case of the parent's action that holds the child's actions.
  /// - Returns: the child store.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<State, Child>, action: CasePath<Action, ChildAction>
  ) -> ChildStore<Child, ChildAction> {
    node.always(state, action)
  }

  /// An optional child of the child; `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - state: the path to the optional child in the state.
  ///   - action: the case of the parent's action that holds the child's actions.
  /// - Returns: the child store; `nil` if the child does not exist.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<State, Child?>, action: CasePath<Action, ChildAction>
  ) -> ChildStore<Child, ChildAction>? {
    node.optional(state, action)
  }

  /// A row of the child; `nil` if no row has that id.
  ///
  /// - Parameters:
  ///   - rows: the path to the collection of rows in the state.
  ///   - id: the id of the row, not its position.
  ///   - action: the case of the parent's action that holds a row's id and its action.
  /// - Returns: the child store of the row; `nil` if there is no such row.
  public func scope<Rows: RowContainer, ChildAction>(
    _ rows: KeyPath<State, Rows>, id: Rows.RowID, action: CasePath<Action, (Rows.RowID, ChildAction)>
  ) -> ChildStore<Rows.Row, ChildAction>? where Rows.RowID: Sendable {
    node.row(rows, id, action)
  }

  /// A child of the child that exists in one case of the state; `nil` in other cases.
  ///
  /// - Parameters:
  ///   - state: the case of the state in which the child exists.
  ///   - action: the case of the parent's action that holds the child's actions.
  ///   - scope: the id that the reducer passes to `ifCase` for this case.
  /// - Returns: the child store; `nil` if the child does not exist.
  public func scope<Child, ChildAction>(
    _ state: CasePath<State, Child>, action: CasePath<Action, ChildAction>, scope: some Hashable & Sendable
  ) -> ChildStore<Child, ChildAction>? {
    node.inCase(state, action, scope)
  }
}

// MARK: - Children by delegation

extension ChildStore {
  /// A child of the child, delegated to with `.scoped(scope)`; see
  /// ``ObservableStore/scope(_:action:scope:)-(KeyPath<R.State,Child>,_,_)``.
  ///
  /// - Parameters:
  ///   - state: the path to the child in the state.
  ///   - action: the case of the parent's action that holds the child's actions.
  ///   - scope: the id that the reducer passes to `.scoped`. With another one, the store does not find the child's
  ///     work.
  /// - Returns: the child store.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<State, Child>, action: CasePath<Action, ChildAction>, scope: some Hashable & Sendable
  ) -> ChildStore<Child, ChildAction> {
    node.always(state, action, EffectID(scope))
  }

  /// An optional child of the child, delegated to with `.scoped(scope)`.
  ///
  /// - Parameters:
  ///   - state: the path to the optional child in the state.
  ///   - action: the case of the parent's action that holds the child's actions.
  ///   - scope: the id that the reducer passes to `.scoped`. With another one, the store does not find the child's
  ///     work.
  /// - Returns: the child store; `nil` if the child does not exist.
  public func scope<Child, ChildAction>(
    _ state: KeyPath<State, Child?>, action: CasePath<Action, ChildAction>, scope: some Hashable & Sendable
  ) -> ChildStore<Child, ChildAction>? {
    node.optional(state, action, EffectID(scope))
  }

  /// A row of the child, delegated to with `.scoped(scope)`; see ``ObservableStore/scope(_:id:action:scope:)``.
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
  ) -> ChildStore<Rows.Row, ChildAction>? where Rows.RowID: Sendable {
    node.row(rows, id, action, EffectID(scope))
  }
}

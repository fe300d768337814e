// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// A part of the tree of features that is observed: the whole of a store, or a child in it.
@MainActor
final class ScopeNode<State, Action: Sendable> {
  typealias Request =
    @MainActor (Action, _ collects: Bool, _ settled: @escaping @Sendable (RequestOutcomes) throws -> Void) async throws
    -> Void

  let fields: ObservedFields
  /// Calls the closure with the present state; does nothing if the state does not exist.
  let visit: (_ body: (State) -> Void) -> Void
  let send: @MainActor (Action) -> StoreTask
  /// Sends, waits until everything that this causes has settled, and calls back at that moment, with the outcomes if
  /// they are collected.
  let request: Request
  let root: ScopeRoot
  /// The scope around the ids of its work; `nil` for the whole store.
  let position: EffectID?
  /// The last values, which are shown when the state does not exist; `nil` if the state always exists.
  let last: LastSeen<State>?
  /// Adds it to the nodes that are compared; `nil` for the whole store, which is compared from the beginning.
  private var attach: (() -> Void)?
  private weak var madeStore: ObservableStore<State, Action>?

  init(
    fields: ObservedFields, visit: @escaping (_ body: (State) -> Void) -> Void,
    send: @escaping @MainActor (Action) -> StoreTask, request: @escaping Request, root: ScopeRoot, position: EffectID?,
    last: LastSeen<State>?
  ) {
    self.fields = fields
    self.visit = visit
    self.send = send
    self.request = request
    self.root = root
    self.position = position
    self.last = last
    fields.last = last
  }

  /// The value of a field now, not tracked; `nil` if the state does not exist.
  func read<Value>(_ keyPath: KeyPath<State, Value>) -> Value? {
    var found: Value?
    visit { found = $0[keyPath: keyPath] }
    return found
  }

  /// The value of a field, tracked; the last value, if the state does not exist.
  func value<Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    let value = shown(.path(keyPath), { $0[keyPath: keyPath] }, former: { $0.value(keyPath) })
    fields.accessed(keyPath, value)
    return value
  }

  /// The ids of rows, tracked; the last ones, if the state does not exist.
  func rowIDs<Rows: RowContainer>(_ keyPath: KeyPath<State, Rows>) -> [Rows.RowID] {
    let ids = shown(.rows(keyPath), { Array($0[keyPath: keyPath]._rowIDs) }, former: { $0.rowIDs(keyPath) })
    fields.accessed(keyPath, ids: ids)
    return ids
  }

  /// The value that a reader is shown: the present one, or the last one if the state does not exist.
  private func shown<Value>(
    _ name: FieldName, _ read: (State) -> Value, former: (LastSeen<State>) -> Value
  ) -> Value {
    attachIfNeeded()
    var found: Value?
    visit { found = read($0) }
    guard let value = found else {
      let value = former(lastShown())
      fields.showWhatWas()
      return value
    }
    if let last {
      if fields.isGone {
        visit { last.sees($0) }
        fields.comeBack()
      }
      last.note(name, value)
    }
    return value
  }

  private func lastShown() -> LastSeen<State> {
    guard let last else { fatalError("ObservableStore: nothing was read; bug in EffectRuntime, please report") }
    return last
  }

  /// Sends an action of its own.
  func sendOwn(_ action: Action) -> StoreTask {
    let dispatch = send(action)
    if let last, !root.isAtWork(), last.isDueAfterSend() { visit { last.sees($0) } }
    return dispatch
  }

  /// Sends an action of its own, and returns a value that is made from its state and the outcomes when everything it
  /// causes has settled.
  func requestOwn<Value: Sendable>(
    _ action: Action, collects: Bool, _ answer: @escaping @Sendable (State, RequestOutcomes) throws -> Value
  ) async throws -> Value {
    let answered = RequestAnswer<Value>()
    try await request(action, collects) { [self] outcomes in
      // On the store's isolation, which is the main actor.
      try MainActor.assumeIsolated {
        var result: Result<Value, any Error>?
        visit { state in result = Result { try answer(state, outcomes) } }
        guard let result else { throw RequestFailure.missingChild }
        answered.set(.success(try result.get()))
      }
    }
    guard let result = answered.result else { throw RequestFailure.cutShort }
    return try result.get()
  }

  private func attachIfNeeded() {
    if let attach, !fields.isWatched { attach() }
  }

  /// The child store of this node: always the same as long as it is used.
  var store: ObservableStore<State, Action> {
    if let madeStore { return madeStore }
    let store = ObservableStore(self)
    madeStore = store
    return store
  }

  /// A store of this child for a view that was made for one lifetime of it. When that is over, it sends nothing any more.
  func store(if isRight: @escaping @MainActor () -> Bool) -> ObservableStore<State, Action> {
    let node = ScopeNode(
      fields: fields, visit: visit, send: { [self] in isRight() ? send($0) : root.refused() },
      request: { [self] action, collects, settled in
        guard isRight() else { throw RequestFailure.missingChild }
        try await request(action, collects, settled)
      }, root: root, position: position, last: last)
    node.attach = { [self] in attachIfNeeded() }
    return ObservableStore(node)
  }

  /// The full id of work for which the reducer of this part writes `id`.
  func name(_ id: EffectID) -> EffectID { position.map(id.scoped(by:)) ?? id }

  // MARK: - Children

  /// A child. It is tracked whether there is a child, and which one.
  func tracked<Part>(_ way: ChildWay<State, Part>) -> Part? {
    let part = present(way)
    attachIfNeeded()
    let identity = ChildIdentity.of(Part.self)
    fields.accessed(way.name, identity(part), way.look.map { look in { identity(look($0)) } })
    return part
  }

  /// A child. If it does not exist, that is tracked.
  func trackedIfMissing<Part>(_ way: ChildWay<State, Part>) -> Part? {
    guard let part = present(way) else { return tracked(way) }
    return part
  }

  private func present<Part>(_ way: ChildWay<State, Part>) -> Part? {
    var part: Part?
    visit { part = way.get($0) }
    return part
  }

  /// A child that exists whenever this one does.
  func always<Part, PartAction>(
    _ path: KeyPath<State, Part>, _ way: ChildWay<State, Part>, _ action: CasePath<Action, PartAction>
  ) -> ObservableStore<Part, PartAction> {
    // The whole store always exists, and so does this child: no last value is kept, and no change copies anything.
    guard last != nil else { return child(nil, way, action.embedding, action.embed) }
    return child(fields.lastSeen(way.name, read(path) ?? lastShown().value(path)), way, action.embedding, action.embed)
  }

  /// A child that may be removed.
  ///
  /// - Parameter embedding: the identity of the closure of which `embed` was made.
  func child<Part, PartAction>(
    _ part: Part, _ way: ChildWay<State, Part>, _ embedding: ClosureIdentity,
    _ embed: @escaping @Sendable (PartAction) -> Action
  ) -> ObservableStore<Part, PartAction> {
    child(fields.lastSeen(way.name, part), way, embedding, embed)
  }

  private func child<Part, PartAction>(
    _ last: LastSeen<Part>?, _ way: ChildWay<State, Part>, _ embedding: ClosureIdentity,
    _ embed: @escaping @Sendable (PartAction) -> Action
  ) -> ObservableStore<Part, PartAction> {
    let name = ChildStoreIndex.Name(
      field: way.name, scope: way.scope, extraction: way.extraction, actions: ObjectIdentifier(PartAction.self))
    if let known = fields.stores.node(name, embedding) as? ScopeNode<Part, PartAction>, known.last === last {
      return known.store
    }
    let node = ScopeNode<Part, PartAction>(
      fields: fields.stores.fields(name) ?? ObservedFields(isOfChild: true),
      visit: { [self] body in visit { state in if let part = way.get(state) { body(part) } } },
      send: { [send] action in send(embed(action)) },
      request: { [request] action, collects, settled in try await request(embed(action), collects, settled) },
      root: root, position: self.name(way.scope ?? way.place), last: last)
    // Weak, because the closure is kept by the node to which it belongs.
    node.attach = { [self, weak node] in
      guard let node else { return }
      attachIfNeeded()
      fields.watch(node.fields, of: node, way)
    }
    fields.stores.note(node, node.fields, name, embedding)
    return node.store
  }

  /// Tracks that the state exists: the reader is notified when it is removed.
  func noteExistence() {
    attachIfNeeded()
    fields.accessedExistence()
  }

  /// The lifetime of the child; if it does not exist, of the one that was. The reader is notified when it is removed. The
  /// whole of a store has one lifetime.
  func trackedLifetime() -> ChildLifetime? {
    noteExistence()
    visit { state in
      if fields.isGone { fields.comeBack() }
      let identity = position == nil ? .present : ChildIdentity.of(State.self)(state)
      fields.lifetime = ChildLifetime(store: root.identity, returns: fields.returns, identity: identity)
    }
    return fields.lifetime
  }
}

/// The way from a state to a child in it.
struct ChildWay<State, Part> {
  /// The position of the child in the state. It is also the scope of its work, unless there is a `scope`.
  let place: EffectID
  /// The scope around the ids of its work, if that is not `place`.
  var scope: EffectID?
  /// Finds the child, for readers.
  let get: (State) -> Part?
  /// The identity of the closure of which `get` was made, if `place` does not determine it.
  var extraction: ClosureIdentity?
  /// The offset of the child in the state, if it is stored and always exists.
  var offset: Int?
  /// Finds the child, for the store, which checks after every slice of work. `nil` if a computed property is on the way:
  /// it may only be valid in the state that a reader has seen, as in `rows[selected!]`.
  var look: ((StateInPlace) -> Part?)?
  /// Adds a row to the other rows of its collection, among the fields of the parent.
  var enlist: ((ObservedFields, ObservedChild) -> Void)?

  /// Whether the child can be found in every state.
  var isCompared: Bool { offset != nil || look != nil }

  /// The name of the field that tracks the child. Two types of children at one position have different names.
  var name: FieldName { .presence(place, of: ObjectIdentifier(Part.self)) }

  /// Shows the child to the fields of it that were read.
  func update(_ state: StateInPlace, _ fields: ObservedFields) {
    if let offset {
      fields.update(state.part(at: offset))
    } else if let look {
      guard let part = look(state) else { return fields.go() }
      StateInPlace.temporary(part, fields.update)
    } else {
      fields.notifyAll()
    }
  }
}

/// The queries to the store at the root.
struct ScopeRoot {
  /// The number of the store among all of the process.
  let identity: UInt64
  let asked = AskedChildren()
  /// What the observers of rows and the combinators of rows tell each other.
  let watchedRows: WatchedRows
  let isRunning: @MainActor (EffectID) -> Bool
  let status: @MainActor (EffectID) -> EffectStatus
  /// Whether the store is working, so that an action that is sent now waits its turn.
  let isAtWork: @MainActor () -> Bool
  /// The number of the last dispatch whose action was reduced.
  let reduced: @MainActor () -> UInt64
  /// The task of an action that is not sent.
  let refused: @MainActor () -> StoreTask
  /// Reports a misuse, as the store reports its failures.
  let report: @MainActor (EffectFailure) -> Void
  let shutdown: @MainActor (Shutdown) async -> [EffectRun]
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Observation

/// The fields of a state that were read, each with its own registrar: a reader is notified only of the fields it has
/// read.
// SAFETY: used on the main actor only: by `ObservableStore`s, which are isolated to it, and by the
// store that they observe, which runs on it. It may be released on any thread.
final class ObservedFields: @unchecked Sendable {
  private var fields: [ObservedField] = []
  private var positions: [FieldName: Int] = [:]
  /// Stored fields of a state that may be removed, which were read and are not tracked any more: their last values are
  /// to be shown.
  private var followed: [FieldName: ObservedField] = [:]
  /// The fields of children that were scoped from here.
  private var children: [ObservedChild] = []
  private var childrenWhenSwept = 0
  /// The same of rows that were scoped from here, for each collection.
  private var lists: [any ObservedRows] = []
  /// The child stores that were made from here and are still used.
  var stores = ChildStoreIndex()
  /// How often an optional child was seen to be removed or replaced.
  private var endings: [FieldName: Int] = [:]
  /// The dismissals that were sent, by the child that they dismiss; each is the number of a dispatch.
  var dismissals: [FieldName: UInt64] = [:]
  /// The lifetimes of the optional children that views show, or have shown last.
  var shown: [FieldName: Int] = [:]
  /// The entry of these fields in those of the parent, if they are compared.
  fileprivate weak var entry: ObservedChild?
  /// The fields of a child are kept only as long as they are tracked, because there may be many children.
  private let isOfChild: Bool
  /// The last values of children that may be removed.
  private var seen = LastSeenIndex()
  /// The last values of the state, if it may be removed itself.
  var last: LastShown?
  /// The state does not exist any more, and all observers have been notified.
  private(set) var isGone = false {
    didSet { if oldValue, !isGone { returns += 1 } }
  }
  /// How often the state was seen to exist again.
  private(set) var returns = 0
  /// The lifetime of the child that was seen last, if the state is that of a child.
  var lifetime: ChildLifetime?

  init(isOfChild: Bool) {
    self.isOfChild = isOfChild
  }

  /// How many fields are compared, including those of children; for tests of the fields that remain.
  var count: Int { fields.count + followed.count + allChildren.reduce(0) { $0 + $1.count + 1 } }

  /// For how many children there is an entry with their last values; for the same tests.
  var seenCount: Int { seen.count }

  /// For how many child stores there is an entry; for the same tests.
  var storeCount: Int { stores.count }

  var isEmpty: Bool { fields.isEmpty && children.isEmpty && followed.isEmpty && lists.allSatisfy(\.isEmpty) }

  /// Whether there may be observers, here or in children.
  fileprivate var isTracked: Bool {
    fields.contains { $0.isTracked } || children.contains { $0.isUsed } || lists.contains { $0.isUsed }
  }

  private var allChildren: [ObservedChild] { children + lists.flatMap(\.children) }

  /// A reader was shown the value of a field.
  func accessed<State, Value>(_ keyPath: KeyPath<State, Value>, _ value: Value) {
    keep(field(.path(keyPath)) { .make(keyPath, value, isLasting: !isOfChild) }) { $0.accessed(value) }
  }

  /// A reader was shown whether a child exists, and which one. `look` is `nil` if only readers may evaluate that.
  func accessed(_ name: FieldName, _ child: ChildIdentity, _ look: ((StateInPlace) -> ChildIdentity)?) {
    keep(field(name) { look.map { Presence(name, child, $0) } ?? ObservedField(name) }) { $0.accessed(child) }
  }

  /// A reader was shown that this state exists.
  func accessedExistence() {
    keep(field(.existence) { Existence() }) { $0.accessed(true) }
  }

  /// A reader was shown which rows there are.
  func accessed<State, Rows: RowContainer>(_ keyPath: KeyPath<State, Rows>, ids: [Rows.RowID]) {
    keep(field(.rows(keyPath)) { RowOrder.make(keyPath, ids) }) { $0.accessed(ids) }
  }

  /// Keeps a field that is read as long as it is tracked. Without tracking, only its last value is kept, for a state
  /// that may be removed.
  private func keep(_ field: ObservedField, _ read: (ObservedField) -> Void) {
    read(field)
    guard !field.isTracked else { return }
    forget(field)
    if last != nil, !isGone, field.isStored { followed[field.name] = field }
  }

  /// A number that changes when a tracked child is removed or replaced. So it differs for a child and its replacement.
  func lifetime(of name: FieldName) -> Int { endings[name, default: 0] }

  /// A child without an id has changed in a way that counts as a replacement.
  func replace(_ name: FieldName) {
    endings[name, default: 0] += 1
    guard let position = positions[name] else { return }
    let field = fields[position]
    forget(field)
    field.notify()
  }

  /// Whether the child that a view shows, if one does, is the one that exists, or that existed last.
  func isShown(_ name: FieldName) -> Bool { shown[name].map { $0 == lifetime(of: name) } ?? true }

  /// The last values of a child; made from this state if no store of the child is kept.
  func lastSeen<State>(_ name: FieldName, _ state: State) -> LastSeen<State> { seen.entry(name, seeing: state) }

  private func field(_ name: FieldName, make: () -> ObservedField) -> ObservedField {
    if let position = positions[name] { return fields[position] }
    let field = followed.removeValue(forKey: name) ?? make()
    positions[name] = fields.count
    fields.append(field)
    if !field.isCompared { noteRestless() }
    return field
  }

  /// Finds the observers that must be notified, and notifies them.
  func update(_ state: StateInPlace) {
    if isGone {
      isGone = false
      last?.comesBack(state)
    }
    var changed: [ObservedField] = []
    if let last, !followed.isEmpty { follow(state, last) }
    for field in fields where !field.isTracked || field.hasChanged(state) { changed.append(field) }
    // A field that has notified its observers is removed: tracking ends with one change, and the next read begins a new
    // one. So only fields that are still shown are compared. They are removed first, because observers may read further
    // fields while they are notified.
    if !changed.isEmpty {
      for field in changed {
        forget(field)
        if field.showsAnEnd(in: state) { endings[field.name, default: 0] += 1 }
        guard let last else { continue }
        field.show(state, to: last)
        followed[field.name] = field.successor(state)
      }
      for field in changed { field.notify() }
    }
    if !children.isEmpty { updateChildren { $0.update(state) } }
    for rows in lists { rows.update(state) }
  }

  /// Notes the present values of fields that were read and are not tracked any more.
  private func follow(_ state: StateInPlace, _ last: LastShown) {
    for (name, field) in followed where field.hasChanged(state) {
      field.show(state, to: last)
      followed[name] = field.successor(state)
    }
  }

  /// Notifies all observers, because it cannot be found out what has changed.
  func notifyAll() {
    notifyOwn()
    updateChildren { $0.notifyAll() }
    for rows in lists { rows.updateAll { $0.notifyAll() } }
  }

  /// The state does not exist any more: all observers are notified, once. Later reads show the last values, which do
  /// not change.
  func go() {
    guard !isGone else { return }
    isGone = true
    followed = [:]
    last?.goes()
    notifyOwn()
    updateChildren { $0.go() }
    for rows in lists { rows.updateAll { $0.go() } }
  }

  /// A reader is about to be shown the last values.
  func showWhatWas() {
    last?.goes()
    if isEmpty { isGone = true }
  }

  /// The state exists again, and a reader has seen it before it was compared.
  func comeBack() { isGone = false }

  /// Whether these fields are compared because a node of the child reads them.
  var isWatched: Bool { entry?.node != nil }

  private func notifyOwn() {
    let changed = fields
    fields = []
    positions = [:]
    for field in changed where field.showsAnEnd(in: nil) { endings[field.name, default: 0] += 1 }
    for field in changed { field.notify() }
  }

  private func forget(_ field: ObservedField) {
    guard let position = positions.removeValue(forKey: field.name), let last = fields.popLast(), last !== field else {
      return
    }
    fields[position] = last
    positions[last.name] = position
  }

  // MARK: - Children

  /// Compares the fields of a child from now on, as long as they are tracked or `node` exists.
  func watch<State, Part>(_ child: ObservedFields, of node: AnyObject, _ way: ChildWay<State, Part>) {
    if let entry = child.entry {
      entry.node = node
      return
    }
    let entry = ObservedChild(of: node, child, isCompared: way.isCompared, update: way.update)
    child.entry = entry
    entry.becomesRestless = { [weak self] in self?.noteRestless() }
    defer { if entry.isRestless { entry.becomesRestless() } }
    if let enlist = way.enlist { return enlist(self, entry) }
    children.append(entry)
    guard children.count > 2 * childrenWhenSwept + 32 else { return }
    // No observer is notified here, because a body of a view may be evaluated at this moment.
    removeUnused()
    childrenWhenSwept = children.count
  }

  /// The rows of a collection whose fields were read.
  func rows<Rows: RowContainer>(
    _ path: AnyKeyPath, at offset: Int, _ watched: WatchedRows
  ) -> ObservedRowsInPlace<Rows> {
    for case let rows as ObservedRowsInPlace<Rows> in lists where rows.path == path { return rows }
    let rows = ObservedRowsInPlace<Rows>(path, at: offset, watched)
    lists.append(rows)
    return rows
  }

  /// Whether something that is observed here or below may change without a change of the state.
  fileprivate var isRestless: Bool {
    fields.contains { !$0.isCompared } || children.contains { $0.isRestless } || lists.contains { $0.isRestless }
  }

  private func noteRestless() { entry?.becomesRestless() }

  private func updateChildren(_ update: (ObservedChild) -> Bool) {
    let present = children
    var hasUnused = false
    for child in present where !update(child) { hasUnused = true }
    if hasUnused { removeUnused() }
  }

  private func removeUnused() {
    children.removeAll { child in
      guard !child.isUsed else { return false }
      child.leave()
      return true
    }
  }
}

/// Identifies a field of a state.
enum FieldName: Hashable {
  case path(AnyKeyPath)
  /// The ids of rows, in their order.
  case rows(AnyKeyPath)
  /// Whether a child of a type exists.
  case presence(EffectID, of: ObjectIdentifier)
  /// That the state itself exists.
  case existence
}

/// Whether an optional child exists, and which one, if its state is `Identifiable`.
enum ChildIdentity: Hashable {
  case absent
  case present
  case identified(AnyHashable)

  /// A function that returns the identity of a child of a type.
  static func of<Part>(_ type: Part.Type) -> (Part?) -> ChildIdentity {
    guard type is any Identifiable.Type else { return { $0 == nil ? .absent : .present } }
    return { part in
      guard let part else { return .absent }
      guard let part = part as? any Identifiable else { return .present }
      return identified(part)
    }
  }

  private static func identified<Part: Identifiable>(_ part: Part) -> ChildIdentity {
    .identified(AnyHashable(part.id))
  }
}

/// A child's fields as its parent sees them.
final class ObservedChild {
  /// The newest node of the child.
  fileprivate weak var node: AnyObject?
  /// Kept beside the node: a reader of a child store that is released at once must still be notified.
  let fields: ObservedFields
  /// Finds the child in its parent, and shows it to the fields.
  private let show: (StateInPlace, ObservedFields) -> Void
  /// Whether the child can be found in every state.
  private let isCompared: Bool
  /// Called when `isRestless` becomes true.
  var becomesRestless: () -> Void = {}

  init(
    of node: AnyObject, _ fields: ObservedFields, isCompared: Bool,
    update: @escaping (StateInPlace, ObservedFields) -> Void
  ) {
    self.node = node
    self.fields = fields
    self.isCompared = isCompared
    show = update
  }

  /// Whether its readers may have to be notified although the child has not changed.
  var isRestless: Bool { !isCompared || fields.isRestless }

  /// Whether the child store is kept, or a reader waits to be notified.
  var isUsed: Bool { node != nil || fields.isTracked }
  var count: Int { fields.count }

  /// Compares the fields with a state of the parent. Returns whether the child is still used.
  func update(_ state: StateInPlace) -> Bool {
    if !fields.isEmpty { show(state, fields) }
    return isUsed
  }

  func go() -> Bool {
    fields.go()
    return isUsed
  }

  func notifyAll() -> Bool {
    fields.notifyAll()
    return isUsed
  }

  /// It is not compared any more.
  func leave() { fields.entry = nil }
}

/// The observer that a store holds. Its reference is weak, so that the store does not keep the fields of an
/// `ObservableStore` that has been released.
final class WeakObserver: StateObserver {
  private weak let fields: ObservedFields?

  init(_ fields: ObservedFields) {
    self.fields = fields
  }

  var isWatched: Bool { fields != nil }

  func offer(_ state: StateInPlace, _ effects: () -> LiveEffects) -> Bool {
    guard let fields else { return false }
    fields.update(state)
    return true
  }

  func finish() {}
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Observation

/// The fields of a state that were read, each with its own registrar: a reader is notified only of the fields it has
/// read.
// SAFETY: used on the main actor only: by `ObservableStore` and `ChildStore`, which are isolated to it, and by the
// store that they observe, which runs on it.
final class ObservedFields: @unchecked Sendable {
  private var fields: [ObservedField] = []
  private var positions: [FieldName: Int] = [:]
  /// Stored fields of a state that may be removed, which were read and are not tracked any more: their last values are
  /// to be shown.
  private var followed: [FieldName: ObservedField] = [:]
  /// The fields of children that were scoped from here.
  private var children: [ObservedChild] = []
  private var childrenWhenSwept = 0
  /// The last values of children that may be removed.
  private var seen = LastSeenIndex()
  /// The last values of the state, if it may be removed itself.
  var last: LastShown?
  /// The state does not exist any more, and all observers have been notified.
  private var isGone = false

  /// How many fields are compared, including those of children; for tests of the fields that remain.
  var count: Int { fields.count + followed.count + children.reduce(0) { $0 + $1.count + 1 } }

  /// For how many children there is an entry with their last values; for the same tests.
  var seenCount: Int { seen.count }

  var isEmpty: Bool { fields.isEmpty && children.isEmpty && followed.isEmpty }

  func accessed<State, Value>(_ keyPath: KeyPath<State, Value>, _ value: Value) {
    keep(field(.path(keyPath)) { .make(keyPath, value) }) { $0.accessed(value) }
  }

  /// A reader was shown whether a child exists. `look` is `nil` if only readers may evaluate that.
  func accessed(_ name: FieldName, _ isThere: Bool, _ look: ((StateInPlace) -> Bool)?) {
    keep(field(name) { look.map { Presence(name, isThere, $0) } ?? ObservedField(name) }) { $0.accessed(isThere) }
  }

  /// A reader was shown that this state exists.
  func accessedExistence() {
    field(.existence) { Existence() }.accessed(true)
  }

  /// Keeps a field that is read, unless it is not tracked.
  private func keep(_ field: ObservedField, _ read: (ObservedField) -> Void) {
    read(field)
    if !field.isTracked { forget(field) }
  }

  func lastSeen<State>(_ name: FieldName, _ state: State) -> LastSeen<State> { seen.entry(name, seeing: state) }

  private func field(_ name: FieldName, make: () -> ObservedField) -> ObservedField {
    if let position = positions[name] { return fields[position] }
    let field = make()
    followed[name] = nil
    positions[name] = fields.count
    fields.append(field)
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
        guard let last else { continue }
        field.show(state, to: last)
        followed[field.name] = field.successor(state)
      }
      for field in changed { field.notify() }
    }
    if !children.isEmpty { updateChildren { $0.update(state) } }
  }

  /// Notes the present values of fields that were read and are not tracked any more.
  private func follow(_ state: StateInPlace, _ last: LastShown) {
    for (name, field) in followed where field.hasChanged(state) {
      field.show(state, to: last)
      followed[name] = field.successor(state)
    }
  }

  /// The changes cannot be found: all observers are notified.
  func notifyAll() {
    notifyOwn()
    updateChildren { $0.notifyAll() }
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
  }

  /// A reader is about to be shown the last values.
  func showWhatWas() {
    last?.goes()
    if isEmpty { isGone = true }
  }

  private func notifyOwn() {
    let changed = fields
    fields = []
    positions = [:]
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

  func add(_ child: ObservedChild) {
    children.append(child)
    guard children.count > 2 * childrenWhenSwept + 32 else { return }
    // An observer of a child store that is not kept is notified once too often, and reads again.
    updateChildren { child in
      if !child.isKept { child.notifyAll() }
      return child.isKept
    }
    childrenWhenSwept = children.count
  }

  private func updateChildren(_ update: (ObservedChild) -> Bool) {
    let present = children
    var hasLeft = false
    for child in present where !update(child) { hasLeft = true }
    if hasLeft { children.removeAll { !$0.isKept } }
  }
}

/// What a field is found by.
enum FieldName: Hashable {
  case path(AnyKeyPath)
  /// Whether a child of a type exists.
  case presence(EffectID, of: ObjectIdentifier)
  /// That the state itself exists.
  case existence
}

/// A child's fields as its parent sees them.
final class ObservedChild {
  private weak let node: AnyObject?
  /// Kept beside the node: a reader of a child store that is released at once must still be notified.
  private let fields: ObservedFields
  /// Finds the child in its parent, and shows it to the fields.
  private let show: (StateInPlace, ObservedFields) -> Void

  init(of node: AnyObject, _ fields: ObservedFields, update: @escaping (StateInPlace, ObservedFields) -> Void) {
    self.node = node
    self.fields = fields
    show = update
  }

  /// Whether the child store is kept.
  var isKept: Bool { node != nil }
  var count: Int { fields.count }

  /// Compares; `false` if the child store is not kept.
  func update(_ state: StateInPlace) -> Bool {
    guard isKept else { return notifyAll() }
    if !fields.isEmpty { show(state, fields) }
    return true
  }

  func go() -> Bool {
    fields.go()
    return isKept
  }

  @discardableResult
  func notifyAll() -> Bool {
    fields.notifyAll()
    return isKept
  }
}

/// The object that a store holds, so that it does not keep the fields of an `ObservableStore` that has been released.
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

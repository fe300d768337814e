// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Observation

/// The fields of a state that were read, each with its own registrar: whoever read one is told of that one only.
// SAFETY: used on the main actor only: by `ObservableStore` and `ChildStore`, which are isolated to it, and by the store they
// observe, which runs on it.
final class ObservedFields: @unchecked Sendable {
  private var fields: [ObservedField] = []
  private var positions: [FieldName: Int] = [:]
  /// Stored fields of a state that may go that were read and are not tracked any more: their last values are to be shown.
  private var followed: [FieldName: ObservedField] = [:]
  /// Those of children that were scoped from here.
  private var children: [ObservedChild] = []
  private var childrenWhenSwept = 0
  /// What was seen of children that may go.
  private var seen = LastSeenIndex()
  /// What was seen of the state, if it may go itself.
  var last: LastShown?
  /// The state is gone, and everybody has been told.
  private var isGone = false

  /// How many fields are compared, those of children included; for tests of what is left behind.
  var count: Int { fields.count + followed.count + children.reduce(0) { $0 + $1.count + 1 } }

  /// Of how many children it is known where to find what was seen of them; likewise.
  var seenCount: Int { seen.count }

  var isEmpty: Bool { fields.isEmpty && children.isEmpty && followed.isEmpty }

  func accessed<State, Value>(_ keyPath: KeyPath<State, Value>, _ value: Value) {
    keep(field(.path(keyPath)) { .make(keyPath, value) }) { $0.accessed(value) }
  }

  /// Somebody was told whether there is a child; `look` may not exist where nobody but who reads may look.
  func accessed(_ name: FieldName, _ isThere: Bool, _ look: ((StateInPlace) -> Bool)?) {
    keep(field(name) { look.map { Presence(name, isThere, $0) } ?? ObservedField(name) }) { $0.accessed(isThere) }
  }

  /// Somebody was told that there is this state.
  func accessedExistence() {
    field(.existence) { Existence() }.accessed(true)
  }

  /// Keeps a field that is read, unless nobody tracks it.
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

  /// Looks who is to be told, and tells.
  func update(_ state: StateInPlace) {
    if isGone {
      isGone = false
      last?.comesBack(state)
    }
    var changed: [ObservedField] = []
    if let last, !followed.isEmpty { follow(state, last) }
    for field in fields where !field.isTracked || field.hasChanged(state) { changed.append(field) }
    // One that has told everybody is forgotten: tracking is for one change, and the next read begins anew. So only what
    // somebody still shows is compared. Forgotten first: observers may read further fields while they are told.
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

  /// Notes what has become of fields that were read and are not tracked any more.
  private func follow(_ state: StateInPlace, _ last: LastShown) {
    for (name, field) in followed where field.hasChanged(state) {
      field.show(state, to: last)
      followed[name] = field.successor(state)
    }
  }

  /// Nobody can tell what has changed: everybody is told.
  func notifyAll() {
    notifyOwn()
    updateChildren { $0.notifyAll() }
  }

  /// The state is gone: everybody is told, once. What is read from now on is what was, and so changes no more.
  func go() {
    guard !isGone else { return }
    isGone = true
    followed = [:]
    last?.goes()
    notifyOwn()
    updateChildren { $0.go() }
  }

  /// Somebody is about to be shown what was.
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
    // Whoever still observes a child store that nobody keeps is told once too often, and reads anew.
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
  /// Whether there is a child of a type.
  case presence(EffectID, of: ObjectIdentifier)
  /// That there is the state itself.
  case existence
}

/// A child's fields as its parent sees them.
final class ObservedChild {
  private weak let node: AnyObject?
  /// Kept beside the node: who reads through a child store that is gone at once is to be told all the same.
  private let fields: ObservedFields
  /// Finds the child in its parent, and shows it to the fields.
  private let show: (StateInPlace, ObservedFields) -> Void

  init(of node: AnyObject, _ fields: ObservedFields, update: @escaping (StateInPlace, ObservedFields) -> Void) {
    self.node = node
    self.fields = fields
    show = update
  }

  /// Whether somebody keeps the child store.
  var isKept: Bool { node != nil }
  var count: Int { fields.count }

  /// Compares; `false` if nobody keeps the child store.
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

/// What a store holds, so that it does not keep the fields of an `ObservableStore` that is gone.
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

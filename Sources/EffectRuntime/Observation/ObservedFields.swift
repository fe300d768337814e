// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Observation

/// The fields of a state that were read, each with its own registrar: whoever read one is told of that one only.
// SAFETY: used on the main actor only: by `ObservableStore` and `ChildStore`, which are isolated to it, and by the store they
// observe, which runs on it.
final class ObservedFields: @unchecked Sendable {
  private var fields: [ObservedField] = []
  private var positions: [FieldName: Int] = [:]
  /// Those of children that were scoped from here.
  private var children: [ObservedChild] = []
  private var childrenWhenSwept = 0

  /// How many fields are compared, those of children included; for tests of what is left behind.
  var count: Int { fields.count + children.reduce(0) { $0 + $1.count + 1 } }

  var isEmpty: Bool { fields.isEmpty && children.isEmpty }

  func accessed<State, Value>(_ keyPath: KeyPath<State, Value>, _ value: Value) {
    field(.path(keyPath)) { .make(keyPath, value) }.accessed(value)
  }

  /// Somebody was told whether there is a child at a position.
  func accessed(_ position: EffectID, _ isThere: Bool, _ look: @escaping (StateInPlace) -> Bool) {
    field(.presence(position)) { Presence(position, isThere, look) }.accessed(isThere)
  }

  private func field(_ name: FieldName, make: () -> ObservedField) -> ObservedField {
    if let position = positions[name] { return fields[position] }
    let field = make()
    positions[name] = fields.count
    fields.append(field)
    return field
  }

  /// Looks who is to be told, and tells.
  func update(_ state: StateInPlace) {
    var changed: [ObservedField] = []
    for field in fields where field.hasChanged(state) { changed.append(field) }
    // One that has told everybody is forgotten: tracking is for one change, and the next read begins anew. So only what
    // somebody still shows is compared. Forgotten first: observers may read further fields while they are told.
    if !changed.isEmpty {
      for field in changed { forget(field) }
      for field in changed { field.notify() }
    }
    if !children.isEmpty { updateChildren { $0.update(state) } }
  }

  /// The state is gone, or nobody can tell any more: everybody is told.
  func notifyAll() {
    let changed = fields
    fields = []
    positions = [:]
    for field in changed { field.notify() }
    updateChildren { $0.notifyAll() }
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
  /// Whether there is a child.
  case presence(EffectID)
}

/// A child's fields as its parent sees them.
final class ObservedChild {
  private weak let node: AnyObject?
  /// Kept beside the node: who reads through a child store that is gone at once is to be told all the same.
  private let fields: ObservedFields
  /// Finds the child in its parent and calls back with it; `false` if there is none.
  private let find: (StateInPlace, (StateInPlace) -> Void) -> Bool

  init(
    of node: AnyObject, _ fields: ObservedFields, find: @escaping (StateInPlace, (StateInPlace) -> Void) -> Bool
  ) {
    self.node = node
    self.fields = fields
    self.find = find
  }

  /// Whether somebody keeps the child store.
  var isKept: Bool { node != nil }
  var count: Int { fields.count }

  /// Compares; `false` if nobody keeps the child store.
  func update(_ state: StateInPlace) -> Bool {
    guard isKept else { return notifyAll() }
    if !fields.isEmpty, !find(state, fields.update) { fields.notifyAll() }
    return true
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

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Observation

/// A field that was read, as it was read first.
// SAFETY: see `ObservedFields`, its only owner.
class ObservedField: Observable, @unchecked Sendable {
  let name: FieldName
  private let registrar = ObservationRegistrar()

  init(_ name: FieldName) {
    self.name = name
  }

  /// The fitting kind: a stored field whose values can be compared, or one of which that cannot be known.
  static func make<State, Value>(_ keyPath: KeyPath<State, Value>, _ value: Value) -> ObservedField {
    // A computed one may only make sense in the state it was read in (`rows[selected!]`), so nobody evaluates it but its
    // readers, and any change of the state counts as its own.
    // An object compares as equal to itself, whatever has changed in it.
    guard !(Value.self is AnyObject.Type), let offset = MemoryLayout<State>.offset(of: keyPath),
      let type = Value.self as? any Equatable.Type
    else {
      return ObservedField(.path(keyPath))
    }
    return make(keyPath, value, as: type, at: offset)
  }

  private static func make<State, Value, Known: Equatable>(
    _ keyPath: KeyPath<State, Value>, _ value: Value, as type: Known.Type, at offset: Int
  ) -> ObservedField {
    // The two are one type, which only the second name says can be compared.
    guard let value = value as? Known else { return ObservedField(.path(keyPath)) }
    return StoredField(.path(keyPath), value, at: offset)
  }

  /// Somebody has been shown this value.
  final func accessed<Value>(_ value: Value) {
    note(value)
    registrar.access(self, keyPath: \.shown)
  }

  fileprivate func note<Value>(_ value: Value) {}

  func hasChanged(_ state: StateInPlace) -> Bool { true }

  /// What it is now, for when the state is gone. A computed one is evaluated by its readers alone.
  func show(_ state: StateInPlace, to last: LastShown) {}

  final func notify() {
    registrar.withMutation(of: self, keyPath: \.shown) {}
  }

  /// Stands for the value towards the registrar.
  private var shown: Void { () }
}

/// One whose values are compared where they lie.
// SAFETY: as above.
private final class StoredField<Value: Equatable>: ObservedField, @unchecked Sendable {
  private let value: Value
  private let offset: Int
  /// Somebody was shown another value than the first reader; one of the two must be told in any case.
  private var wasShownAnother = false

  init(_ name: FieldName, _ value: Value, at offset: Int) {
    self.value = value
    self.offset = offset
    super.init(name)
  }

  override func note<Shown>(_ shown: Shown) {
    if (shown as? Value) != value { wasShownAnother = true }
  }

  override func hasChanged(_ state: StateInPlace) -> Bool {
    wasShownAnother || !state.holds(value, at: offset)
  }

  override func show(_ state: StateInPlace, to last: LastShown) {
    if case .path(let path) = name { last.note(path, state.value(at: offset, as: Value.self)) }
  }
}

/// Whether there is a child, which can be looked at whatever the state.
// SAFETY: as above.
final class Presence: ObservedField, @unchecked Sendable {
  private let isThere: Bool
  private let look: (StateInPlace) -> Bool
  private var wasShownAnother = false

  init(_ name: FieldName, _ isThere: Bool, _ look: @escaping (StateInPlace) -> Bool) {
    self.isThere = isThere
    self.look = look
    super.init(name)
  }

  override func note<Shown>(_ shown: Shown) {
    if (shown as? Bool) != isThere { wasShownAnother = true }
  }

  override func hasChanged(_ state: StateInPlace) -> Bool {
    wasShownAnother || look(state) != isThere
  }
}

/// That a state is there, which changes when it goes and all its fields are told.
// SAFETY: as above.
final class Existence: ObservedField, @unchecked Sendable {
  init() { super.init(.existence) }

  override func hasChanged(_ state: StateInPlace) -> Bool { false }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Observation

/// A field that was read, as it was read first. Of this very class: a computed one, which nobody but its readers evaluates.
///
/// One is kept as long as somebody tracks it, and not for who has read it only: there may be one for each id that was ever
/// looked up.
// SAFETY: see `ObservedFields`, its only owner.
class ObservedField: Observable, @unchecked Sendable {
  let name: FieldName
  fileprivate let registrar = ObservationRegistrar()
  private weak var tracker: Tracker?

  /// Kept by those who track the field, and by nobody else: `Observation` keeps the key path, and that what it captures.
  fileprivate final class Tracker: Hashable {
    static func == (left: Tracker, right: Tracker) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  init(_ name: FieldName) {
    self.name = name
  }

  /// The fitting kind: a stored field whose values can be compared, or one of which that cannot be known.
  static func make<State, Value>(_ keyPath: KeyPath<State, Value>, _ value: Value) -> ObservedField {
    // A computed one may only make sense in the state it was read in (`rows[selected!]`), so nobody evaluates it but its
    // readers, and any change of the state counts as its own.
    guard let offset = MemoryLayout<State>.offset(of: keyPath) else { return ObservedField(.path(keyPath)) }
    // An object compares as equal to itself, whatever has changed in it.
    guard let type = Value.self as? any Equatable.Type, !HeldObjects.mayBe(in: value) else {
      return UncomparedField<Value>(.path(keyPath), at: offset)
    }
    return make(keyPath, value, as: type, at: offset)
  }

  private static func make<State, Value, Known: Equatable>(
    _ keyPath: KeyPath<State, Value>, _ value: Value, as type: Known.Type, at offset: Int
  ) -> ObservedField {
    // The two are one type, which only the second name says can be compared.
    guard let value = value as? Known else { return UncomparedField<Value>(.path(keyPath), at: offset) }
    return StoredField(.path(keyPath), value, at: offset)
  }

  /// Somebody has been shown this value.
  final func accessed<Value>(_ value: Value) {
    note(value)
    access()
  }

  fileprivate func note<Value>(_ value: Value) {}

  fileprivate func access() {
    let tracker = tracker ?? Tracker()
    self.tracker = tracker
    registrar.access(self, keyPath: \.[shownTo: tracker])
  }

  /// Whether an observer may have to be notified. Outside of any tracking this ends as soon as the field has been read.
  var isTracked: Bool { tracker != nil }

  func hasChanged(_ state: StateInPlace) -> Bool { true }

  /// What it is now, for when the state is gone. A computed one is evaluated by its readers alone.
  func show(_ state: StateInPlace, to last: LastShown) {}

  /// The same field as it is now, tracked by nobody; nothing, for one that only its readers evaluate.
  func successor(_ state: StateInPlace) -> ObservedField? { nil }

  func notify() {
    guard let tracker else { return }
    registrar.withMutation(of: self, keyPath: \.[shownTo: tracker]) {}
  }

  // These stand for the value towards the registrar.
  private subscript(shownTo tracker: Tracker) -> Void { () }
  fileprivate var shown: Void { () }
}

/// One of which there are no more than a state has fields: kept until it changes, which costs a reader less.
// SAFETY: as above.
class LastingField: ObservedField, @unchecked Sendable {
  override fileprivate func access() { registrar.access(self, keyPath: \.shown) }
  override final var isTracked: Bool { true }
  override final func notify() { registrar.withMutation(of: self, keyPath: \.shown) {} }
}

/// A stored one whose values cannot be compared, or are equal although they hold something that has changed.
// SAFETY: as above.
private final class UncomparedField<Value>: LastingField, @unchecked Sendable {
  private let offset: Int

  init(_ name: FieldName, at offset: Int) {
    self.offset = offset
    super.init(name)
  }

  override func show(_ state: StateInPlace, to last: LastShown) {
    if case .path(let path) = name { last.note(path, state.value(at: offset, as: Value.self)) }
  }

  override func successor(_ state: StateInPlace) -> ObservedField? { UncomparedField(name, at: offset) }
}

/// One whose values are compared where they lie.
// SAFETY: as above.
private final class StoredField<Value: Equatable>: LastingField, @unchecked Sendable {
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

  override func successor(_ state: StateInPlace) -> ObservedField? {
    StoredField(name, state.value(at: offset, as: Value.self), at: offset)
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
final class Existence: LastingField, @unchecked Sendable {
  init() { super.init(.existence) }

  override func hasChanged(_ state: StateInPlace) -> Bool { false }
}

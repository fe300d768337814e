// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Observation

/// A field that was read, with the value of the first read. This class itself is for a computed field, which only its
/// readers evaluate.
///
/// A field is kept as long as it is tracked. It is not kept for readers that do not track it, because there may be one
/// field for each id that was ever looked up.
// SAFETY: see `ObservedFields`, its only owner.
class ObservedField: Observable, @unchecked Sendable {
  let name: FieldName
  fileprivate let registrar = ObservationRegistrar()
  private weak var tracker: Tracker?

  /// Kept only by the code that tracks the field: `Observation` keeps the key path, and the key path keeps the objects
  /// it captures.
  fileprivate final class Tracker: Hashable {
    static func == (left: Tracker, right: Tracker) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  init(_ name: FieldName) {
    self.name = name
  }

  /// Makes the right kind: a stored field whose values can be compared, or a field that cannot be compared.
  static func make<State, Value>(_ keyPath: KeyPath<State, Value>, _ value: Value) -> ObservedField {
    // A computed field may only be valid in the state in which it was read (`rows[selected!]`). So only its readers
    // evaluate it, and any change of the state counts as a change of the field.
    guard let offset = MemoryLayout<State>.offset(of: keyPath) else { return ObservedField(.path(keyPath)) }
    // An object equals itself, even if its content has changed.
    guard let type = Value.self as? any Equatable.Type, !HeldObjects.mayBe(in: value) else {
      return UncomparedField<Value>(.path(keyPath), at: offset)
    }
    return make(keyPath, value, as: type, at: offset)
  }

  private static func make<State, Value, Known: Equatable>(
    _ keyPath: KeyPath<State, Value>, _ value: Value, as type: Known.Type, at offset: Int
  ) -> ObservedField {
    // The two are one type, but only the second name shows the compiler that it can be compared.
    guard let value = value as? Known else { return UncomparedField<Value>(.path(keyPath), at: offset) }
    return StoredField(.path(keyPath), value, at: offset)
  }

  /// A reader has been shown this value.
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

  /// Whether an observer may have to be notified. Without tracking this is `false` as soon as the field has been read.
  var isTracked: Bool { tracker != nil }

  func hasChanged(_ state: StateInPlace) -> Bool { true }

  /// Notes its present value, to be shown when the state does not exist any more. A computed field is evaluated only by
  /// its readers.
  func show(_ state: StateInPlace, to last: LastShown) {}

  /// The same field with its present value, not tracked; `nil` for a field that only its readers evaluate.
  func successor(_ state: StateInPlace) -> ObservedField? { nil }

  func notify() {
    guard let tracker else { return }
    registrar.withMutation(of: self, keyPath: \.[shownTo: tracker]) {}
  }

  // These represent the value for the registrar.
  private subscript(shownTo tracker: Tracker) -> Void { () }
  fileprivate var shown: Void { () }
}

/// A field of which there are no more than the state has fields: kept until it changes, which makes reading cheaper.
// SAFETY: as above.
class LastingField: ObservedField, @unchecked Sendable {
  override fileprivate func access() { registrar.access(self, keyPath: \.shown) }
  override final var isTracked: Bool { true }
  override final func notify() { registrar.withMutation(of: self, keyPath: \.shown) {} }
}

/// A stored field whose values cannot be compared, or may be equal although their content has changed.
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

/// A field whose values are compared in place.
// SAFETY: as above.
private final class StoredField<Value: Equatable>: LastingField, @unchecked Sendable {
  private let value: Value
  private let offset: Int
  /// A reader was shown a different value than the first reader, so one of the two must be notified in any case.
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

/// Whether a child exists, which can be checked in every state.
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

/// That a state exists. It changes when the state is removed and all its fields are notified.
// SAFETY: as above.
final class Existence: LastingField, @unchecked Sendable {
  init() { super.init(.existence) }

  override func hasChanged(_ state: StateInPlace) -> Bool { false }
}

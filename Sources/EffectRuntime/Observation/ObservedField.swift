// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Observation

/// A field that was read, with the value of the first read. This class itself is for a computed field, which only its
/// readers evaluate.
///
/// A field is kept as long as it is tracked. It is not kept for readers that do not track it, because there may be one
/// field for each id that was ever looked up.
// Not `Sendable`: `ObservedFields` owns it, which is used on the main actor only.
class ObservedField: Observable {
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
  ///
  /// - Parameter isLasting: whether a stored field is kept until it changes, also if it is not tracked.
  static func make<State, Value>(
    _ keyPath: KeyPath<State, Value>, _ value: Value, isLasting: Bool
  ) -> ObservedField {
    // A computed field may only be valid in the state in which it was read (`rows[selected!]`). So only its readers
    // evaluate it, and any change of the state counts as a change of the field.
    guard let offset = MemoryLayout<State>.offset(of: keyPath) else { return ObservedField(.path(keyPath)) }
    // An object equals itself, even if its content has changed.
    guard let type = Value.self as? any Equatable.Type, !HeldObjects.mayBe(in: value) else {
      return UncomparedField<Value>(.path(keyPath), at: offset, isLasting)
    }
    return make(keyPath, value, as: type, at: offset, isLasting)
  }

  private static func make<State, Value, Known: Equatable>(
    _ keyPath: KeyPath<State, Value>, _ value: Value, as type: Known.Type, at offset: Int, _ isLasting: Bool
  ) -> ObservedField {
    // The two are one type, but only the second name shows the compiler that it can be compared.
    guard let value = value as? Known else { return UncomparedField<Value>(.path(keyPath), at: offset, isLasting) }
    return StoredField(.path(keyPath), value, at: offset, isLasting)
  }

  /// A reader has been shown this value.
  final func accessed<Value>(_ value: Value) {
    note(value)
    access()
  }

  /// Compares a value that was shown with the value of the first read.
  func note<Value>(_ value: Value) {}

  fileprivate func access() {
    let tracker = tracker ?? Tracker()
    self.tracker = tracker
    registrar.access(self, keyPath: \.[shownTo: tracker])
  }

  /// Whether an observer may have to be notified. Without tracking this is `false` as soon as the field has been read.
  var isTracked: Bool { tracker != nil }

  /// Whether its value in this state differs from one that was shown. If this is not known, it is `true`.
  func hasChanged(_ state: StateInPlace) -> Bool { true }

  /// Whether its value is compared. If not, any reduction counts as a change.
  var isCompared: Bool { false }

  /// Whether its value can be read in every state.
  var isStored: Bool { false }

  /// Whether it has shown an optional child that is removed or replaced in this state; `nil` if there is no state.
  func showsAnEnd(in state: StateInPlace?) -> Bool { false }

  /// Notes its present value, to be shown when the state does not exist any more. Does nothing for a computed field, which
  /// only its readers evaluate.
  func show(_ state: StateInPlace, to last: LastShown) {}

  /// The same field with its present value, not tracked; `nil` for a field that only its readers evaluate.
  func successor(_ state: StateInPlace) -> ObservedField? { nil }

  /// Notifies the readers that track it. Their tracking ends.
  func notify() {
    guard let tracker else { return }
    registrar.withMutation(of: self, keyPath: \.[shownTo: tracker]) {}
  }

  // These represent the value for the registrar.
  private subscript(shownTo tracker: Tracker) -> Void { () }
  fileprivate var shown: Void { () }
}

/// A stored field. In the state of a whole store it is kept until it changes, which makes reading cheaper. There are at
/// most as many as the state has fields.
private class LastingField: ObservedField {
  fileprivate let isLasting: Bool
  fileprivate let offset: Int

  fileprivate init(_ name: FieldName, at offset: Int, _ isLasting: Bool) {
    self.isLasting = isLasting
    self.offset = offset
    super.init(name)
  }

  override final var isStored: Bool { true }
  override fileprivate final func access() {
    if isLasting { registrar.access(self, keyPath: \.shown) } else { super.access() }
  }
  override final var isTracked: Bool { isLasting || super.isTracked }
  override final func notify() {
    if isLasting { registrar.withMutation(of: self, keyPath: \.shown) {} } else { super.notify() }
  }
}

/// A stored field whose values cannot be compared, or may be equal although their content has changed.
private final class UncomparedField<Value>: LastingField {
  override func show(_ state: StateInPlace, to last: LastShown) {
    last.note(name, state.value(at: offset, as: Value.self))
  }

  override func successor(_ state: StateInPlace) -> ObservedField? {
    UncomparedField(name, at: offset, isLasting)
  }
}

/// A field whose values are compared in place.
private final class StoredField<Value: Equatable>: LastingField {
  private let value: Value
  /// A reader was shown another value than the first reader. So one of the two must be notified, whatever the value is.
  private var wasShownAnother = false

  init(_ name: FieldName, _ value: Value, at offset: Int, _ isLasting: Bool) {
    self.value = value
    super.init(name, at: offset, isLasting)
  }

  override func note<Shown>(_ shown: Shown) {
    if !Sameness.areSame(shown as? Value, value) { wasShownAnother = true }
  }

  override var isCompared: Bool { true }

  override func hasChanged(_ state: StateInPlace) -> Bool {
    wasShownAnother || !state.holds(value, at: offset)
  }

  override func show(_ state: StateInPlace, to last: LastShown) {
    last.note(name, state.value(at: offset, as: Value.self))
  }

  override func successor(_ state: StateInPlace) -> ObservedField? {
    StoredField(name, state.value(at: offset, as: Value.self), at: offset, isLasting)
  }
}

/// Whether a child exists, and which one. It can be checked in every state.
final class Presence: ObservedField {
  private let child: ChildIdentity
  private let look: (StateInPlace) -> ChildIdentity
  private var wasShownAnother = false

  init(_ name: FieldName, _ child: ChildIdentity, _ look: @escaping (StateInPlace) -> ChildIdentity) {
    self.child = child
    self.look = look
    super.init(name)
  }

  override func note<Shown>(_ shown: Shown) {
    if !Sameness.areSame(shown as? ChildIdentity, child) { wasShownAnother = true }
  }

  override var isCompared: Bool { true }

  override func hasChanged(_ state: StateInPlace) -> Bool {
    wasShownAnother || !Sameness.areSame(look(state), child)
  }

  override func showsAnEnd(in state: StateInPlace?) -> Bool {
    child != .absent && state.map { !Sameness.areSame(look($0), child) } ?? true
  }
}

/// The fact that a state exists. Its readers are notified when the state is removed, as those of all its fields.
final class Existence: ObservedField {
  init() { super.init(.existence) }

  override var isCompared: Bool { true }
  override func hasChanged(_ state: StateInPlace) -> Bool { false }
}

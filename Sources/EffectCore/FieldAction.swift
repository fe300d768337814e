// This source file is part of swift-effects. License: Apache-2.0.

/// An action with one case for all fields that a form may change.
///
/// ```swift
/// enum Action: FieldAction, Equatable {
///   case field(FieldChange<State>), saveTapped
/// }
/// // in reduce:
/// case .field(let change): change.apply(to: &state); return .none
/// // in the view:
/// @Bindable var settings: ObservableStore<Settings.State, Settings.Action>
/// TextField("Name", text: $settings.name)                   // sends .field(\.name, "A")
/// // in a test:
/// store.send(.field(\.name, "A")) { $0.name = "A" }
/// ```
///
/// Only the reducer changes the state: an assignment to `settings.name`, by a control or in code, sends the action. A
/// reducer may look at the change first, refuse it, or apply another value; the control then shows what the state has.
/// Without such an action, name the action at the control: `settings.binding(\.name, send: Settings.Action.nameChanged)`.
///
/// - Isolation: a value.
public protocol FieldAction<Fields>: Sendable {
  /// The state whose fields are changed: that of the feature.
  associatedtype Fields

  /// The action for a change. A case with this name and payload is enough.
  ///
  /// - Parameter change: the field and its new value; the reducer applies it with ``FieldChange/apply(to:)``.
  /// - Returns: the action.
  static func field(_ change: FieldChange<Fields>) -> Self

  /// The fields that may be assigned to; `nil`, the default, for all of them.
  ///
  /// ```swift
  /// static var writableFields: [any PartialKeyPath<State> & Sendable]? { [\.name, \.isPublic] }
  /// ```
  ///
  /// An assignment to another field is a misuse: nothing is sent, the field keeps its value, and the store reports a
  /// failure of the kind `fieldNotWritable`. The list is for assignments, by a control or in code. An action that is sent
  /// as a value, `.field(\.other, 1)`, is reduced as any other.
  static var writableFields: [any PartialKeyPath<Fields> & Sendable]? { get }
}

extension FieldAction {
  /// All fields may be assigned to.
  public static var writableFields: [any PartialKeyPath<Fields> & Sendable]? { nil }

  /// The action for a new value of a field, to send or to compare.
  ///
  /// - Parameters:
  ///   - keyPath: the field.
  ///   - value: its new value.
  /// - Returns: the action.
  public static func field<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<Fields, Value> & Sendable, _ value: Value
  ) -> Self {
    field(FieldChange(keyPath, value))
  }
}

/// A new value of a field, as an action carries it; see ``FieldAction``.
///
/// Two changes are equal if they change the same field to equal values.
///
/// - Isolation: a value.
public struct FieldChange<State>: Sendable, Equatable {
  /// The field.
  public let keyPath: any PartialKeyPath<State> & Sendable
  private let newValue: any Equatable & Sendable
  private let change: @Sendable (inout State) -> Void

  /// Makes a change of a field to a value.
  ///
  /// - Parameters:
  ///   - keyPath: the path to the field.
  ///   - value: the value to set it to.
  public init<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) {
    self.keyPath = keyPath
    newValue = value
    change = { $0[keyPath: keyPath] = value }
  }

  /// Sets the field to the value.
  ///
  /// - Parameter state: the state to change.
  public func apply(to state: inout State) { change(&state) }

  /// The value, if the change is one of this field; `nil` for another one.
  ///
  /// ```swift
  /// if let name = change.value(of: \.name), name.count > 20 { return .none }         // refused
  /// ```
  ///
  /// A control that is bound to a field of a field, `$store.address.city`, changes the outer one: the change is one of
  /// `\.address`. It has a value for `\.address.city` as well, changed or not, if both fields are stored. Ask for a part behind
  /// an optional, a subscript or a computed property in two parts: `change.value(of: \.address)?.city`.
  ///
  /// - Parameter keyPath: the field to ask about: that of the change, or a stored field inside of it.
  /// - Returns: the new value, and `nil` if the change is one of another field.
  public func value<Value>(of keyPath: KeyPath<State, Value>) -> Value? {
    if (self.keyPath as AnyKeyPath) == keyPath { return newValue as? Value }
    guard let start = MemoryLayout<State>.offset(of: self.keyPath), let place = MemoryLayout<State>.offset(of: keyPath)
    else { return nil }
    return Self.part(of: newValue, at: place - start)
  }

  /// The part at a distance in bytes from the beginning of a field, if it lies inside.
  private static func part<Field, Part>(of field: Field, at distance: Int) -> Part? {
    guard distance >= 0, distance + MemoryLayout<Part>.size <= MemoryLayout<Field>.size else { return nil }
    // SAFETY: stored fields do not overlap. So one that lies where this one lies is a part of it, at the same distance.
    return unsafe withUnsafePointer(to: field) { field in
      unsafe UnsafeRawPointer(field).advanced(by: distance).assumingMemoryBound(to: Part.self).pointee
    }
  }

  /// Compares the fields and the values.
  public static func == (left: Self, right: Self) -> Bool {
    guard (left.keyPath as AnyKeyPath) == (right.keyPath as AnyKeyPath) else { return false }
    return isEqual(left.newValue, right.newValue)
  }

  private static func isEqual<Value: Equatable>(_ left: Value, _ right: any Equatable) -> Bool {
    (right as? Value).map { Sameness.areSame(left, $0) } ?? false
  }
}

extension FieldChange: CustomStringConvertible {
  /// `\State.name = "A"`.
  public var description: String { "\(keyPath) = \(ValueDescription.of(newValue))" }
}

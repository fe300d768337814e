// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Pages: state, binding, bindable, environment, environmentvalues, dismissaction. See View.swift.

/// A property that the host supplies with what belongs to the place of the view.
protocol DynamicProperty {
  @MainActor func install(_ label: String, in node: ViewNode)
}

/// Two values cannot be compared.
protocol MadeOfClosures {}

/// `struct State`.
@propertyWrapper
public struct State<Value>: DynamicProperty {
  final class Storage {
    var value: Value
    weak var node: ViewNode?
    init(_ value: Value) { self.value = value }
  }
  final class Place {
    var storage: Storage
    init(_ storage: Storage) { self.storage = storage }
  }
  private let place: Place

  nonisolated public init(wrappedValue value: Value) { place = Place(Storage(value)) }
  nonisolated public init(initialValue value: Value) { place = Place(Storage(value)) }

  @MainActor public var wrappedValue: Value {
    get { place.storage.value }
    nonmutating set {
      place.storage.value = newValue
      if let node = place.storage.node { node.host.invalidate(node) }
    }
  }
  @MainActor public var projectedValue: Binding<Value> {
    let place = place
    return Binding(reading: { State(place).wrappedValue }, writing: { value, _ in State(place).wrappedValue = value })
  }

  private init(_ place: Place) { self.place = place }

  /// The value of the place, if the view was there before, and otherwise the initial one.
  @MainActor func install(_ label: String, in node: ViewNode) {
    if let kept = node.storage[label] as? Storage {
      place.storage = kept
    } else {
      node.storage[label] = place.storage
    }
    place.storage.node = node
  }
}

/// `struct Binding`.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value>: DynamicProperty, MadeOfClosures {
  private let read: @MainActor () -> Value
  private let write: @MainActor (Value, Transaction) -> Void
  public var transaction = Transaction(animation: nil)

  @preconcurrency
  nonisolated public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {
    // SAFETY: both are called on the main actor only, and an isolated function is called like one of a global actor.
    read = unsafe unsafeBitCast(get, to: (@MainActor () -> Value).self)
    let set = unsafe unsafeBitCast(set, to: (@MainActor (Value) -> Void).self)
    write = { value, _ in set(value) }
  }

  @preconcurrency
  nonisolated public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
  ) {
    // SAFETY: as above.
    read = unsafe unsafeBitCast(get, to: (@MainActor () -> Value).self)
    write = unsafe unsafeBitCast(set, to: (@MainActor (Value, Transaction) -> Void).self)
  }

  @MainActor init(
    reading read: @escaping @MainActor () -> Value, writing write: @escaping @MainActor (Value, Transaction) -> Void
  ) {
    self.read = read
    self.write = write
  }

  @MainActor public static func constant(_ value: Value) -> Binding<Value> {
    Binding(reading: { value }, writing: { _, _ in })
  }

  @MainActor public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue, transaction) }
  }
  public var projectedValue: Binding<Value> { self }

  @MainActor public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    let (read, write) = (read, write)
    return Binding<Subject>(
      reading: { read()[keyPath: keyPath] },
      writing: { part, transaction in
        var value = read()
        value[keyPath: keyPath] = part
        write(value, transaction)
      })
  }

  public func animation(_ animation: Animation? = .default) -> Binding<Value> {
    var copy = self
    copy.transaction.animation = animation
    return copy
  }

  @MainActor func install(_ label: String, in node: ViewNode) {}
}

/// `struct Bindable`.
@propertyWrapper @dynamicMemberLookup
public struct Bindable<Value> {
  private var object: Value
  public var wrappedValue: Value {
    get { object }
    set { object = newValue }
  }
  public var projectedValue: Bindable<Value> { self }

  @available(*, unavailable, message: "the wrapped value must be an object that conforms to Observable")
  public init(wrappedValue: Value) { object = wrappedValue }
}

extension Bindable where Value: AnyObject & Observable {
  nonisolated public init(wrappedValue: Value) { object = wrappedValue }
  nonisolated public init(_ wrappedValue: Value) { object = wrappedValue }
}

extension Bindable where Value: AnyObject {
  @MainActor
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    let object = wrappedValue
    return Binding(
      reading: { object[keyPath: keyPath] },
      writing: { value, transaction in withTransaction(transaction) { object[keyPath: keyPath] = value } })
  }
}

/// `struct Environment`.
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  final class Place { var value: Value? }
  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let place = Place()

  nonisolated public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  @MainActor public var wrappedValue: Value { place.value ?? EnvironmentValues()[keyPath: keyPath] }

  @MainActor func install(_ label: String, in node: ViewNode) { place.value = node.environment[keyPath: keyPath] }
}

/// `struct EnvironmentValues`.
public struct EnvironmentValues {
  public var dismiss = DismissAction {}
  public var isEnabled = true
  /// Ends the dialog whose buttons are here.
  var endDialog: (@MainActor () -> Void)?
  /// How many rows a list shows.
  var visibleRows: Int?
  /// Those of the app, by their keys.
  var values: [ObjectIdentifier: Any] = [:]
  /// The navigation stack that the view is in.
  var navigation: Navigation?
}

/// `struct DismissAction`.
public struct DismissAction {
  let action: @MainActor () -> Void
  @MainActor public func callAsFunction() { action() }
}

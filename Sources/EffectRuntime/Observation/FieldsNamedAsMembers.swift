// This source file is part of swift-effects. License: Apache-2.0.

// The stores find the fields of their state by name, but a member of the store comes first. These declarations make the
// compiler explain that. They have no value: code that uses one does not compile.

extension ObservableStore {
  /// Not a field: read a field of the state with this name by `store[\.status]`. For the status of an id, see
  /// ``status(_:)``.
  @available(*, unavailable, message: "a field of the state with this name is read by its key path: `store[\\.status]`")
  public var status: Never { fatalError("unavailable") }

  /// Not a field: read a field of the state with this name by `store[\.scope]`. For a child, see
  /// ``scope(_:action:)-(KeyPath<State,Child>,_)``.
  @available(*, unavailable, message: "a field of the state with this name is read by its key path: `store[\\.scope]`")
  public var scope: Never { fatalError("unavailable") }
}

// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Pages: environmentkey, environmentvalues/subscript(_:), view/environment(_:_:). See View.swift. The macro `Entry` is not
// here. A view that is not evaluated again keeps the value that it has read.

/// `protocol EnvironmentKey`.
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

extension EnvironmentValues {
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

extension View {
  public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
    InEnvironment(base: self, change: { $0[keyPath: keyPath] = value })
  }
}

private struct InEnvironment<Base: View>: View, Primitive {
  let base: Base
  let change: (inout EnvironmentValues) -> Void
  static var rowCount: Int? { Base.staticRowCount }
  func parts(of node: ViewNode) -> [ViewPart] {
    change(&node.environment)
    return [ViewPart(key: "base", view: base)]
  }
}

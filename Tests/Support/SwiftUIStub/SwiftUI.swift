// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// A stand-in for SwiftUI where there is none: the declarations that our code uses, and no behaviour. What compiles against
// it agrees with these signatures, which were written down by hand; nothing more is proved. See `.ci/swiftui.py`.

@_exported public import Observation

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("a stub") }
}

@resultBuilder
public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Stub { Stub() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither(first: some View) -> Stub { Stub() }
  public static func buildEither(second: some View) -> Stub { Stub() }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("a stub") }
}

/// Any view.
public struct Stub: View {
  nonisolated init() {}
  public var body: Never { fatalError("a stub") }
}

// MARK: - Views

public struct Text: View {
  nonisolated public init(_ text: some StringProtocol) {}
  public var body: Never { fatalError("a stub") }
}

public struct ProgressView: View {
  nonisolated public init() {}
  public var body: Never { fatalError("a stub") }
}

public struct TextField: View {
  nonisolated public init(_ title: some StringProtocol, text: Binding<String>) {}
  public var body: Never { fatalError("a stub") }
}

public struct Button: View {
  nonisolated public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
  public var body: Never { fatalError("a stub") }
}

public struct List<Content: View>: View {
  nonisolated public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("a stub") }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  nonisolated public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
  public var body: Never { fatalError("a stub") }
}

// MARK: - Modifiers

extension View {
  nonisolated public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { Stub() }

  nonisolated public func task<ID: Equatable>(
    id: ID, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { Stub() }

  nonisolated public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View { Stub() }

  nonisolated public func navigationDestination<Content: View>(
    isPresented: Binding<Bool>, @ViewBuilder destination: () -> Content
  ) -> some View { Stub() }

  nonisolated public func disabled(_ isDisabled: Bool) -> some View { Stub() }
}

// MARK: - Values

@propertyWrapper
public struct Binding<Value> {
  @preconcurrency
  nonisolated public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) { fatalError("a stub") }

  @preconcurrency
  nonisolated public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
  ) { fatalError("a stub") }

  public var wrappedValue: Value {
    get { fatalError("a stub") }
    nonmutating set { _ = newValue }
  }
  public func animation(_ animation: Animation? = nil) -> Binding<Value> { self }
}

@propertyWrapper
public struct State<Value> {
  nonisolated public init(wrappedValue: Value) { fatalError("a stub") }
  nonisolated public init(initialValue: Value) { fatalError("a stub") }
  public var wrappedValue: Value {
    get { fatalError("a stub") }
    nonmutating set { _ = newValue }
  }
}

@propertyWrapper
public struct Environment<Value> {
  nonisolated public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError("a stub") }
}

public struct EnvironmentValues {
  public var dismiss: DismissAction { DismissAction() }
}

@MainActor @preconcurrency
public struct DismissAction {
  nonisolated init() {}
  public func callAsFunction() {}
}

public struct Animation: Hashable, Sendable {
  public static let `default` = Animation()
}

public struct Transaction {
  public init(animation: Animation?) {}
}

public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
  try body()
}

public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
  try body()
}

@MainActor @preconcurrency
public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder static var previews: Previews { get }
}

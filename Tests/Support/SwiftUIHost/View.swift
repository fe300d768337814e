// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A module named SwiftUI that runs views where Apple's SwiftUI does not exist. It is built only if the environment
// variable EFFECTS_SWIFTUI_HOST is set; see Package.swift and Tests/SwiftUI.md.
//
// Each public declaration of this folder is written after the page of Apple's documentation that its file names, at
// https://developer.apple.com/documentation/swiftui/. Parameters that have a default value and a type of another
// framework are left out. An initializer or a modifier may be isolated to the main actor here although Apple's is
// `nonisolated`, so this is the stricter one. Only `ViewHost` is not part of SwiftUI.
//
// None of this was compiled with Apple's SDK. Code that compiles against this module should compile there; the behaviour
// is what the documentation describes, as far as it does.
//
// Pages for this file: view, viewbuilder, tupleview, group, emptyview, anyview.

@_exported public import Observation

/// `protocol View`.
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
  public var body: Never { fatalError("a view without a body") }
}

/// A view that the host knows how to evaluate.
@MainActor
protocol Primitive: View where Body == Never {
  /// How many rows of a list it is, if that follows from its type. With an unknown number, a list builds every row.
  static var rowCount: Int? { get }
  /// What lies inside. Called while the node's reads are tracked.
  func parts(of node: ViewNode) -> [ViewPart]
}

extension Primitive {
  static var rowCount: Int? { 1 }
  public var body: Never { fatalError("\(Self.self) has no body") }
}

/// A view inside another one, and what identifies it there.
struct ViewPart {
  let key: AnyHashable
  let view: any View
}

extension View {
  /// As ``Primitive/rowCount``; for a view with a body, that of its body.
  static var staticRowCount: Int? {
    (Self.self as? any Primitive.Type).map { $0.rowCount } ?? Body.staticRowCount
  }
}

/// `struct ViewBuilder`.
@resultBuilder
public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  @MainActor public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  @MainActor public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<repeat each Content> { TupleView(content: (repeat each content)) }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  @MainActor public static func buildEither<TrueContent: View, FalseContent: View>(
    first: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> { _ConditionalContent(content: .first(first)) }
  @MainActor public static func buildEither<TrueContent: View, FalseContent: View>(
    second: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> { _ConditionalContent(content: .second(second)) }
  @MainActor public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
    AnyView(content)
  }
}

/// `struct TupleView`, which has one parameter, a tuple, in SwiftUI.
public struct TupleView<each Content: View>: View, Primitive {
  let content: (repeat each Content)

  static var rowCount: Int? {
    var sum = 0
    for count in repeat (each Content).staticRowCount {
      guard let count else { return nil }
      sum += count
    }
    return sum
  }

  func parts(of node: ViewNode) -> [ViewPart] {
    var parts: [ViewPart] = []
    for view in repeat each content { parts.append(ViewPart(key: parts.count, view: view)) }
    return parts
  }
}

/// `struct _ConditionalContent`.
public struct _ConditionalContent<TrueContent: View, FalseContent: View>: View, Primitive {
  enum Content {
    case first(TrueContent)
    case second(FalseContent)
  }
  let content: Content
  static var rowCount: Int? { nil }
  func parts(of node: ViewNode) -> [ViewPart] {
    switch content {
    case .first(let view): [ViewPart(key: "first", view: view)]
    case .second(let view): [ViewPart(key: "second", view: view)]
    }
  }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError("an optional view has no body") }
}

extension Optional: Primitive where Wrapped: View {
  static var rowCount: Int? { nil }
  func parts(of node: ViewNode) -> [ViewPart] { map { [ViewPart(key: "some", view: $0)] } ?? [] }
}

/// `struct EmptyView`.
public struct EmptyView: View, Primitive {
  static var rowCount: Int? { 0 }
  public init() {}
  func parts(of node: ViewNode) -> [ViewPart] { [] }
}

/// `struct AnyView`.
public struct AnyView: View, Primitive {
  private let view: any View
  static var rowCount: Int? { nil }
  public init<V: View>(_ view: V) { self.view = view }
  func parts(of node: ViewNode) -> [ViewPart] {
    [ViewPart(key: ObjectIdentifier(type(of: view)), view: view)]
  }
}

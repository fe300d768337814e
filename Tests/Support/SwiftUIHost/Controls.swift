// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Pages: text, button, buttonrole, textfield, toggle, progressview, vstack, hstack, list, form, group, foreach.
// See View.swift.

/// `struct Text`.
public struct Text: View, Primitive {
  private let text: String
  nonisolated public init(_ content: some StringProtocol) { text = String(content) }
  func parts(of node: ViewNode) -> [ViewPart] {
    node.element = .text(text)
    return []
  }
}

/// `struct ProgressView`, which has parameters in SwiftUI.
public struct ProgressView: View, Primitive {
  nonisolated public init() {}
  func parts(of node: ViewNode) -> [ViewPart] {
    node.element = .text("...")
    return []
  }
}

/// `struct TextField`, whose label is a `Text` here.
public struct TextField: View, Primitive {
  private let title: String
  private let text: Binding<String>
  public init(_ title: some StringProtocol, text: Binding<String>) { (self.title, self.text) = (String(title), text) }
  func parts(of node: ViewNode) -> [ViewPart] {
    _ = text.wrappedValue
    node.element = .field(title, text)
    return []
  }
}

/// `struct Toggle`, whose label is a `Text` here.
public struct Toggle: View, Primitive {
  private let title: String
  private let isOn: Binding<Bool>
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) { (self.title, self.isOn) = (String(title), isOn) }
  func parts(of node: ViewNode) -> [ViewPart] {
    _ = isOn.wrappedValue
    node.element = .toggle(title, isOn)
    return []
  }
}

/// `struct Button`, whose label is a `Text` here.
public struct Button: View, Primitive {
  private let title: String
  private let action: @MainActor () -> Void
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    (self.title, self.action) = (String(title), action)
  }
  public init(_ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
    self.init(title, action: action)
  }
  func parts(of node: ViewNode) -> [ViewPart] {
    node.element = .button(title, action)
    return []
  }
}

/// `struct ButtonRole`.
public struct ButtonRole: Equatable, Sendable {
  private let name: String
  public static let destructive = ButtonRole(name: "destructive")
  public static let cancel = ButtonRole(name: "cancel")
}

// MARK: - Containers

/// `struct VStack`.
public struct VStack<Content: View>: View, Primitive {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func parts(of node: ViewNode) -> [ViewPart] { [ViewPart(key: "content", view: content)] }
}

/// `struct HStack`.
public struct HStack<Content: View>: View, Primitive {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func parts(of node: ViewNode) -> [ViewPart] { [ViewPart(key: "content", view: content)] }
}

/// `struct Form`.
public struct Form<Content: View>: View, Primitive {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func parts(of node: ViewNode) -> [ViewPart] { [ViewPart(key: "content", view: content)] }
}

/// `struct Group`.
public struct Group<Content: View>: View, Primitive {
  private let content: Content
  static var rowCount: Int? { Content.staticRowCount }
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func parts(of node: ViewNode) -> [ViewPart] { [ViewPart(key: "content", view: content)] }
}

/// `struct List`, without a selection. It shows its first 20 rows, and builds no others where it need not.
public struct List<Content: View>: View, Primitive {
  private let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  func parts(of node: ViewNode) -> [ViewPart] {
    node.environment.visibleRows = 20
    return [ViewPart(key: "content", view: content)]
  }
}

/// `struct ForEach`. In a list it builds only the rows that are shown, if each element has a number of rows that follows
/// from the type of its view. Otherwise it must build all of them, to know which rows are shown.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  private let data: Data
  private let id: KeyPath<Data.Element, ID>
  private let content: (Data.Element) -> Content
}

extension ForEach: View where Content: View {
  public var body: Never { fatalError("ForEach has no body") }

  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    (self.data, self.id, self.content) = (data, id, content)
  }

  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data, id: \.id, content: content)
  }
}

extension ForEach: Primitive where Content: View {
  static var rowCount: Int? { nil }
  func parts(of node: ViewNode) -> [ViewPart] {
    var shown = data.count
    if let limit = node.environment.visibleRows, let rows = Content.staticRowCount {
      shown = rows == 0 ? 0 : (limit + rows - 1) / rows
    }
    return data.prefix(shown).map { ViewPart(key: AnyHashable($0[keyPath: id]), view: content($0)) }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Pages: navigationstack, navigationstack/init(path:root:), navigationpath, navigationlink,
// navigationlink/init(_:value:), view/navigationdestination(for:destination:). See View.swift.
//
// A page that is popped is drawn in one more frame, as what is presented is. The stack reads the path after it was written,
// and shows what it reads.

/// `struct NavigationPath`, which is not kept here: a stack without a binding shows its root.
public struct NavigationPath {}

/// `struct NavigationStack`.
public struct NavigationStack<Data, Root: View>: View, Primitive {
  private let root: Root
  private let path: AnyPath?

  public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { (self.root, path) = (root(), nil) }

  public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where
    Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable
  {
    self.root = root()
    self.path = AnyPath(
      values: { path.wrappedValue.map { AnyHashable($0) } },
      shorten: { count in
        let present = path.wrappedValue
        if count < present.count { path.wrappedValue = Data(present.prefix(count)) }
      },
      append: { value in
        guard let value = value.base as? Data.Element else { return false }
        path.wrappedValue.append(value)
        return true
      })
  }

  func parts(of node: ViewNode) -> [ViewPart] {
    let navigation = node.storage["navigation"] as? Navigation ?? Navigation()
    node.storage["navigation"] = navigation
    navigation.path = path
    node.environment.navigation = navigation
    navigation.update(path?.values() ?? [], in: node)
    return [ViewPart(key: "root", view: root)]
      + navigation.pages.map {
        ViewPart(key: $0.key, view: StackPage(page: $0, isLeaving: $0.content.phase == .leaving))
      }
  }
}

/// The path of a stack without its type.
@MainActor
struct AnyPath {
  let values: () -> [AnyHashable]
  let shorten: (_ count: Int) -> Void
  /// Whether the value has the type of the path.
  let append: (AnyHashable) -> Bool
}

/// What the views in a stack share: the path, the destinations, and the pages that are shown.
@MainActor
final class Navigation {
  struct Page {
    let position: Int
    let value: AnyHashable
    let content: PresentedContent
    var key: AnyHashable { [AnyHashable(position), value] }
  }

  var path: AnyPath?
  private(set) var pages: [Page] = []
  private var destinations: [ObjectIdentifier: (AnyHashable) -> any View] = [:]
  private var nodes: [ObjectIdentifier: ViewNode] = [:]

  func update(_ values: [AnyHashable], in node: ViewNode) {
    let former = pages
    pages = values.enumerated().map { position, value in
      let known = former.first { $0.position == position && $0.value == value }
      let page = known ?? Page(position: position, value: value, content: PresentedContent(node))
      page.content.update(true)
      return page
    }
    for page in former where !pages.contains(where: { $0.key == page.key }) {
      page.content.update(false)
      if page.content.phase == .leaving { pages.append(page) }
    }
  }

  /// A destination was declared, or declared again: the pages that it makes are made again.
  func declare<Value: Hashable>(_ type: Value.Type, _ make: @escaping (Value) -> any View) {
    destinations[ObjectIdentifier(type)] = { value in
      guard let value = value.base as? Value else { fatalError("the value of a page is not a \(type)") }
      return make(value)
    }
    for node in nodes.values { node.host.evaluateAgain(node) }
  }

  func view(of value: AnyHashable, in node: ViewNode) -> any View {
    nodes[ObjectIdentifier(node)] = node
    guard let make = destinations[ObjectIdentifier(type(of: value.base))] else { return Text("no destination") }
    return make(value)
  }

  func forget(_ node: ViewNode) { nodes[ObjectIdentifier(node)] = nil }
}

private struct StackPage: View, Primitive, Living {
  let page: Navigation.Page
  let isLeaving: Bool

  func parts(of node: ViewNode) -> [ViewPart] {
    guard let navigation = node.environment.navigation else { return [] }
    let position = page.position
    let isPresented = Binding(
      reading: { true }, writing: { isPresented, _ in if !isPresented { navigation.path?.shorten(position) } })
    node.element = .presented(.page, isPresented, isLeaving: isLeaving)
    node.environment.dismiss = DismissAction { navigation.path?.shorten(position) }
    node.environment.visibleRows = nil
    return [ViewPart(key: "page", view: navigation.view(of: page.value, in: node))]
  }

  func disappear(from node: ViewNode) { node.environment.navigation?.forget(node) }
}

extension View {
  public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View {
    Destination(base: self, make: destination)
  }
}

private struct Destination<Base: View, Value: Hashable, Page: View>: View, Primitive {
  let base: Base
  let make: (Value) -> Page
  static var rowCount: Int? { Base.staticRowCount }
  func parts(of node: ViewNode) -> [ViewPart] {
    node.environment.navigation?.declare(Value.self, make)
    return [ViewPart(key: "base", view: base)]
  }
}

/// `struct NavigationLink`, whose label is a `Text` here.
public struct NavigationLink<Label: View, Destination: View>: View, Primitive {
  private let title: String
  private let value: AnyHashable?

  public init<P: Hashable>(_ title: some StringProtocol, value: P?) where Label == Text, Destination == Never {
    (self.title, self.value) = (String(title), value.map { AnyHashable($0) })
  }

  func parts(of node: ViewNode) -> [ViewPart] {
    if value == nil { node.environment.isEnabled = false }
    node.element = .button(title) { [value, navigation = node.environment.navigation] in
      if let value, navigation?.path?.append(value) != true { node.host.warn("\(title) does not fit the path") }
    }
    return []
  }
}

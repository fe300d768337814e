// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A place in the tree of views, as long as a view is there. It keeps what belongs to the place and not to the value that
/// describes the view: state, the task, the environment.
@MainActor
final class ViewNode {
  let host: ViewHost
  let key: AnyHashable
  let depth: Int
  private weak var parent: ViewNode?
  private(set) var view: any View
  private(set) var children: [ViewNode] = []
  /// The storage of `@State` properties and of modifiers, by the name of the property.
  var storage: [String: AnyObject] = [:]
  var environment: EnvironmentValues
  /// What is drawn here.
  var element: ViewElement?
  var hasAppeared = false
  /// The animation with which the node was invalidated last.
  var animation: Animation?
  /// Counts evaluations, so that a notification for an earlier one is ignored.
  private var evaluation = 0

  init(_ part: ViewPart, in host: ViewHost, below parent: ViewNode?) {
    self.host = host
    key = part.key
    view = part.view
    self.parent = parent
    depth = (parent?.depth ?? 0) + 1
    environment = parent?.environment ?? EnvironmentValues()
  }

  func evaluate() {
    evaluation += 1
    host.isClean(self)
    let present = evaluation
    let parts = host.evaluating(self) {
      withObservationTracking {
        partsOfView(view)
      } onChange: { [weak self] in
        MainActor.assumeIsolated {
          if let self, self.evaluation == present { self.host.invalidate(self) }
        }
      }
    }
    place(parts)
  }

  private func partsOfView(_ view: some View) -> [ViewPart] {
    environment = parent?.environment ?? EnvironmentValues()
    for (label, value) in Mirror(reflecting: view).children {
      (value as? any DynamicProperty)?.install(label ?? "", in: self)
    }
    if let primitive = view as? any Primitive { return primitive.parts(of: self) }
    host.count(evaluationOf: view, animation)
    animation = nil
    return [ViewPart(key: "body", view: view.body)]
  }

  /// Keeps the children that are still there, makes new ones, and removes the others.
  private func place(_ parts: [ViewPart]) {
    var former: [AnyHashable: ViewNode] = [:]
    for child in children { former[child.key] = child }
    children = parts.map { part in
      guard let child = former[part.key], type(of: child.view) == type(of: part.view) else {
        let child = ViewNode(part, in: host, below: self)
        child.evaluate()
        return child
      }
      former[part.key] = nil
      child.receive(part.view)
      return child
    }
    for child in former.values { child.disappear() }
  }

  /// The parent was evaluated again, and this is what it has here now.
  private func receive(_ view: any View) {
    guard host.isDirty(self) || !SameView.isSame(self.view, view) || hasOtherEnvironment else { return }
    self.view = view
    evaluate()
  }

  /// A modifier of an ancestor has changed the environment.
  private var hasOtherEnvironment: Bool { parent.map { $0.environment.isEnabled != environment.isEnabled } ?? false }

  /// After all evaluations of a frame.
  func commit() {
    if !hasAppeared {
      hasAppeared = true
      living?.appear(in: self)
    }
    living?.commit(in: self)
    for child in children { child.commit() }
  }

  /// The view is not shown any more, and neither is what it contains.
  func disappear() {
    evaluation += 1
    host.isClean(self)
    for child in children { child.disappear() }
    children = []
    if hasAppeared { living?.disappear(from: self) }
    storage = [:]
  }

  /// The type is asked first, because a cast of an optional view would unwrap it.
  private var living: (any Living)? { type(of: view) is any Living.Type ? view as? any Living : nil }

  func visit(_ body: (ViewNode) -> Void) {
    body(self)
    for child in children { child.visit(body) }
  }
}

/// A primitive that does something when it appears, when a frame is drawn, and when it disappears.
@MainActor
protocol Living {
  func appear(in node: ViewNode)
  func commit(in node: ViewNode)
  func disappear(from node: ViewNode)
}

extension Living {
  func appear(in node: ViewNode) {}
  func commit(in node: ViewNode) {}
  func disappear(from node: ViewNode) {}
}

/// What a test sees on the screen and uses.
enum ViewElement {
  case text(String)
  case button(String, @MainActor () -> Void)
  case field(String, Binding<String>)
  case toggle(String, Binding<Bool>)
  case presented(PresentedKind, Binding<Bool>, isLeaving: Bool)
}

/// Whether a view must be evaluated again when its parent has been: SwiftUI compares the fields of the former value and
/// the new one, and objects by identity. Here a closure always counts as changed, and so does a binding, which is made of
/// closures.
@MainActor
enum SameView {
  static func isSame(_ former: Any, _ new: Any) -> Bool {
    if former is any DynamicProperty { return !(former is any MadeOfClosures) }
    guard type(of: former) == type(of: new) else { return false }
    if type(of: former) is AnyClass { return (former as AnyObject) === (new as AnyObject) }
    if let former = former as? any Equatable { return isEqual(former, new) }
    let (fields, others) = (Mirror(reflecting: former), Mirror(reflecting: new))
    guard fields.children.count == others.children.count else { return false }
    if fields.children.isEmpty { return fields.displayStyle == .struct || fields.displayStyle == .tuple }
    return zip(fields.children, others.children).allSatisfy { $0.label == $1.label && isSame($0.value, $1.value) }
  }

  static func isEqual<Value: Equatable>(_ former: Value, _ new: Any) -> Bool { (new as? Value) == former }
}

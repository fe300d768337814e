// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Shows a view, and lets a test look at it and use it. Nothing is drawn by itself: `frame()` draws what has changed.
@MainActor
public final class ViewHost {
  private var root: ViewNode?
  private var dirty: [ObjectIdentifier: ViewNode] = [:]
  private var current: ViewNode?
  private var leaving: [PresentedContent] = []
  private var cancelledTasks: [Task<Void, Never>] = []
  /// How often the body of each type was evaluated since this was taken last.
  private var evaluations: [String: Int] = [:]
  private var animated: [String] = []
  /// What SwiftUI would report at run time: changes made while a body was evaluated, views that never settle.
  public private(set) var warnings: [String] = []

  /// Shows a view, in a first frame.
  public init(_ view: some View) {
    let root = ViewNode(ViewPart(key: "root", view: view), in: self, below: nil)
    self.root = root
    root.evaluate()
    frame()
  }

  /// Draws what has changed since the last frame. What was dismissed before the last frame is not drawn any more.
  public func frame() {
    let gone = leaving
    leaving = []
    for content in gone { content.isOver() }
    var rounds = 0
    repeat {
      for node in dirty.values.sorted(by: { $0.depth < $1.depth }) where isDirty(node) { node.evaluate() }
      if dirty.isEmpty { root?.commit() }
      rounds += 1
      if rounds == 50 {
        warnings.append("the views do not settle")
        dirty = [:]
      }
    } while !dirty.isEmpty
  }

  /// Removes all views.
  public func close() {
    root?.disappear()
    root = nil
    dirty = [:]
  }

  /// How often each view's body was evaluated since this was called last, by the name of its type.
  public func takeEvaluations() -> [String: Int] {
    defer { evaluations = [:] }
    return evaluations
  }

  /// The views that were evaluated because of a change within an animation, since this was called last.
  public func takeAnimated() -> [String] {
    defer { animated = [] }
    return animated
  }

  /// Waits for the tasks of views that have been cancelled: after this they do nothing more.
  public func cancelledTasksHaveEnded() async {
    let tasks = cancelledTasks
    cancelledTasks = []
    for task in tasks { await task.value }
  }

  // MARK: - What is on the screen

  /// One line for each element.
  public var screen: String {
    var lines: [String] = []
    root?.visit { node in
      switch node.element {
      case .text(let text): lines.append(text)
      case .button(let label, _): lines.append(node.environment.isEnabled ? "[\(label)]" : "(\(label))")
      case .field(let label, let text): lines.append("\(label): \(text.wrappedValue)")
      case .toggle(let label, let isOn): lines.append("\(isOn.wrappedValue ? "x" : "o") \(label)")
      case .presented(let kind, _, let isLeaving): lines.append("--- \(kind)\(isLeaving ? ", leaving" : "")")
      case nil: break
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Taps a button or a toggle. A button of an alert or a dialog also dismisses it.
  public func tap(_ label: String) {
    use(label) { node in
      switch node.element {
      case .button(label, let action) where node.environment.isEnabled:
        action()
        node.environment.endDialog?()
        return true
      case .toggle(label, let isOn):
        isOn.wrappedValue = !isOn.wrappedValue
        return true
      default: return false
      }
    }
  }

  /// Types characters one by one, each after what the field contains then.
  public func type(_ text: String, into label: String, framesBetween: Bool = true) {
    for character in text {
      use(label) { node in
        guard case .field(label, let content) = node.element else { return false }
        content.wrappedValue += String(character)
        return true
      }
      if framesBetween { frame() }
    }
  }

  /// Removes all characters of a field at once.
  public func clear(_ label: String) {
    use(label) { node in
      guard case .field(label, let content) = node.element else { return false }
      content.wrappedValue = ""
      return true
    }
  }

  /// Dismisses what is on top by a gesture: a sheet is swiped down, a page of a navigation stack is swiped back.
  public func dismissTop(times: Int = 1) {
    var top: Binding<Bool>?
    root?.visit { node in if case .presented(_, let isPresented, false) = node.element { top = isPresented } }
    guard let top else { return warnings.append("nothing is presented") }
    for _ in 0..<times { top.wrappedValue = false }
  }

  private func use(_ label: String, _ use: (ViewNode) -> Bool) {
    var isUsed = false
    root?.visit { node in if !isUsed { isUsed = use(node) } }
    if !isUsed { warnings.append("there is no \(label) to use in:\n\(screen)") }
  }

  // MARK: - For nodes

  func invalidate(_ node: ViewNode) {
    if let current {
      warnings.append("\(name(of: node.view)) was changed while \(name(of: current.view)) was evaluated")
    }
    if let transaction = Transaction.present { node.animation = transaction.animation }
    dirty[ObjectIdentifier(node)] = node
  }

  /// What the view is made of was made again, in this frame.
  func evaluateAgain(_ node: ViewNode) { dirty[ObjectIdentifier(node)] = node }

  func warn(_ text: String) { warnings.append(text) }

  func isDirty(_ node: ViewNode) -> Bool { dirty[ObjectIdentifier(node)] != nil }

  func isClean(_ node: ViewNode) { dirty[ObjectIdentifier(node)] = nil }

  func evaluating<Result>(_ node: ViewNode, _ body: () -> Result) -> Result {
    let outer = current
    current = node
    defer { current = outer }
    return body()
  }

  func count(evaluationOf view: any View, _ animation: Animation?) {
    evaluations[name(of: view), default: 0] += 1
    if animation != nil { animated.append(name(of: view)) }
  }

  func leave(_ content: PresentedContent) { leaving.append(content) }

  func cancel(_ task: Task<Void, Never>) {
    task.cancel()
    cancelledTasks.append(task)
  }

  private func name(of view: any View) -> String { "\(Swift.type(of: view))".prefix { $0 != "<" }.description }
}

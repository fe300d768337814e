// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Pages: view/task(priority:_:), view/task(id:priority:_:), view/disabled(_:), view/id(_:), view/onappear(perform:),
// view/ondisappear(perform:), view/onchange(of:initial:_:). See View.swift.

extension View {
  public func task(
    priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { Tasked(base: self, id: Unchanging(), action: action) }

  public func task<ID: Equatable>(
    id value: ID, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { Tasked(base: self, id: value, action: action) }

  public func disabled(_ disabled: Bool) -> some View { Disabled(base: self, isDisabled: disabled) }

  public func id<ID: Hashable>(_ id: ID) -> some View { Identified(base: self, id: id) }

  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    Watched(base: self, value: Unchanging(), onAppear: action, onDisappear: nil, onChange: nil)
  }

  public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
    Watched(base: self, value: Unchanging(), onAppear: nil, onDisappear: action, onChange: nil)
  }

  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
  ) -> some View {
    Watched(
      base: self, value: value, onAppear: initial ? { action(value, value) } : nil, onDisappear: nil, onChange: action)
  }
}

private struct Unchanging: Equatable {}

/// Starts a task when the view appears or the id has changed, and cancels it then and when the view disappears.
private struct Tasked<Base: View, ID: Equatable>: View, Primitive, Living {
  final class Work {
    var id: ID
    var task: Task<Void, Never>
    init(_ id: ID, _ task: Task<Void, Never>) { (self.id, self.task) = (id, task) }
  }
  let base: Base
  let id: ID
  let action: @Sendable () async -> Void
  static var rowCount: Int? { Base.staticRowCount }

  func parts(of node: ViewNode) -> [ViewPart] { [ViewPart(key: "base", view: base)] }

  func commit(in node: ViewNode) {
    let work = node.storage["task"] as? Work
    if let work, work.id == id { return }
    if let work { node.host.cancel(work.task) }
    node.storage["task"] = Work(id, Task { @MainActor [action] in await action() })
  }

  func disappear(from node: ViewNode) {
    if let work = node.storage["task"] as? Work { node.host.cancel(work.task) }
  }
}

private struct Disabled<Base: View>: View, Primitive {
  let base: Base
  let isDisabled: Bool
  static var rowCount: Int? { Base.staticRowCount }
  func parts(of node: ViewNode) -> [ViewPart] {
    node.environment.isEnabled = node.environment.isEnabled && !isDisabled
    return [ViewPart(key: "base", view: base)]
  }
}

private struct Identified<Base: View, ID: Hashable>: View, Primitive {
  let base: Base
  let id: ID
  static var rowCount: Int? { Base.staticRowCount }
  func parts(of node: ViewNode) -> [ViewPart] { [ViewPart(key: AnyHashable(id), view: base)] }
}

private struct Watched<Base: View, V: Equatable>: View, Primitive, Living {
  final class Last {
    var value: V
    init(_ value: V) { self.value = value }
  }
  let base: Base
  let value: V
  let onAppear: (() -> Void)?
  let onDisappear: (() -> Void)?
  let onChange: ((V, V) -> Void)?
  static var rowCount: Int? { Base.staticRowCount }

  func parts(of node: ViewNode) -> [ViewPart] { [ViewPart(key: "base", view: base)] }
  func appear(in node: ViewNode) {
    node.storage["value"] = Last(value)
    onAppear?()
  }
  func commit(in node: ViewNode) {
    guard let last = node.storage["value"] as? Last, last.value != value else { return }
    let former = last.value
    last.value = value
    onChange?(former, value)
  }
  func disappear(from node: ViewNode) { onDisappear?() }
}

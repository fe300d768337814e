// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  public import EffectCore
  public import SwiftUI

  /// A stack of children as the path of a `NavigationStack`.
  ///
  /// ```swift
  /// let screens = kitchen.path(\.screens, action: Kitchen.screens)
  /// NavigationStack(path: screens.items) {
  ///   RecipeList(kitchen: kitchen).navigationDestination(screens) { ScreenView(screen: $0) }
  /// }
  /// ```
  ///
  /// The state decides what is shown. When the user goes back, the path is shortened. Then one
  /// ``/EffectCore/StackAction/dismiss(_:)`` is sent for the lowest page that is removed, also if pages above it are
  /// removed with it. A `NavigationLink` with a ``StackItem`` as its value sends a ``/EffectCore/StackAction/push(_:)``.
  ///
  /// - Ordering: the action has been reduced when SwiftUI has set the path. If the path is set during a reduction or a
  ///   notification, the action waits its turn, and the same dismissal is not sent again meanwhile.
  /// - Isolation: the main actor. Keeps the store alive.
  /// - Lifetime: while a page is popped, it shows the last values of its child; see ``ObservableStore``.
  @MainActor
  public struct StackPath<Element: Sendable, ElementAction: Sendable> {
    /// The path for `NavigationStack(path:)`. Reading it tracks the ids of the stack, and not changes in its elements.
    public let items: Binding<[StackItem<Element>]>
    let find: @MainActor (ChildStackID) -> ObservableStore<Element, ElementAction>?
    let shown: @MainActor (ChildStackID) -> ShownChild<ChildStackID>
  }

  /// A page of a ``StackPath``: an element of the stack, or a new one for a `NavigationLink`.
  ///
  /// ```swift
  /// NavigationLink("Soup", value: StackItem(Recipe.State(name: "Soup")))
  /// ```
  ///
  /// Elements of a stack are equal if they have the same id, even if their states differ.
  public struct StackItem<Element: Sendable>: Hashable, Sendable {
    let id: ChildStackID?
    let element: Element?
    private let key: any Hashable & Sendable

    /// Makes an item for a new element to push.
    ///
    /// - Parameter element: its state. It must be `Hashable`, because SwiftUI compares the values of links.
    public init(_ element: Element) where Element: Hashable {
      id = nil
      self.element = element
      key = element
    }

    init(id: ChildStackID) {
      self.id = id
      element = nil
      key = id
    }

    /// Whether both are the same page.
    ///
    /// - Parameters:
    ///   - first: a page.
    ///   - second: another one.
    /// - Returns: whether they have the same id, or are both new and equal.
    public static func == (first: Self, second: Self) -> Bool { AnyHashable(first.key) == AnyHashable(second.key) }

    /// Hashes the id, or the state of a new element.
    ///
    /// - Parameter hasher: the hasher to use.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(key)) }
  }

  extension ObservableStore {
    /// A stack of children to show in a `NavigationStack`; see ``StackPath``.
    ///
    /// - Parameters:
    ///   - stack: the path to the stack in the state.
    ///   - action: the case of the action that holds the actions of the stack.
    /// - Returns: the path for `NavigationStack(path:)` and for the modifier `navigationDestination`.
    public func path<Element, ElementAction>(
      _ stack: any KeyPath<State, ChildStack<Element>> & Sendable,
      action: CasePath<Action, StackAction<Element, ElementAction>>
    ) -> StackPath<Element, ElementAction> {
      node.path(stack, action)
    }
  }

  extension View {
    /// Shows the elements of a stack as pages; see ``StackPath``. Use it on the root view of the `NavigationStack`.
    ///
    /// - Parameters:
    ///   - path: the stack, from `store.path(_:action:)`.
    ///   - destination: makes a page from the store of its child. The page is made again for another element.
    /// - Returns: this view, which shows the pages.
    @MainActor
    public func navigationDestination<Element, ElementAction>(
      _ path: StackPath<Element, ElementAction>,
      @ViewBuilder destination: @escaping (ObservableStore<Element, ElementAction>) -> some View
    ) -> some View {
      navigationDestination(for: StackItem<Element>.self) { StackPage(item: $0, path: path, content: destination) }
    }
  }

  /// Shows one element, also while it is popped.
  private struct StackPage<Element: Sendable, ElementAction: Sendable, Content: View>: View {
    let item: StackItem<Element>
    let path: StackPath<Element, ElementAction>
    let content: (ObservableStore<Element, ElementAction>) -> Content
    @SwiftUI.State private var last = LastElement<Element, ElementAction>()

    init(
      item: StackItem<Element>, path: StackPath<Element, ElementAction>,
      content: @escaping (ObservableStore<Element, ElementAction>) -> Content
    ) {
      (self.item, self.path, self.content) = (item, path, content)
    }

    var body: some View {
      if let id = item.id, let shown = last.update(id, in: path) { content(shown.store).id(shown.child) }
    }
  }

  /// Keeps the child store of a page while the page is popped. This object is not observed, so the body of the view may change
  /// it.
  @MainActor
  private final class LastElement<Element: Sendable, ElementAction: Sendable> {
    private var shown: (child: ShownChild<ChildStackID>, store: ObservableStore<Element, ElementAction>)?

    func update(
      _ id: ChildStackID, in path: StackPath<Element, ElementAction>
    ) -> (child: ShownChild<ChildStackID>, store: ObservableStore<Element, ElementAction>)? {
      let child = path.shown(id)
      // An id is used once, so a store that is known need not be found again.
      if shown?.child != child, let store = path.find(id) { shown = (child, store) }
      return shown
    }
  }

  extension ScopeNode {
    fileprivate func path<Element, ElementAction>(
      _ stack: any KeyPath<State, ChildStack<Element>> & Sendable,
      _ action: CasePath<Action, StackAction<Element, ElementAction>>
    ) -> StackPath<Element, ElementAction> {
      let elementAction = action.appending(path: .element())
      return StackPath(
        items: Binding(
          get: { @MainActor in self.value(stack.appending(path: \.ids)).map { StackItem(id: $0) } },
          set: { @MainActor items, transaction in
            withTransaction(transaction) { self.set(items, in: stack, action.embed) }
          }),
        find: { self.row(stack, $0, elementAction) }, shown: { ShownChild($0, of: self.fields) })
    }

    /// Sends the actions that turn the present stack into the items: a dismissal of the lowest element that was removed, and
    /// a push for each item that is new.
    private func set<Element, ElementAction>(
      _ items: [StackItem<Element>], in stack: KeyPath<State, ChildStack<Element>>,
      _ embed: (StackAction<Element, ElementAction>) -> Action
    ) {
      guard let present = read(stack) else { return }
      let kept = zip(present.ids, items).prefix { $0 == $1.id }.count
      if kept < present.count {
        let id = present.ids[kept]
        let name = FieldName.presence(
          EffectID(id).scoped(by: EffectID(position: stack)), of: ObjectIdentifier(Element.self))
        // A dismissal that was sent in a notification may still wait its turn.
        if fields.dismissals[name].map({ $0 <= root.reduced() }) ?? true {
          let number = send(embed(.dismiss(id))).number
          fields.dismissals[name] = number > root.reduced() ? number : nil
        }
      }
      for item in items.dropFirst(kept) {
        // An item with an id is an element that was moved by code that has set the path.
        if let element = item.element ?? item.id.flatMap({ present[id: $0] }) { _ = send(embed(.push(element))) }
      }
    }
  }
#endif

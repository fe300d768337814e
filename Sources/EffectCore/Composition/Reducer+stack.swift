// This source file is part of swift-effects. License: Apache-2.0.

extension Reducer {
  /// Adds a stack of children, and handles the actions that change it.
  ///
  /// ```swift
  /// Reduce<State, Action> { state, action in
  ///   switch action {
  ///   case .recipeTapped(let id): state.screens.push(Screen.State(recipe: id)); return .none
  ///   case .screens(.element(_, .saved)): state.saved += 1; return .none
  ///   case .screens: return .none
  ///   }
  /// }
  /// .stack(\.screens, action: screens) { Screen() }
  /// ```
  ///
  /// Different screens are cases of one enum, whose reducer has an `ifCase` for each.
  ///
  /// Ids of an element's work lie inside the key path and the element's id, as with ``forEach(_:action:fileID:line:_:)``.
  ///
  /// - Ordering: an action of an element is reduced by the element first, then by this reducer. Any other ``StackAction``
  ///   changes the stack first; then this reducer sees the changed stack (rule M8).
  /// - Cancellation: all work of an element that was removed or replaced, active and queued, is cancelled at the end of this
  ///   reduction. Work of other elements goes on. What the element returned in that reduction does not start.
  /// - Errors: an action for an element that is not there changes none, and is reported as a missing child of this line (M3).
  /// - Complexity: that of the child and this reducer, plus O(count) for the stack, which has a few elements.
  /// - Parameters:
  ///   - stack: where the stack is.
  ///   - action: the case of the parent's actions that holds those of the stack.
  ///   - fileID: the file that a report about an action for a missing element names.
  ///   - line: the line likewise.
  ///   - child: what reduces an element. It is made once, not for each element.
  /// - Returns: this reducer together with the stack.
  public func stack<Element: Sendable, ElementAction: Sendable, Child: Reducer<Element, ElementAction>>(
    _ stack: any WritableKeyPath<State, ChildStack<Element>> & Sendable,
    action: CasePath<Action, StackAction<Element, ElementAction>>,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<Element, ElementAction> _ child: () -> Child
  ) -> some Reducer<State, Action> {
    withStack(stack, action, CallSite(fileID: fileID, line: line), child(), isDismissal: { _ in false })
  }

  /// Adds a stack of children that can dismiss themselves; see ``stack(_:action:fileID:line:_:)`` and
  /// ``DismissingAction``. A dismissal removes the element whose action it is, and all above it. If this reducer has changed the
  /// element with the same action, it stays. A change is seen only if the element is `Equatable`.
  ///
  /// - Parameters:
  ///   - stack: where the stack is.
  ///   - action: the case of the parent's actions that holds those of the stack.
  ///   - fileID: the file that a report about an action for a missing element names.
  ///   - line: the line likewise.
  ///   - child: what reduces an element. It is made once, not for each element.
  /// - Returns: this reducer together with the stack.
  public func stack<Element: Sendable, ElementAction: DismissingAction, Child: Reducer<Element, ElementAction>>(
    _ stack: any WritableKeyPath<State, ChildStack<Element>> & Sendable,
    action: CasePath<Action, StackAction<Element, ElementAction>>,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<Element, ElementAction> _ child: () -> Child
  ) -> some Reducer<State, Action> {
    withStack(stack, action, CallSite(fileID: fileID, line: line), child(), isDismissal: { $0.isDismissal })
  }

  private func withStack<Element: Sendable, ElementAction, Child: Reducer<Element, ElementAction>>(
    _ stack: any WritableKeyPath<State, ChildStack<Element>> & Sendable,
    _ action: CasePath<Action, StackAction<Element, ElementAction>>, _ site: CallSite, _ child: Child,
    isDismissal: @escaping (ElementAction) -> Bool
  ) -> some Reducer<State, Action> {
    let changing = Reduce<State, Action> { [self] state, parentAction in
      guard let stackAction = action.extract(parentAction) else { return reduce(into: &state, action: parentAction) }
      state[keyPath: stack].change(by: stackAction)
      guard case .element(let id, let elementAction) = stackAction, isDismissal(elementAction) else {
        return reduce(into: &state, action: parentAction)
      }
      let former = state[keyPath: stack][id: id]
      let effect = reduce(into: &state, action: parentAction)
      if hasSameValue(former, state[keyPath: stack][id: id]) { state[keyPath: stack].dismiss(id) }
      return effect
    }
    return EachRow(
      parent: changing, rows: stack, child: child, action: action.appending(path: .element()),
      position: EffectID(position: stack), site: site)
  }
}

extension ChildStack where Element: Sendable {
  /// Makes the change of an action; one of an element changes nothing here.
  fileprivate mutating func change<ElementAction>(by action: StackAction<Element, ElementAction>) {
    switch action {
    case .element: break
    case .push(let element): push(element)
    case .pop: pop()
    case .dismiss(let id): dismiss(id)
    case .popToRoot: popToRoot()
    case .replace(let element): replace(with: element)
    case .set(let elements): set(elements)
    }
  }
}

extension CasePath {
  /// The way to the actions of the elements of a stack.
  package static func element<Element, ElementAction>() -> Self
  where Root == StackAction<Element, ElementAction>, Value == (ChildStackID, ElementAction) {
    CasePath(
      embed: { .element($0.0, $0.1) },
      extract: { if case .element(let id, let action) = $0 { (id, action) } else { nil } })
  }
}

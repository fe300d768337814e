// This source file is part of swift-effects. License: Apache-2.0.

extension Reducer {
  /// Adds a child that exists while the state, an enum, is in one case.
  ///
  /// ```swift
  /// enum State { case loggedOut(Login.State), loggedIn(Home.State) }
  ///
  /// Reduce<State, Action> { ... }
  ///   .ifCase(loggedOut, action: login) { Login() }
  ///   .ifCase(loggedIn, action: home) { Home() }
  /// ```
  ///
  /// The rules are those of `ifLet(_:action:_:)`; leaving the case cancels the child's work. Its ids lie inside
  /// `scope`, which names the case: `.cancel(scope: "loggedOut")`.
  ///
  /// - Parameters:
  ///   - state: the path into the case.
  ///   - action: the path to the child's actions.
  ///   - scope: what to call the child among the parent's work.
  ///   - fileID: the file that a report about an action for a missing child names.
  ///   - line: the line likewise.
  ///   - child: what reduces the case.
  /// - Complexity: as `ifLet`. The child's state is taken out of the case and put back. Because of that, a collection
  ///   in it that the child changes is copied. If it is large, use `switch` in plain Swift, or keep the state in an
  ///   optional.
  /// - Returns: this reducer together with its child.
  public func ifCase<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>, scope: some Hashable & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> some Reducer<State, Action> {
    OptionalChild(
      parent: self, child: child(), action: action, position: EffectID(scope),
      site: CallSite(fileID: fileID, line: line), identity: { state.extract($0).map { _ in true } },
      reduce: { child, parent, action, site in child.reduce(into: &parent, at: state, action: action, site) })
  }

  /// Adds a child with an id in one case; see ``ifCase(_:action:scope:fileID:line:_:)``. Another id is another child.
  ///
  /// - Parameters:
  ///   - state: the case of the parent's state that holds the child's.
  ///   - action: the case of the parent's actions that holds the child's.
  ///   - scope: what to call the child among the parent's work.
  ///   - fileID: the file that a report about an action for a missing child names.
  ///   - line: the line likewise.
  ///   - child: what reduces the case.
  /// - Returns: this reducer together with its child.
  public func ifCase<ChildState, ChildAction: Sendable, Child: Reducer<ChildState, ChildAction>>(
    _ state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>, scope: some Hashable & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> some Reducer<State, Action> where ChildState: Identifiable {
    OptionalChild(
      parent: self, child: child(), action: action, position: EffectID(scope),
      site: CallSite(fileID: fileID, line: line), identity: { state.extract($0)?.id },
      reduce: { child, parent, action, site in child.reduce(into: &parent, at: state, action: action, site) })
  }

  /// Changes the value of a case, if the enum is in that case.
  fileprivate func reduce<Root>(
    into root: inout Root, at path: CasePath<Root, State>, action: Action, _ site: CallSite
  ) -> Effect<Action> {
    guard var state = path.extract(root) else { return .missingChild(action, at: site) }
    let effect = reduce(into: &state, action: action)
    root = path.embed(state)
    return effect
  }
}

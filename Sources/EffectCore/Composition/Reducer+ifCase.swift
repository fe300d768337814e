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
  /// - Complexity: as `ifLet`, and one allocation: two closures cannot change a case in place, so the child's state is copied
  ///   into an object and back. Because of that, a collection in it that the child changes is copied as well. If it is
  ///   large, use `switch` in plain Swift, or keep the state in an optional.
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
    let taken = TakenState(from: &root, at: path)
    let effect = reduce(into: &taken.state, action: action, at: site)
    taken.putBack(into: &root, at: path)
    return effect
  }
}

/// A child's state that was taken out of its case.
///
/// It is in an object, and all copies of the way out and back are in frames of their own, which have returned when the child
/// is called. So nested children need no more stack if their states are larger.
private final class TakenState<State> {
  var state: State?

  /// The root is `inout` because an argument by value would be a copy in the caller's frame. It is not changed.
  @inline(never)
  init<Root>(from root: inout Root, at path: CasePath<Root, State>) { state = path.extract(root) }

  @inline(never)
  func putBack<Root>(into root: inout Root, at path: CasePath<Root, State>) {
    if let state { root = path.embed(state) }
  }
}

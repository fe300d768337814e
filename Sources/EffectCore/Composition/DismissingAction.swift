// This source file is part of swift-effects. License: Apache-2.0.

/// The actions of a feature that can dismiss itself, wherever it is shown: as an optional child or in a stack.
///
/// ```swift
/// enum Action: DismissingAction, Equatable {
///   case nameChanged(String), saveTapped, saved, cancelTapped
///   var isDismissal: Bool { self == .saved || self == .cancelTapped }
/// }
/// ```
///
/// `ifLet(_:action:)` and `stack(_:action:)` of a reducer remove the child after such an
/// action. Without a parent that does this, for example in a test of the child alone, it is an action like any other.
///
/// - Ordering: the child reduces the action, then the parent does. The parent still sees the child, for example to keep
///   what was entered. Then the child is removed and its work cancelled (rule M8). The dismissal is that one action; a
///   run of the child can send it when its work is done.
/// - Isolation: as for any action; `isDismissal` is read on the store's executor.
public protocol DismissingAction: Sendable {
  /// Whether the feature is dismissed with this action. It should be a constant of the case.
  var isDismissal: Bool { get }
}

extension Reducer {
  /// Adds an optional child that can dismiss itself; see ``ifLet(_:action:fileID:line:_:)`` and ``DismissingAction``. If
  /// the parent has changed the child with the same action, for example to ask another question, the child stays. A
  /// change is seen only if the state is `Equatable`.
  ///
  /// - Parameters:
  ///   - state: where the child's state is; `nil` means that there is no child. A dismissal sets it to `nil`.
  ///   - action: the case of the parent's actions that holds the child's.
  ///   - fileID: the file that a report about an action for a missing child names.
  ///   - line: the line likewise.
  ///   - child: what reduces the child's state.
  /// - Returns: this reducer together with its child.
  public func ifLet<ChildState, ChildAction: DismissingAction, Child: Reducer<ChildState, ChildAction>>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> some Reducer<State, Action> {
    OptionalChild(
      parent: dismissing(state, action, isSame: hasSameValue), child: child(), action: action,
      position: EffectID(position: state), site: CallSite(fileID: fileID, line: line),
      identity: { $0[keyPath: state].map { _ in true } },
      reduce: { child, parent, action, site in child.reduce(into: &parent[keyPath: state], action: action, at: site) })
  }

  /// Adds an optional child that has an id and can dismiss itself; see ``ifLet(_:action:fileID:line:_:)`` and
  /// ``DismissingAction``. If the parent has changed the child with the same action, or replaced it by one with another id,
  /// the child stays. A change is seen only if the state is `Equatable`.
  ///
  /// - Parameters:
  ///   - state: where the child's state is; `nil` means that there is no child. A dismissal sets it to `nil`.
  ///   - action: the case of the parent's actions that holds the child's.
  ///   - fileID: the file that a report about an action for a missing child names.
  ///   - line: the line likewise.
  ///   - child: what reduces the child's state.
  /// - Returns: this reducer together with its child.
  public func ifLet<ChildState, ChildAction: DismissingAction, Child: Reducer<ChildState, ChildAction>>(
    _ state: any WritableKeyPath<State, ChildState?> & Sendable, action: CasePath<Action, ChildAction>,
    fileID: StaticString = #fileID, line: UInt = #line,
    @ReducerBuilder<ChildState, ChildAction> _ child: () -> Child
  ) -> some Reducer<State, Action> where ChildState: Identifiable {
    OptionalChild(
      parent: dismissing(state, action) { Sameness.areSame($0?.id, $1?.id) && hasSameValue($0, $1) },
      child: child(), action: action, position: EffectID(position: state), site: CallSite(fileID: fileID, line: line),
      identity: { $0[keyPath: state]?.id },
      reduce: { child, parent, action, site in child.reduce(into: &parent[keyPath: state], action: action, at: site) })
  }

  /// This reducer, and after it the removal of the child, if the action was a dismissal of that child.
  private func dismissing<ChildState, ChildAction: DismissingAction>(
    _ state: WritableKeyPath<State, ChildState?>, _ action: CasePath<Action, ChildAction>,
    isSame: @escaping (_ former: ChildState?, _ present: ChildState?) -> Bool
  ) -> Reduce<State, Action> {
    Reduce { [self] parent, parentAction in
      guard action.extract(parentAction)?.isDismissal == true else {
        return reduce(into: &parent, action: parentAction)
      }
      let former = parent[keyPath: state]
      let effect = reduce(into: &parent, action: parentAction)
      if isSame(former, parent[keyPath: state]) { parent[keyPath: state] = nil }
      return effect
    }
  }
}

/// Whether there is a child before and after the parent has reduced a dismissal, and has not changed.
func hasSameValue<ChildState>(_ former: ChildState?, _ present: ChildState?) -> Bool {
  guard let former, let present else { return false }
  guard let former = former as? any Equatable else { return true }
  return isSame(former, present)
}

private func isSame<Value: Equatable>(_ former: Value, _ present: Any) -> Bool {
  (present as? Value).map { Sameness.areSame(former, $0) } ?? false
}

// This source file is part of swift-effects. License: Apache-2.0.

extension Reducer {
  /// Changes a child's state if there is one. Use it to delegate to an optional child, or to a row of a dictionary.
  ///
  /// ```swift
  /// case .row(let id, let action):
  ///   return row.reduce(into: &state.rows[id], action: action).scoped(id) { .row(id, $0) }
  /// case .removed(let id):
  ///   state.rows[id] = nil
  ///   return .cancel(scope: id)
  /// ```
  ///
  /// This is the first choice for composition: the code shows what happens, and costs no more than the child does. The
  /// code that removes a child also cancels its work. ``Reducer/forEach(_:action:fileID:line:_:)``,
  /// `Reducer.ifLet(_:action:_:)` and ``Scope`` do the same if you prefer not to repeat it.
  ///
  /// - Errors: without a state the action changes nothing, and is reported as a missing child of this line.
  /// - Complexity: that of the child; the state is changed in place.
  /// - Parameters:
  ///   - state: the child's state, in an optional or a dictionary; changed in place.
  ///   - action: the child's action.
  ///   - fileID: the file that a report about an action for a missing child names.
  ///   - line: the line likewise.
  /// - Returns: the child's effect, and `none` if there is no state. Use `scoped` to make it the parent's.
  public func reduce(
    into state: inout State?, action: Action, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect<Action> {
    reduce(into: &state, action: action, at: CallSite(fileID: fileID, line: line))
  }

  func reduce(into state: inout State?, action: Action, at site: CallSite) -> Effect<Action> {
    state.changeInPlace { reduce(into: &$0, action: action) } ?? .missingChild(action, at: site)
  }
}

extension Optional {
  /// Changes the value where it is, if there is one.
  ///
  /// Optional chaining is the only access that neither copies the value nor takes it out. A check for `nil` copies it, also
  /// in an optimised build, because a generic function does not know how to look at a part of it. Then each child in a
  /// child would need a further copy of its state on the stack.
  mutating func changeInPlace<Result>(_ change: (inout Wrapped) -> Result) -> Result? {
    self? |= change
  }
}

/// Calls the closure on its left side. An operator, because only operators take what optional chaining leads to as `inout`.
private func |= <Value, Result>(value: inout Value, change: (inout Value) -> Result) -> Result { change(&value) }

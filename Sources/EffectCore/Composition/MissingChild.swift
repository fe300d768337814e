// This source file is part of swift-effects. License: Apache-2.0.

/// An action came for a child that does not exist now. No child reduced it, because there is nothing that it could
/// change; the parent did.
///
/// Causes are a button of a row that has been removed, a parent that sends to a sheet it has closed, or a run of a child that
/// was removed by code that did not cancel the child's work (rule M2). The error is reported as a failure of
/// the store, with the line that delegates to the child, and in a trace. In a `TestStore` it is a test failure. An action
/// from outside that a store did not reduce at once is only traced: the child may have been removed meanwhile (rule M3).
package struct MissingChild: Error {
  /// The child that the action was for, with the scopes around it; `nil` for a child without a scope.
  package let child: EffectID?
  /// The child's action.
  package let action: any Sendable

  /// The same error, with the path of the child from the root.
  package func scoped(as path: EffectID?) -> MissingChild {
    MissingChild(child: path, action: action)
  }
}

extension MissingChild: CustomStringConvertible {
  /// What no child has reduced, and what to do about it.
  package var description: String {
    "\(ValueDescription.brief(action)) came for the child \(child.map(\.description) ?? "of this line"), which does not "
      + "exist now, so no child reduced it. Create the child's state before you send the action, and do not send it after the "
      + "child was removed. Start work for the child as an effect of the child. Code that removes the child outside of its "
      + "`ifLet`, `ifCase`, `forEach` or `stack` returns `.cancel(scope:)`, too. Then the work ends with the child."
  }
}

extension Effect {
  /// Nothing but a report that an action came too late.
  static func missingChild(_ action: Action, at site: CallSite) -> Effect {
    let operation = Operation(
      id: nil, overlap: .concurrent, input: nil, name: nil, priority: nil, site: site, body: { _ in }, failure: nil)
    return .run(operation.timed(RunTiming(refusal: MissingChild(child: nil, action: action))))
  }
}

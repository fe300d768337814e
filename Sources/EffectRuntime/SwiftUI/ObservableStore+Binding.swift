// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  internal import EffectCore
  public import SwiftUI

  extension ObservableStore {
    /// A field that a control may change: reads it from the state, and sends an action for each new value.
    ///
    /// ```swift
    /// TextField("Find", text: search.binding(\.query, send: Search.Action.queryChanged))
    /// ```
    ///
    /// You name the action at the control. A feature whose action has one case for all such fields can write
    /// `$search.query` instead; see ``/EffectCore/FieldAction``.
    ///
    /// - Parameters:
    ///   - keyPath: the path from the state to the field.
    ///   - action: makes the action to send from a new value.
    /// - Returns: a binding that reads the field, tracked, and sends the action when it is set.
    /// - Ordering: the action has been reduced when the control has set its value. So the control then reads the value that
    ///   the reducer has set, and a text field does not lose characters. If the control sets it during a reduction or a
    ///   notification, the action waits its turn.
    /// - Isolation: the main actor. Keeps the store alive.
    public func binding<Value: Sendable>(
      _ keyPath: any KeyPath<State, Value> & Sendable, send action: @escaping @Sendable (Value) -> Action
    ) -> Binding<Value> {
      Binding(
        get: { @MainActor in self[dynamicMember: keyPath] },
        set: { @MainActor value, transaction in withTransaction(transaction) { _ = self.node.sendOwn(action(value)) } })
    }

    /// Whether an optional value exists, for a view that is shown while it exists.
    ///
    /// For a child with actions of its own, use ``presentation(_:action:dismiss:)``.
    ///
    /// ```swift
    /// .alert("Saved", isPresented: app.isPresented(\.notice, dismiss: .noticeClosed)) { ... }
    /// ```
    ///
    /// A view that is dismissed, by a gesture or by itself, sends `action`, and the reducer sets the child to `nil`;
    /// the child's work is cancelled with it (rule M2). If the reducer has removed the child already, or a dismissal waits
    /// to be reduced, nothing is sent.
    ///
    /// - Parameters:
    ///   - child: the path to the optional value in the state.
    ///   - action: the action to send when the view is dismissed.
    /// - Returns: a binding that is `true` while the value exists. Setting it to `true` does nothing.
    /// - Isolation: the main actor. Keeps the store alive.
    public func isPresented<Child>(
      _ child: any KeyPath<State, Child?> & Sendable, dismiss action: Action
    ) -> Binding<Bool> {
      node.isPresented(child, dismiss: action)
    }

    /// Sends an action, and animates what it changes.
    ///
    /// - Parameters:
    ///   - action: the action to send.
    ///   - animation: the animation; `nil` for a change without one.
    /// - Returns: a ``StoreTask`` to wait for, or to cancel, what the action causes. You may discard it.
    /// - Ordering: as ``send(_:)``. Changes that are reduced before this returns are animated: those of the action and its
    ///   turn. Changes by actions that its runs send later are not. Animate those with SwiftUI's `animation(_:value:)`.
    @discardableResult
    public func send(_ action: Action, animation: Animation?) -> StoreTask {
      withAnimation(animation) { send(action) }
    }
  }

  extension ScopeNode {
    /// A binding for an optional value: whether it exists, tracked. Setting it to `false` sends the action.
    ///
    /// - Parameter ofShown: whether only a child is dismissed that was noted as shown.
    func isPresented<Child>(
      _ child: any KeyPath<State, Child?> & Sendable, dismiss action: Action, ofShown: Bool = false
    ) -> Binding<Bool> {
      let way = ChildWay(optional: child)
      return Binding(
        get: { @MainActor in self.tracked(way) != nil },
        set: { @MainActor isPresented, transaction in
          guard !isPresented, !ofShown || self.fields.isShown(way.name) else { return }
          withTransaction(transaction) { self.dismiss(child, action) }
        })
    }

    /// Sends the action that removes the child, if it exists.
    func dismiss<Child>(_ child: any KeyPath<State, Child?> & Sendable, _ action: Action) {
      let name = ChildWay(optional: child).name
      // SwiftUI may dismiss it again when the reducer has removed the child already.
      guard case .some(.some) = read(child), !isDismissing(name) else { return }
      fields.dismissals[name] = send(action).number
    }

    /// Whether a dismissal was sent that is not reduced yet: one that was sent in a notification waits its turn.
    private func isDismissing(_ name: FieldName) -> Bool {
      fields.dismissals[name].map { $0 > root.reduced() } ?? false
    }
  }
#endif

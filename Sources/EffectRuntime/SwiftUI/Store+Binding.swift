// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  public import EffectCore
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
    /// - Ordering: the action has been reduced when the control has set its value, so the control next reads what the
    ///   reducer made of it; a text field does not lose characters. Set during a reduction or a notification, the
    ///   action waits its turn.
    /// - Isolation: the main actor. Keeps the store alive.
    public func binding<Value: Sendable>(
      _ keyPath: any KeyPath<R.State, Value> & Sendable, send action: @escaping @Sendable (Value) -> R.Action
    ) -> Binding<Value> {
      Binding(
        get: { @MainActor in self[dynamicMember: keyPath] },
        set: { @MainActor value, transaction in withTransaction(transaction) { _ = self.send(action(value)) } })
    }

    /// Whether an optional value exists, for everything that is shown while it exists and has no actions of its own. For
    /// a child with actions, use ``presentation(_:action:dismiss:)``.
    ///
    /// ```swift
    /// .alert("Saved", isPresented: app.isPresented(\.notice, dismiss: .noticeClosed)) { ... }
    /// ```
    ///
    /// A view that is dismissed, by a gesture or by itself, sends `action`, and the reducer sets the child to `nil`;
    /// the child's work is cancelled with it (rule M2). If the reducer has removed the child already, or a dismissal waits
    /// to be reduced, nothing is sent.
    ///
    /// - Isolation: the main actor. Keeps the store alive.
    public func isPresented<Child>(
      _ child: any KeyPath<R.State, Child?> & Sendable, dismiss action: R.Action
    ) -> Binding<Bool> {
      node.isPresented(child, dismiss: action)
    }

    /// Sends an action, and animates what it changes.
    ///
    /// - Ordering: as ``send(_:)``. What is reduced before this returns is animated: the action and its turn. What its
    ///   runs send later is not; animate that with SwiftUI's `animation(_:value:)`.
    @discardableResult
    public func send(_ action: R.Action, animation: Animation?) -> StoreTask {
      withAnimation(animation) { send(action) }
    }
  }

  extension ChildStore {
    /// A field that a control may change; see ``ObservableStore/binding(_:send:)``. When the child has been removed, it
    /// shows the last value, and what is sent is dropped (rule M3).
    public func binding<Value: Sendable>(
      _ keyPath: any KeyPath<State, Value> & Sendable, send action: @escaping @Sendable (Value) -> Action
    ) -> Binding<Value> {
      Binding(
        get: { @MainActor in self[dynamicMember: keyPath] },
        set: { @MainActor value, transaction in withTransaction(transaction) { _ = self.send(action(value)) } })
    }

    /// Whether an optional child of the child exists; see ``ObservableStore/isPresented(_:dismiss:)``.
    public func isPresented<Child>(
      _ child: any KeyPath<State, Child?> & Sendable, dismiss action: Action
    ) -> Binding<Bool> {
      node.isPresented(child, dismiss: action)
    }

    /// Sends an action of the child, and animates what it changes; see ``ObservableStore/send(_:animation:)``.
    @discardableResult
    public func send(_ action: Action, animation: Animation?) -> StoreTask {
      withAnimation(animation) { send(action) }
    }
  }

  extension ScopeNode {
    func isPresented<Child>(
      _ child: any KeyPath<State, Child?> & Sendable, dismiss action: Action
    ) -> Binding<Bool> {
      let way = ChildWay(optional: child)
      return Binding(
        get: { @MainActor in self.tracked(way) != nil },
        set: { @MainActor isPresented, transaction in
          // SwiftUI may set it once more when the reducer has removed the child already.
          guard !isPresented, case .some(.some) = self.read(child), !self.isDismissing(way.name) else { return }
          withTransaction(transaction) { self.fields.dismissals[way.name] = self.send(action).number }
        })
    }

    /// Whether a dismissal was sent that is not reduced yet: one that was reported in a notification waits its turn.
    private func isDismissing(_ name: FieldName) -> Bool {
      fields.dismissals[name].map { $0 > root.reduced() } ?? false
    }
  }
#endif

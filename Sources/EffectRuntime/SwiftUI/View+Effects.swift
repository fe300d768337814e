// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  internal import EffectCore
  public import SwiftUI

  // MARK: - Work as long as a view is there

  extension View {
    /// Sends an action when the view appears, and cancels everything that it caused when the view disappears.
    ///
    /// ```swift
    /// List { ... }.task(sending: .appeared, to: library)
    /// ```
    ///
    /// - Parameters:
    ///   - action: the action to send.
    ///   - store: the store that reduces it, or that of a child.
    /// - Returns: this view, with the task.
    /// - Ordering: the view's task awaits ``StoreTask/finish()``. So an endless stream that `.appeared` begins ends
    ///   with the view. If the view is given another store, or another child replaces its child, what the action
    ///   has caused is cancelled, and the action is sent to the new store or child.
    /// - Cancellation: reaches what the action caused, at any depth, and nothing else, as
    ///   ``StoreTask/cancel(isolation:)`` does. If the view disappears before its task has begun, nothing is sent.
    @MainActor
    public func task<State, Action>(sending action: Action, to store: ObservableStore<State, Action>) -> some View {
      task(id: store.node.trackedLifetime()) { @MainActor in await finish { store.node.sendOwn(action) } }
    }

    /// Sends an action when the view appears, and the current action again whenever `id` has changed.
    ///
    /// When `id` has changed, everything that the previous action caused is cancelled. When the view disappears, everything
    /// that the last action caused is cancelled.
    ///
    /// - Parameters:
    ///   - id: the value to compare.
    ///   - action: the action to send.
    ///   - store: the store that reduces it, or that of a child.
    /// - Returns: this view, with the task.
    @MainActor
    public func task<State, Action>(
      id: some Equatable, sending action: Action, to store: ObservableStore<State, Action>
    ) -> some View {
      task(id: TaskID(id: id, lifetime: store.node.trackedLifetime())) { @MainActor in
        await finish { store.node.sendOwn(action) }
      }
    }
  }

  /// What begins a task again when it changes.
  private struct TaskID<ID: Equatable, Lifetime: Equatable>: Equatable {
    let id: ID
    let lifetime: Lifetime

    static func == (left: Self, right: Self) -> Bool {
      Sameness.areSame(left.id, right.id) && left.lifetime == right.lifetime
    }
  }

  /// Sends an action and waits for what it causes. Sends nothing if the view has disappeared before.
  @MainActor
  private func finish(_ send: @MainActor () -> StoreTask) async {
    guard !Task.isCancelled else { return }
    await send().finish()
  }
#endif

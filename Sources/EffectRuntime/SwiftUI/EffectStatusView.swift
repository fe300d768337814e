// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  internal import EffectCore
  public import SwiftUI

  /// Shows what the work of an id is doing.
  ///
  /// ```swift
  /// EffectStatusView("search", in: search) { status in
  ///   if status.isRunning { ProgressView() }
  /// }
  /// ```
  ///
  /// - Ordering: status and state change together (rule S2).
  /// - Isolation: the main actor.
  /// - Complexity: evaluated again when the status of this id has changed; the view around it is not.
  public struct EffectStatusView<Content: View>: View {
    private let status: @MainActor () -> EffectStatus
    private let content: (EffectStatus) -> Content

    /// Shows the work of an id of a store.
    ///
    /// - Parameters:
    ///   - id: the id as the reducer of the store's feature writes it; an ``/EffectCore/EffectID`` for work in a scope below.
    ///     An optional id means the id in it; `nil` means no work.
    ///   - store: the store in which the work is, or that of a child.
    ///   - content: makes the view from the status. Called again whenever the status has changed.
    public init<State, Action>(
      _ id: some Hashable & Sendable, in store: ObservableStore<State, Action>,
      @ViewBuilder content: @escaping (EffectStatus) -> Content
    ) {
      status = { store.status(id) }
      self.content = content
    }

    /// The content for the present status.
    public var body: some View { content(status()) }
  }
#endif

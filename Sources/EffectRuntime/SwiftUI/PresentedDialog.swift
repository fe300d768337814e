// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  internal import EffectCore
  internal import SwiftUI

  /// Shows an alert or a dialog for one child at a time. What it shows does not change, so it is dismissed when another
  /// child has replaced the one that it was made for, and then shown again.
  struct PresentedDialog<Child, ChildAction: Sendable, Content: View>: View {
    @SwiftUI.State private var asked = AskedChild<Child, ChildAction>()
    /// How many dialogs were dismissed because their child had ended.
    @SwiftUI.State private var dismissals = 0
    private let presentation: Presentation<Child, ChildAction>
    private let content: (Binding<Bool>, ObservableStore<Child, ChildAction>?) -> Content

    init(
      _ presentation: Presentation<Child, ChildAction>,
      _ content: @escaping (Binding<Bool>, ObservableStore<Child, ChildAction>?) -> Content
    ) {
      self.presentation = presentation
      self.content = content
    }

    var body: some View {
      let isPresented = asked.update(presentation, after: dismissals)
      let lifetime = asked.lifetime
      content(
        Binding(
          get: { @MainActor in isPresented },
          set: { @MainActor isPresented, transaction in
            guard !isPresented, let lifetime, presentation.isCurrent(lifetime) else { return }
            withTransaction(transaction) { presentation.dismiss() }
          }), asked.store
      )
      .onChange(of: isPresented) { _, isPresented in
        if !isPresented, asked.forget() { dismissals += 1 }
      }
    }
  }

  /// The child for which a dialog asks. It is not observed, so the body of the view may change it.
  @MainActor
  private final class AskedChild<Child, ChildAction: Sendable> {
    /// Sends only as long as the child exists for which the dialog was made.
    private(set) var store: ObservableStore<Child, ChildAction>?
    /// The lifetime of that child, until the dialog has been dismissed.
    private(set) var lifetime: ShownChild<Int>? { didSet { if lifetime == nil { asking = nil } } }
    private var asking: AskedChildren.Asking?

    /// Asks for the child that exists, unless a dialog still asks for another one.
    ///
    /// - Parameter dismissals: read by the body that calls this, so that it is evaluated after each dismissal.
    /// - Returns: whether the dialog is to be shown.
    func update(_ presentation: Presentation<Child, ChildAction>, after dismissals: Int) -> Bool {
      guard let (child, present) = presentation.find() else {
        lifetime = nil
        return false
      }
      if lifetime == nil {
        lifetime = present
        asking = presentation.ask()
        store = child.node.store { presentation.isCurrent(present) }
      }
      return lifetime == present
    }

    /// The dialog was dismissed because its child does not exist any more. Returns whether it still asked for that child.
    func forget() -> Bool {
      defer { lifetime = nil }
      return lifetime != nil
    }
  }
#endif

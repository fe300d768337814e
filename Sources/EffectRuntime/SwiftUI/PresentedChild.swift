// This source file is part of swift-effects. License: Apache-2.0.

#if canImport(SwiftUI)
  internal import EffectCore
  internal import SwiftUI

  /// Shows the child that exists, or the last one while it fades out. The view is made again for another child.
  struct PresentedChild<Child, ChildAction: Sendable, Content: View>: View {
    @SwiftUI.State private var last = LastPresented<Child, ChildAction>()
    private let presentation: Presentation<Child, ChildAction>
    private let content: (ObservableStore<Child, ChildAction>) -> Content

    init(
      _ presentation: Presentation<Child, ChildAction>,
      _ content: @escaping (ObservableStore<Child, ChildAction>) -> Content
    ) {
      self.presentation = presentation
      self.content = content
    }

    var body: some View {
      if let shown = last.update(presentation) { content(shown.store).id(shown.lifetime) }
    }
  }

  /// Keeps the child store that was presented last. It is not observed, so the body of the view may change it.
  @MainActor
  private final class LastPresented<Child, ChildAction: Sendable> {
    private var shown: (store: ObservableStore<Child, ChildAction>, lifetime: ShownChild<Int>)?

    func update(
      _ presentation: Presentation<Child, ChildAction>
    ) -> (store: ObservableStore<Child, ChildAction>, lifetime: ShownChild<Int>)? {
      if let present = presentation.find() {
        shown = present
        presentation.noteShown(present.lifetime)
      }
      return shown
    }
  }
#endif

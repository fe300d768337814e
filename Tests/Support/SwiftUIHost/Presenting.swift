// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Pages: view/sheet(ispresented:ondismiss:content:), view/fullscreencover(ispresented:ondismiss:content:),
// view/popover(ispresented:attachmentanchor:arrowedge:content:), view/navigationdestination(ispresented:destination:),
// view/alert(_:ispresented:presenting:actions:message:),
// view/confirmationdialog(_:ispresented:titlevisibility:presenting:actions:message:). See View.swift.
//
// When something is dismissed, it is drawn in one more frame, as during an animation: its content is evaluated as before,
// and its tasks run on. The frame after that removes it.

extension View {
  public func sheet<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    Presenting(base: self, slot: Presented(.sheet, isPresented, onDismiss: onDismiss, content: content))
  }

  public func fullScreenCover<Content: View>(
    isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    Presenting(base: self, slot: Presented(.fullScreenCover, isPresented, onDismiss: onDismiss, content: content))
  }

  public func popover<Content: View>(
    isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> Content
  ) -> some View {
    Presenting(base: self, slot: Presented(.popover, isPresented, content: content))
  }

  /// The page is made whenever the view around it is evaluated, as in SwiftUI, where the closure does not escape.
  public func navigationDestination<V: View>(
    isPresented: Binding<Bool>, @ViewBuilder destination: () -> V
  ) -> some View {
    let page = destination()
    return Presenting(base: self, slot: Presented(.page, isPresented) { page })
  }

  public func alert<S: StringProtocol, A: View, M: View, T>(
    _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: (T) -> A,
    @ViewBuilder message: (T) -> M
  ) -> some View {
    let dialog = data.map { Dialog(title: String(title), message: message($0), actions: actions($0)) }
    return Presenting(base: self, slot: Presented(.alert, isPresented) { dialog })
  }

  public func confirmationDialog<S: StringProtocol, A: View, M: View, T>(
    _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, presenting data: T?,
    @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
  ) -> some View {
    let dialog = data.map { Dialog(title: String(title), message: message($0), actions: actions($0)) }
    return Presenting(base: self, slot: Presented(.confirmationDialog, isPresented) { dialog })
  }
}

/// `enum Visibility`.
public enum Visibility: Hashable, Sendable { case automatic, visible, hidden }

enum PresentedKind {
  case sheet, fullScreenCover, popover, page, alert, confirmationDialog
  var isDialog: Bool { self == .alert || self == .confirmationDialog }
}

private struct Dialog<Message: View, Actions: View>: View {
  let title: String
  let message: Message
  let actions: Actions
  var body: some View {
    Text(title)
    message
    actions
  }
}

/// The base and what is presented are two places, so that neither is evaluated because of the other.
private struct Presenting<Base: View, Content: View>: View, Primitive {
  let base: Base
  let slot: Presented<Content>
  static var rowCount: Int? { Base.staticRowCount }
  func parts(of node: ViewNode) -> [ViewPart] {
    [ViewPart(key: "base", view: base), ViewPart(key: "presented", view: slot)]
  }
}

private struct Presented<Content: View>: View, Primitive, Living {
  let kind: PresentedKind
  let isPresented: Binding<Bool>
  let onDismiss: (() -> Void)?
  let content: () -> Content
  static var rowCount: Int? { 0 }

  init(
    _ kind: PresentedKind, _ isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
    content: @escaping () -> Content
  ) {
    (self.kind, self.isPresented, self.onDismiss, self.content) = (kind, isPresented, onDismiss, content)
  }

  func parts(of node: ViewNode) -> [ViewPart] {
    let present = node.storage["content"] as? PresentedContent ?? PresentedContent(node)
    node.storage["content"] = present
    present.onDismiss = onDismiss
    let isShown = isPresented.wrappedValue
    present.update(isShown)
    guard present.phase != .absent else {
      node.element = nil
      return []
    }
    node.element = .presented(kind, isPresented, isLeaving: !isShown)
    let dismiss: @MainActor () -> Void = { [isPresented] in isPresented.wrappedValue = false }
    node.environment.dismiss = DismissAction(action: dismiss)
    node.environment.endDialog = kind.isDialog ? dismiss : nil
    node.environment.visibleRows = nil
    // What an alert shows does not change after it was presented.
    if !kind.isDialog || present.shown == nil { present.shown = content() }
    return present.shown.map { [ViewPart(key: present.number, view: $0)] } ?? []
  }

  func disappear(from node: ViewNode) { (node.storage["content"] as? PresentedContent)?.phase = .absent }
}

/// What is presented in a place, or was and is being dismissed.
@MainActor
final class PresentedContent {
  enum Phase { case absent, shown, leaving }
  var phase = Phase.absent
  /// Presented again, it is another view.
  private(set) var number = 0
  var shown: (any View)?
  var onDismiss: (() -> Void)?
  private weak var node: ViewNode?

  init(_ node: ViewNode) { self.node = node }

  func update(_ isShown: Bool) {
    switch (phase, isShown) {
    case (.absent, true), (.leaving, true):
      phase = .shown
      number += 1
      shown = nil
    case (.shown, false):
      phase = .leaving
      node?.host.leave(self)
    case (.absent, false), (.shown, true), (.leaving, false): break
    }
  }

  /// The dismissal has been drawn.
  func isOver() {
    guard phase == .leaving, let node else { return }
    phase = .absent
    shown = nil
    node.host.invalidate(node)
    onDismiss?()
  }
}

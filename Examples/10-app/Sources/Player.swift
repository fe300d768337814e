// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Runs commands one after another, and prints the screen after each.
@MainActor
final class Player {
  private let app: ObservableStore<App>
  private let show: @Sendable (String) -> Void
  private var sent: [StoreTask] = []

  init(_ kitchen: Kitchen, show: @escaping @Sendable (String) -> Void) {
    self.show = show
    // A sheet's action without a sheet is reported and dropped.
    app = ObservableStore(
      initialState: App.State(), reducer: App(kitchen: kitchen), onFailure: { show("  ! \($0.error)\n") })
  }

  func play(_ line: String) async {
    show("> \(line)\n")
    switch Command(line) {
    case .send(let action):
      sent.append(app.send(action))
    case .wait:
      for dispatch in sent { await dispatch.finish() }
      sent = []
    case nil:
      return show("  \(Command.help)\n")
    }
    show(screen(app))
  }

  /// The commands of `swift run app`.
  static let demo = [
    "load", "wait", "open 2", "share", "greet Try this!", "send", "wait", "settings", "units", "units", "units", "wait",
    "recipes", "close", "rate 1", "rate 2", "delete 2", "wait",
  ]
}

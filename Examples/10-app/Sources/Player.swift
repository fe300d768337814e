// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// Runs commands one after another, and prints the screen after each.
@MainActor
final class Player {
  private let app: ObservableStore<App.State, App.Action>
  private let show: @Sendable (String) -> Void
  private var sent: [StoreTask] = []

  init(_ kitchen: Kitchen, show: @escaping @Sendable (String) -> Void) {
    self.show = show
    // A sheet's action without a sheet is reported and dropped.
    app = ObservableStore(
      initialState: App.State(), reducer: App(kitchen: kitchen), onFailure: { show("  ! \($0.error)\n") })
  }

  func play(_ line: String, note: String? = nil) async {
    show("> \(line)\(note.map { "   (\($0))" } ?? "")\n")
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

  /// The commands of `swift run app`, each with what it shows.
  static let demo: KeyValuePairs<String, String> = [
    "load": "asks for the recipes",
    "wait": "until all work has ended: by then each row has asked for its rating",
    "open 2": "asks for the steps",
    "share": "opens a sheet; the steps may still be loading",
    "greet Try this!": "types into the sheet",
    "send": "publishes; the sheet closes itself when that has ended",
    "wait": "the sheet is closed, and the recipe shows the link",
    "settings": "the other tab",
    "units": "will be saved in 0.3 seconds",
    "units": "replaces the save before it",
    "units": "replaces that one as well: only this choice is saved",
    "wait": "the units are saved, and the open recipe is loaded again",
    "recipes": "shows the recipe in the new units",
    "close": "the list again",
    "rate 1": "asks for one rating",
    "rate 2": "asks for another one",
    "delete 2": "removes the row, and cancels its work only",
    "wait": "the answer for row 1 has come, and the deleted row is not back",
  ]
}

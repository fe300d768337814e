// This source file is part of swift-effects. License: Apache-2.0.

/// The commands that can be typed.
enum Command: Equatable {
  case send(App.Action)
  /// Waits until everything that was sent has finished.
  case wait

  static let help =
    "load, rate N, open N, close, delete N, share, greet TEXT, send, cancel, recipes, settings, units, wait"

  init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let number = words.count > 1 ? Int(words[1]) : nil
    switch (words.first, number) {
    case ("load", _): self = .send(.library(.appeared))
    case ("rate", let id?): self = .send(.library(.row(id, .appeared)))
    case ("open", let id?): self = .send(.library(.openTapped(id)))
    case ("close", _): self = .send(.library(.closeTapped))
    case ("delete", let id?): self = .send(.library(.deleteTapped(id)))
    case ("share", _): self = .send(.library(.detail(.shareTapped)))
    case ("greet", _): self = .send(.library(.detail(.share(.greetingChanged(words.count > 1 ? words[1] : "")))))
    case ("send", _): self = .send(.library(.detail(.share(.sendTapped))))
    case ("cancel", _): self = .send(.library(.detail(.share(.cancelTapped))))
    case ("recipes", _): self = .send(.tabTapped(.library))
    case ("settings", _): self = .send(.tabTapped(.settings))
    case ("units", _): self = .send(.settings(.unitsTapped))
    case ("wait", _): self = .wait
    default: return nil
    }
  }
}

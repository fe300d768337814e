// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Program {
  static let turns = [
    Program("A turn runs to its end before any other action (T3)") { kit, action in
      switch action {
      case "go": .merge(kit.run("r") { $0.send("r") }, .send("a"), .send("b"))
      case "a": .send("c")
      default: .none
      }
    }.steps([
      (.send("go"), "go a b c r | r+ r- | idle")
    ]),
    Program("Each action of a run is a separate turn, in the order sent (T2, T3)") { kit, action in
      switch action {
      case "go": kit.run("r") { for number in 1...3 { $0.send("\(number)") } }
      case "1": .merge(.send("1a"), .send("1b"))
      case "1a": .send("1c")
      default: .none
      }
    }.steps([
      (.send("go"), "go 1 1a 1b 1c 2 3 | r+ r- | idle")
    ]),
    Program("The sends of an action come before the next part of the sequence (T4)") { kit, action in
      switch action {
      case "go": .concatenate(.send("a"), .send("b"))
      case "a": .merge(.send("a1"), kit.run("r"))
      default: .none
      }
    }.steps([
      (.send("go"), "go a a1 b | r+ | idle"),
      (.open("r"), " | r- | idle"),
    ]),
    Program("An effect is interpreted from left to right (T4, E3)") { kit, action in
      action == "go" ? .merge(kit.run("r", id: "x"), .cancel(id: "x"), kit.run("s", id: "x")) : .none
    }.steps([
      (.send("go"), "go | s+ | 1 running"),
      (.open("s"), " | s- | idle"),
    ]),
    Program("A long turn keeps its order (T3, T5)") { _, action in
      guard let number = Int(action), number > 0 else { return .none }
      return number == 300 ? .merge(.send("200"), .send("-")) : .send("\(number - 1)")
    }.steps([
      (.send("300"), "300 200 - \((0..<200).reversed().map { "\($0)" }.joined(separator: " ")) |  | idle")
    ]),
  ]
}

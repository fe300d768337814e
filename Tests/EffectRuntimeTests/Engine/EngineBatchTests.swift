// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectCore
@testable import EffectRuntime

/// Several actions in one call have the same effect as single calls.
struct EngineBatchTests {
  private typealias Waiting = Engine<EngineProbe.Feature>.WaitingAction

  /// Actions that cause chains, start, replace and cancel runs; the number decides.
  private static func plan(_ action: String) -> Effect<String> {
    let number = Int(action) ?? 0
    return switch number % 7 {
    case 0: .none
    case 1: .send("\(number / 2)")
    case 2: .merge(.send("\(number / 3)"), .send("\(number / 4)"))
    case 3: .run("r\(number % 5)", id: "x\(number % 3)", overlap: .restart)
    case 4: .cancel(id: "x\(number % 3)")
    case 5: .concatenate(.send("\(number / 2)"), .run("r\(number % 5)", id: "x\(number % 3)", overlap: .restart))
    default: .merge(.run("q\(number % 5)", id: "y", overlap: .restart), .send("\(number / 5)"))
    }
  }

  @Test(arguments: 1...200) func `Several actions at once have the same effect as one after another`(seed: UInt64) {
    var numbers = Numbers(seed: seed)
    let single = EngineProbe(Self.plan)
    let batched = EngineProbe(Self.plan)
    for _ in 0..<10 {
      let actions = (0..<Int.random(in: 1...20, using: &numbers)).map { _ in
        "\(Int.random(in: 0..<200, using: &numbers))"
      }
      // A run that is active in one of them is active in the other: what it sends there must be the same.
      let waiting = actions.map { action in
        guard let name = single.tokens.keys.sorted().randomElement(using: &numbers), Bool.random(using: &numbers) else {
          return (nil as String?, action)
        }
        return (name, action)
      }
      let forSingle = waiting.map { name, action in
        name.map { Waiting.sent(action, by: single.token($0)) } ?? .action(action)
      }
      let forBatched = waiting.map { name, action in
        name.map { Waiting.sent(action, by: batched.token($0)) } ?? .action(action)
      }
      var expected: [String] = []
      for action in forSingle {
        switch action {
        case .none: break
        case .action(let action): expected += single.handle(.action(action))
        case .sent(let action, let token): expected += single.handle(.sent(action, by: token))
        }
        while single.isTurnOpen { expected += single.handle(.continueTurn) }
      }
      var found: [String] = []
      var position = 0
      while true {
        let (outputs, count) = batched.take(forBatched, from: &position, upTo: Int.random(in: 1...30, using: &numbers))
        found += outputs
        if count == 0 { break }
      }
      #expect(found == expected)
      #expect(batched.reduced == single.reduced)
      #expect(batched.engine.taken == single.engine.taken)
      #expect(!batched.isTurnOpen)
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

/// A small feature, the steps from outside, and the expected result of each step, in any kind of store.
struct Program: Sendable, CustomTestStringConvertible {
  let name: String
  /// The ids whose statuses are compared.
  let ids: [String]
  let effect: @Sendable (Kit, String) -> Effect<String>
  let script: [(step: Step, expected: String)]

  enum Step: Sendable {
    case send(String)
    /// Lets the run of that name go on.
    case open(String)
    /// Lets milliseconds pass. A store that does not know its sleepers waits until the given number sleep with a
    /// deadline by then.
    case advance(Int, sleepers: Int = 1)
    /// Cancels what the *n*-th sent action caused, or waits until it has settled.
    case cancel(Int)
    case finish(Int)
  }

  init(
    _ name: String, ids: [String] = ["x"], script: [(Step, String)] = [],
    _ effect: @escaping @Sendable (Kit, String) -> Effect<String>
  ) {
    self.name = name
    self.ids = ids
    self.effect = effect
    self.script = script
  }

  /// The same with a script: each step with its expected line. A line has the reductions in their order, `!` for
  /// failures; the events of runs, by name; and the status of each id.
  func steps(_ script: [(Step, String)]) -> Program {
    Program(name, ids: ids, script: script, effect)
  }

  var testDescription: String { name }

  struct Expected {
    let reduced: Int
    let runs: Int
    let statuses: [String]

    init(_ line: String) {
      let parts = line.split(separator: "|", omittingEmptySubsequences: false)
      reduced = parts[0].split(separator: " ").count
      runs = parts[1].split(separator: " ").count
      statuses = parts[2].split(separator: ";").map { $0.trimmingPrefix { $0 == " " } }.map { text in
        var text = String(text)
        while text.hasSuffix(" ") { text.removeLast() }
        return text
      }
    }
  }

  /// A status in a line.
  static func text(of status: EffectStatus) -> String { "\(status)" }

  static func line(_ reduced: [String], _ runs: [String], _ statuses: [EffectStatus]) -> String {
    let parts = [reduced.joined(separator: " "), runs.joined(separator: " ")]
    return parts.joined(separator: " | ") + " | " + statuses.map(text).joined(separator: "; ")
  }

  func reducer(_ kit: Kit) -> Reduce<[String], String> {
    Reduce { [effect] state, action in
      state.append(action)
      kit.trace.reduced(action)
      return effect(kit, action)
    }
  }
}

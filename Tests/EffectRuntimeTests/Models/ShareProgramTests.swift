// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import TestSupport
import Testing

/// Random programs full of joins. Every effect is made from the set of dispatches that it belongs to. Runs without an
/// id cannot be joined, so they must belong to exactly those dispatches from beginning to end.
@Suite struct ShareProgramTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Whatever is shared, work belongs to all that caused it, and ends with the last of them (O1, L2, E2, S1)`(
    seed: UInt64
  ) throws {
    var program = ShareProgram(seed: seed)
    for round in 0..<20 {
      let harness = SchedulerHarness()
      harness.effects = { [ledger = harness.ledger] action in program.effect(for: action, ledger) }
      // The oracle is slow, because it counts everything again; and programs that nothing observes are tested as well.
      var oracle = round % 4 > 0 ? nil : StatusOracle(harness, ids: ["a", "b", "t", "u"])
      var trace = round % 2 > 0 ? nil : TraceOracle(harness)
      var (stale, cancelled, finished): (Set<String>, Set<UInt64>, Set<UInt64>) = ([], [], [])
      for step in 0..<100 {
        switch program.next(8) {
        case 0, 1:
          harness.watch(harness.send(program.action(of: [harness.latestDispatch + 1])))
        case 2, 3, 4:
          guard
            let run = harness.executingInOrder.filter({ !stale.contains($0) }).randomElement(using: &program.numbers)
          else { continue }
          let owners = harness.owners(of: run)
          if owners.isEmpty { Issue.record("seed \(seed), round \(round), step \(step): \(run) belongs to none") }
          harness.send(program.action(of: owners), by: run)
        case 5, 6:
          guard let run = harness.executingInOrder.randomElement(using: &program.numbers) else { continue }
          harness.end(run, error: program.next(3) == 0 ? Broken() : nil)
          if !harness.executing.contains(run) { stale.remove(run) }
        default:
          guard harness.latestDispatch > 0 else { continue }
          let number = 1 + UInt64(program.next(Int(harness.latestDispatch)))
          if !finished.contains(number) { cancelled.insert(number) }
          harness.cancelDispatch(number)
        }
        for event in harness.takeEvents() {
          if case .cancelled(let run) = event { stale.insert(run) }
          if case .finished(let number) = event { finished.insert(number) }
        }
        for finding in (oracle?.findings() ?? []) + (trace?.findings() ?? []) {
          Issue.record("seed \(seed), round \(round), step \(step): \(finding)")
        }
        for run in harness.executing where !stale.contains(run) {
          guard let owners = program.owners[run] else { continue }
          let left = owners.subtracting(cancelled)
          if left.isEmpty || !left.isDisjoint(with: finished) {
            Issue.record("seed \(seed), round \(round), step \(step): \(run) of \(owners), left \(left)")
          }
          if step % 10 == 0, harness.owners(of: run) != left {
            Issue.record("seed \(seed), round \(round), step \(step): \(run) belongs to \(harness.owners(of: run))")
          }
        }
      }
      program.isEnding = true
      while let run = harness.executing.first { harness.end(run) }
      for event in harness.takeEvents() { if case .finished(let number) = event { finished.insert(number) } }
      program.isEnding = false
      harness.effects = { _ in .none }
      for finding in (oracle?.findings() ?? []) + (trace?.findingsAtTheEnd() ?? []) {
        Issue.record("seed \(seed), round \(round), in the end: \(finding)")
      }
      #expect(finished.count == Int(harness.latestDispatch), "seed \(seed), round \(round)")
      harness.expectEmpty("seed \(seed), round \(round)")
    }
    // Otherwise the program shares too little to show anything.
    #expect(program.sharedActions > 100)
  }
}

private struct Broken: Error {}

private struct ShareProgram {
  var numbers: Numbers
  var isEnding = false
  /// The dispatches that runs without an id belong to.
  private(set) var owners: [String: Set<UInt64>] = [:]
  /// How many actions belonged to several dispatches.
  private(set) var sharedActions = 0
  private var made = 0
  private var causes: [Set<UInt64>] = []

  init(seed: UInt64) { numbers = Numbers(seed: seed) }

  mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  /// The name of an action is its depth in the turn and the dispatches that it, and so its effect, belongs to.
  mutating func action(of owners: Set<UInt64>) -> String {
    causes.append(owners)
    if owners.count > 1 { sharedActions += 1 }
    return "0|\(causes.count - 1)"
  }

  mutating func effect(for action: String, _ ledger: Ledger) -> Effect<String> {
    if isEnding { return .none }
    let parts = action.split(separator: "|").compactMap { Int($0) }
    return effect(height: 2, depth: parts[0] + 1, cause: parts[1], ledger)
  }

  private mutating func effect(height: Int, depth: Int, cause: Int, _ ledger: Ledger) -> Effect<String> {
    switch height == 0 ? next(9) : next(15) {
    case 0: return depth < 4 ? .send("\(depth)|\(cause)") : .none
    case 1, 2, 3, 4: return join(ledger)
    case 5, 6, 7:
      made += 1
      owners["r\(made)"] = causes[cause]
      return ledger.run("r\(made)", catches: next(3) == 0)
    case 8: return next(3) == 0 ? .cancel(id: ["a", "b", "t", "u"][next(4)]) : .none
    case 9, 10: return .merge((0..<3).map { _ in effect(height: height - 1, depth: depth, cause: cause, ledger) })
    case 11, 12, 13:
      return .concatenate((0..<3).map { _ in effect(height: height - 1, depth: depth, cause: cause, ledger) })
    default:
      let overlap: Overlap = next(2) == 0 ? .concurrent : .restart(exclusive: next(2) == 0)
      return effect(height: height - 1, depth: depth, cause: cause, ledger)
        .cancellable(id: ["t", "u"][next(2)], overlap: overlap)
    }
  }

  private mutating func join(_ ledger: Ledger) -> Effect<String> {
    made += 1
    return ledger.run(
      "j\(made)", id: ["a", "b"][next(2)], overlap: .join(limit: 2),
      input: ["x", "y"][next(2)], catches: next(3) == 0)
  }
}

extension SchedulerHarness {
  /// The dispatches that a run belongs to.
  fileprivate func owners(of run: String) -> Set<UInt64> {
    guard latestDispatch > 0 else { return [] }
    return Set((1...latestDispatch).filter { isRun(run, partOf: $0) })
  }
}

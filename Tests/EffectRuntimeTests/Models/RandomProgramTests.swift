// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// Random effects and random inputs, with the properties that must hold after every one of them.
@Suite struct RandomProgramTests {
  #if DEBUG
    private static let seeds = 0..<UInt64(TestSize.of(16, short: 4))
  #else
    private static let seeds: Range<UInt64> = 0..<40
  #endif

  @Test(arguments: seeds)
  func
    `Whatever is interpreted, stale actions are dropped, statuses count, the scheduler empties (E1, E2, O2, S1, S2, V1, L3)`(
      seed: UInt64
    ) throws
  {
    var program = RandomProgram(seed: seed)
    for round in 0..<50 {
      let harness = SchedulerHarness()
      harness.effects = { [ledger = harness.ledger] action in program.effect(for: action, ledger) }
      // The oracle is slow, because it counts everything again; and programs that nothing observes are tested as well.
      var oracle = round % 4 > 0 ? nil : StatusOracle(harness, ids: RandomProgram.ids)
      var trace = round % 2 > 0 ? nil : TraceOracle(harness)
      // A joined run ends once for itself, and once for each run that joined it.
      harness.collectsAll = round % 4 == 2
      program.mayJoin = !harness.collectsAll
      /// Runs that have been cancelled, as the scheduler reported.
      var cancelled: Set<String> = []
      var finished: Set<UInt64> = []
      for step in 0..<100 {
        let running = harness.executingInOrder
        switch program.next(8) {
        case 0, 1:
          harness.send(program.action())
        case 2:
          guard let run = running.randomElement(using: &program.numbers) else { continue }
          let wasReduced = harness.send(program.action(), by: run)
          if wasReduced == cancelled.contains(run) { Issue.record("seed \(seed), round \(round): \(run) (E1)") }
        case 3, 4, 5:
          guard let run = running.randomElement(using: &program.numbers) else { continue }
          let mayThrow = program.next(3) == 0
          harness.end(run, error: mayThrow ? Broken() : nil)
          if !harness.executing.contains(run) { cancelled.remove(run) }
        case 6:
          guard harness.latestDispatch > 0 else { continue }
          harness.cancelDispatch(1 + UInt64(program.next(Int(harness.latestDispatch))))
        default:
          harness.watch(harness.send(program.action()))
        }
        for event in harness.takeEvents() {
          switch event {
          case .cancelled(let run):
            if !cancelled.insert(run).inserted { Issue.record("seed \(seed), round \(round): \(run) cancelled twice") }
          case .finished(let number):
            if !finished.insert(number).inserted { Issue.record("seed \(seed), round \(round): \(number) twice") }
          case .reported(let run), .recovered(let run):
            if cancelled.contains(run) { Issue.record("seed \(seed), round \(round): error of \(run) (E4)") }
          case .started, .reduced: break
          }
        }
        for finding in (oracle?.findings() ?? []) + (trace?.findings() ?? []) {
          Issue.record("seed \(seed), round \(round), step \(step): \(finding)")
        }
      }
      program.isEnding = true
      while let run = harness.executingInOrder.randomElement(using: &program.numbers) { harness.end(run) }
      // Trees that wait for slots inside each other wait for ever, as with locks; a cancel frees them.
      harness.perform { _ in .cancel(.everything) }
      while let run = harness.executingInOrder.randomElement(using: &program.numbers) { harness.end(run) }
      program.isEnding = false
      harness.effects = { _ in .none }
      for finding in (oracle?.findings() ?? []) + (trace?.findingsAtTheEnd() ?? []) {
        Issue.record("seed \(seed), round \(round), in the end: \(finding)")
      }
      if harness.collectsAll, let trace { harness.expectCollected(trace.ended, "seed \(seed), round \(round)") }
      if !harness.isEmpty { harness.expectEmpty("seed \(seed), round \(round)") }
    }
  }
}

private struct Broken: Error {}

/// Makes effects of every case, over few ids so that they meet.
private struct RandomProgram {
  var numbers: Numbers
  /// While the runs of a program are ended, what follows starts no more of them.
  var isEnding = false
  var mayJoin = true
  private var made = 0

  init(seed: UInt64) { numbers = Numbers(seed: seed) }

  mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  /// Actions that cause more become rarer with each step, so that a turn ends.
  mutating func action(after depth: Int = 0) -> String { "\(depth)" }

  mutating func effect(for action: String, _ ledger: Ledger) -> Effect<String> {
    if isEnding { return .none }
    return effect(height: 3, depth: (Int(action) ?? 0) + 1, ledger)
  }

  private mutating func effect(height: Int, depth: Int, _ ledger: Ledger) -> Effect<String> {
    let kind = height == 0 ? next(5) : next(11)
    switch kind {
    case 0: return depth < 4 ? .send(action(after: depth)) : .none
    case 1, 2: return run(ledger)
    case 3: return cancel()
    case 4: return run(ledger, named: false)
    case 5, 6: return .merge((0..<2 + next(2)).map { _ in effect(height: height - 1, depth: depth, ledger) })
    case 7, 8: return .concatenate((0..<2 + next(2)).map { _ in effect(height: height - 1, depth: depth, ledger) })
    case 9: return effect(height: height - 1, depth: depth, ledger).cancellable(id: id(), overlap: overlap())
    default: return effect(height: height - 1, depth: depth, ledger).scoped("scope") { $0 }
    }
  }

  /// Every id there can be: scopes are nested as high as effects are.
  static let ids: [EffectID] = (0...3).flatMap { depth in
    ["a", "b", "c"].map { (0..<depth).reduce(EffectID($0)) { id, _ in id.scoped(by: "scope") } }
  }

  private mutating func id() -> EffectID { ["a", "b", "c"][next(3)] }

  private mutating func run(_ ledger: Ledger, named: Bool = true) -> Effect<String> {
    made += 1
    return ledger.run(
      "r\(made)", id: named ? id() : nil, overlap: named ? overlap() : .concurrent,
      input: next(2) == 0 ? "x" : "y", catches: next(3) == 0)
  }

  private mutating func cancel() -> Effect<String> {
    switch next(6) {
    case 0, 1, 2: .cancel(id: id())
    case 3: .cancel(.ids([id(), id()]))
    case 4: .cancel(.scope("scope"))
    default: next(3) == 0 ? .cancel(.everything) : .cancel(.all(of: String.self) { $0 != "a" })
    }
  }

  private mutating func overlap() -> Overlap {
    let (limit, exclusive) = (1 + next(2), next(2) == 0)
    return switch next(mayJoin ? 7 : 6) {
    case 0: .concurrent
    case 1: .restart(limit: limit, exclusive: exclusive)
    case 2: .drop(limit: limit, exclusive: exclusive)
    case 3: .enqueue(limit: limit, exclusive: exclusive)
    case 4: .enqueue(limit: limit, exclusive: exclusive, capacity: 1, whenFull: .dropOldest)
    case 5: .keepLatest(limit: limit, exclusive: exclusive)
    default: .join(limit: limit)
    }
  }
}

extension SchedulerHarness {
  /// Checks that each dispatch has collected what it caused: together, all that has ended (rule L3).
  fileprivate func expectCollected(_ ended: [String], _ comment: Comment) {
    let all = allOutcomes + scheduler.collected.all
    #expect(all.reduce(0) { $0 + $1.count + $1.rest } == ended.count, comment)
    guard all.allSatisfy({ $0.rest == 0 }) else { return }
    #expect(all.flatMap { $0 }.map { "\($0.run): \($0.outcome)" }.sorted() == ended.sorted(), comment)
  }

  fileprivate var isEmpty: Bool {
    scheduler.workTree.count == 0 && scheduler.names.count == 0 && scheduler.waits.isEmpty
      && !scheduler.misuse.hasLines && ledger.living.isEmpty
  }
}

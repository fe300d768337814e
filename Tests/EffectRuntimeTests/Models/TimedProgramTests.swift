// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

/// Random programs of everything at once, and the properties that must hold whatever the programs do.
@Suite struct TimedProgramTests {
  private struct Broken: Error {}

  @Test(arguments: 0..<8)
  func `After any runs, waits, failures and cancels, everything returns to empty (C2, E2)`(_ part: Int) {
    for seed in (part * 250)..<(part * 250 + TestSize.of(250, short: 60)) {
      var program = TimedProgram(seed: UInt64(seed))
      program.execute(steps: 60)
      program.finish()
    }
  }

  /// Applies random inputs to a scheduler, with rules that need no model.
  private struct TimedProgram {
    private let seed: UInt64
    private var random: Numbers
    private var hasBranches: Bool { seed % 2 == 0 }
    private let harness = SchedulerHarness()
    private var trace: TraceOracle?
    private var now = 0
    private var made = 0
    private var dispatches: [UInt64] = []
    /// The closures that have been started and not returned, by token; among them those of attempts out of time.
    private var closures: [Token] = []
    private var finished: [UInt64] = []

    init(seed: UInt64) {
      self.seed = seed
      random = Numbers(seed: seed)
      trace = seed % 3 > 0 ? nil : TraceOracle(harness)
    }

    private mutating func pick(_ bound: Int) -> Int {
      Int(random.next(upperBound: UInt64(bound)))
    }

    mutating func execute(steps: Int) {
      for _ in 0..<steps {
        switch pick(10) {
        case 0...3: perform()
        case 4...5: advance(by: pick(12))
        case 6...7: end()
        case 8: cancel()
        default: cancelDispatch()
        }
        observe()
      }
    }

    private mutating func perform() {
      let effects = (0...pick(2)).map { _ in run() }
      let effect: (Ledger) -> Effect<String>
      switch hasBranches ? pick(5) : 4 {
      case 0: effect = { ledger in .concatenate(effects.map { $0(ledger) }) }
      case 1:
        let overlap = overlap()
        effect = { ledger in Effect.merge(effects.map { $0(ledger) }).cancellable(id: "tree", overlap: overlap) }
      default: effect = { ledger in .merge(effects.map { $0(ledger) }) }
      }
      let number = harness.perform(effect)
      dispatches.append(number)
      harness.watch(number)
    }

    private mutating func run() -> (Ledger) -> Effect<String> {
      made += 1
      let name = "\(made)"
      let id: EffectID? = pick(6) == 0 ? nil : EffectID(pick(2))
      let overlap = overlap()
      let input = pick(2) == 0 ? nil : "\(pick(2))"
      let catches = pick(2) == 0
      let modifiers = (0..<pick(3)).map { _ in modifier(isNamed: id != nil) }
      return { ledger in
        let plain: Effect<String> = ledger.run(name, id: id, overlap: overlap, input: input, catches: catches)
        return modifiers.reduce(plain) { $1($0) }
      }
    }

    private mutating func modifier(isNamed: Bool) -> (Effect<String>) -> Effect<String> {
      let duration = Duration.milliseconds(pick(10))
      let other = Duration.milliseconds(pick(20))
      let isSet = pick(2) == 0
      switch pick(isNamed ? 5 : 3) {
      case 0: return { $0.delay(for: duration) }
      case 1: return { $0.timeout(after: duration) }
      case 2 where pick(2) == 0:
        return { $0.retry(attempts: isSet ? 2 : 3, backoff: .constant(other)).timeout(after: duration + other) }
      case 2: return { $0.retry(attempts: isSet ? 2 : 3, backoff: .constant(other)) }
      case 3: return { $0.debounce(for: duration, maxWait: isSet ? other : nil) }
      default: return { $0.throttle(for: duration, trailing: isSet) }
      }
    }

    private mutating func overlap() -> Overlap {
      let isExclusive = pick(4) == 0
      let limit = 1 + pick(2)
      switch pick(6) {
      case 0: return .restart(limit: limit, exclusive: isExclusive)
      case 1: return .drop(limit: limit, exclusive: isExclusive)
      case 2: return .enqueue(limit: limit, exclusive: isExclusive, capacity: pick(3))
      case 3: return .keepLatest(limit: limit, exclusive: isExclusive)
      case 4: return .join(limit: limit)
      default: return .concurrent
      }
    }

    private mutating func advance(by milliseconds: Int) {
      now += milliseconds
      if pick(5) == 0 { harness.oversleep(to: now) } else { harness.advance(to: now) }
    }

    private mutating func end() {
      closures = harness.closureTokens
      guard !closures.isEmpty else { return }
      let token = closures[pick(closures.count)]
      harness.endClosure(token, error: pick(3) == 0 ? Broken() : nil)
    }

    private mutating func cancel() {
      let id = EffectID(pick(2))
      let effect: Effect<String> = pick(4) == 0 ? .cancel(.everything) : .cancel(id: id)
      harness.perform { _ in effect }
      // A sequence goes on to its next part, and the queue of a tree to the next tree.
      guard !hasBranches else { return }
      let members = harness.members(of: id)
      #expect(members.running.isEmpty && members.queued.isEmpty, "seed \(seed)")
      #expect(harness.scheduler.status(of: id).queued == 0, "seed \(seed)")
    }

    private mutating func cancelDispatch() {
      guard let number = dispatches.randomElement(using: &random) else { return }
      harness.cancelDispatch(number)
    }

    private mutating func observe() {
      for finding in trace?.findings() ?? [] { Issue.record("seed \(seed): \(finding) (V1)") }
      for event in harness.takeEvents() {
        if case .finished(let number) = event { finished.append(number) }
      }
    }

    /// Lets all time pass and every closure return.
    mutating func finish() {
      harness.advance(to: now)
      while let token = harness.closureTokens.first {
        harness.endClosure(token, error: nil)
        now += 50
        harness.advance(to: now)
      }
      for _ in 0..<200 where harness.scheduler.hasAlarms || !harness.closureTokens.isEmpty {
        now += 50
        harness.advance(to: now)
        while let token = harness.closureTokens.first { harness.endClosure(token, error: nil) }
      }
      now += 50
      harness.advance(to: now)
      observe()
      #expect(Set(finished) == Set(dispatches) && finished.count == dispatches.count, "seed \(seed)")
      for finding in trace?.findingsAtTheEnd() ?? [] { Issue.record("seed \(seed): \(finding)") }
      harness.expectEmpty("seed \(seed)")
    }
  }
}

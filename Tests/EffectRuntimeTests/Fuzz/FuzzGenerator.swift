// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport

@testable import EffectRuntime

/// Makes programs of every case, policy and operator, over few ids so that they meet.
///
/// Each program leaves some of the language out: some defects are visible only when fewer features are combined.
struct FuzzGenerator {
  private var numbers: Numbers
  private var made = 0
  private var actionCount = 0
  private var overlaps: [String: Overlap.Name] = [:]
  private var windows: [String: Plan.Timing.Window?] = [:]
  private var hasTime = false
  private var hasScopes = false
  private var hasTrees = false
  private var hasShares = false
  private var isMixed = false

  /// Whether programs are made as they were before work in a tree of its own id, and sends that wait: from the same seed
  /// the same program.
  private let isEarly: Bool

  init(seed: UInt64, isEarly: Bool = false) { (numbers, self.isEarly) = (Numbers(seed: seed), isEarly) }

  private mutating func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }
  private mutating func chance(_ bound: Int) -> Bool { next(bound) == 0 }
  private mutating func one<Value>(_ values: [Value]) -> Value { values[next(values.count)] }

  mutating func program() -> FuzzProgram {
    (hasTime, hasScopes) = (!chance(3), chance(3))
    (hasTrees, hasShares, isMixed) = (chance(2), chance(4), chance(6))
    actionCount = 3 + next(4)
    let plans = (0..<actionCount).map { plan(height: 2 + next(2), Place(action: $0)) }
    var program = FuzzProgram(plans: plans, steps: (0..<5 + next(12)).map { _ in step() })
    if chance(6) { program.steps.append(shutdown()) }
    for _ in 0..<next(5) { program.steps.append(step()) }
    program.isInline = chance(3)
    if chance(3) { program.drainBudget = 1 + next(3) }
    return program
  }

  // MARK: - Steps

  private mutating func step() -> FuzzProgram.Step {
    switch next(20) {
    case 0, 1, 2, 3, 4: return .send("\(next(min(3, actionCount)))")
    case 5, 6, 7, 8, 9, 10: return .open(next(6))
    case 11, 12, 13, 14: return hasTime ? .advance(duration()) : .open(next(6))
    case 15: return .cancelDispatch(next(8))
    case 16: return .watch(next(8))
    case 17: return .cancelWaiters(next(8))
    case 18: return .request("\(next(min(3, actionCount)))")
    default: return chance(4) ? .sendRefusing("\(next(min(3, actionCount)))") : .send("\(next(actionCount))")
    }
  }

  private mutating func shutdown() -> FuzzProgram.Step {
    if chance(2) { return .shutdown(cancelling: nil, within: nil) }
    let ids = chance(2) ? [] : [one(["a", "b"]), one(["a", "t"])]
    return .shutdown(cancelling: ids, within: hasTime && chance(2) ? duration() + fraction() : nil)
  }

  private mutating func duration() -> Duration { .milliseconds(10 * (1 + next(5))) }

  /// So short that two such moments never meet.
  private mutating func fraction() -> Duration { .nanoseconds(1 + next(9_999_999)) }

  // MARK: - Effects

  /// What contains a part. Trees are nested, also in one of their own id, and hold runs of it (rule E6).
  private struct Place {
    var action: Int
    var trees: [String] = []
    var scopes = 0
  }

  private mutating func later(_ place: Place) -> String? {
    place.action + 1 < actionCount ? "\(place.action + 1 + next(actionCount - place.action - 1))" : nil
  }

  private mutating func plan(height: Int, _ place: Place) -> Plan {
    var inner = place
    switch height == 0 ? next(8) : next(17) {
    case 0: return isEarly ? later(place).map { .send($0) } ?? .none : send(place)
    case 1, 2, 3:
      return run(["a", "b"] + (place.trees.isEmpty ? hasTrees ? ["t", "u"] : [] : isEarly ? [] : place.trees), place)
    case 4: return run([], place)
    case 5: return run(["a"], place)
    case 6: return cancel(place)
    case 7: return .none
    case 8, 9, 10: return .all(of: parts(height, place))
    case 11, 12, 13: return .sequence(of: parts(height, place))
    case 14 where hasScopes && place.scopes < 2:
      inner.scopes += 1
      let content = plan(height: height - 1, inner)
      return content.isNone ? .none : .scoped(content)
    case 15 where hasTime:
      let content = plan(height: height - 1, place)
      guard !content.isNone else { return .none }
      let modifiers = timing(nil)
      guard isEarly else { return .timed(modifiers, content) }
      return content.changingRuns { $0.timing = $0.timing.overridden(by: modifiers) }
    default:
      guard hasTrees, place.trees.count < 2 else { return run(["a", "b"], place) }
      let early = isEarly ? nil : place.trees.isEmpty ? one(["t", "u"]) : chance(2) ? "v" : place.trees[0]
      inner.trees.append(early ?? "")
      let content = plan(height: height - 1, inner)
      let id = early ?? (place.trees.isEmpty ? one(["t", "u"]) : "v")
      return content.isNone ? .none : .tree(id: id, overlap(id), content)
    }
  }

  private mutating func parts(_ height: Int, _ place: Place) -> [Plan] {
    (0..<2 + next(2)).map { _ in plan(height: height - 1, place) }
  }

  /// An action of the turn, or one that waits in a run.
  private mutating func send(_ place: Place) -> Plan {
    guard let action = later(place) else { return .none }
    guard hasTime, chance(2) else { return .send(action) }
    let id = place.trees.first ?? one(["a", "b", "t"])
    switch next(4) {
    case 0: return .timed(timing(nil), .send(action))
    case 1: return .timed(timing(id), .tree(id: id, overlap(id), .send(action)))
    default: return .tree(id: id, overlap(id), .timed(timing(id), .send(action)))
    }
  }

  private mutating func cancel(_ place: Place) -> Plan {
    switch next(12) {
    case 0: return .cancelEverything
    case 1: return hasScopes ? .cancelScope : .cancelEverything
    case 2, 3: return .cancelIDs(one([["a", "b"], ["a", "t"], ["b", "t", "u"]]))
    case 4: return .cancelAll(one([["a"], ["a", "t"], ["b", "u", "v"]]))
    default: return .cancel(id: one(hasTrees ? ["a", "b", "t", "u", "v"] : ["a", "b"]))
    }
  }

  private mutating func run(_ ids: [String], _ place: Place) -> Plan {
    made += 1
    let script = script(place)
    var run = Plan.Run(name: "r\(made)", catches: script.form == .closure && chance(3), script: script)
    guard !ids.isEmpty else {
      if hasTime, chance(3) { run.timing = timing(nil) }
      return .run(run)
    }
    let id = one(ids)
    run.id = id
    run.overlap = overlap(id)
    if script.form == .closure, chance(2) || hasShares { run.input = one(["x", "y"]) }
    if hasTime, chance(2) { run.timing = timing(id) }
    return .run(run)
  }

  private mutating func script(_ place: Place) -> Plan.Script {
    var script = Plan.Script()
    if hasTime, chance(12), let action = later(place) {
      script.form = .timer(duration() + fraction())
      script.ops = [.deliver(action)]
      return script
    }
    script.ops += ops(place)
    script.isThrowing = chance(3)
    if chance(10) {
      script.form = .stream
      script.ops = script.ops.flatMap { op -> [Plan.Script.Op] in
        if case .send(let action) = op { [.deliver(action), .gate] } else if case .deliver = op { [op] } else { [] }
      }
      script.ops = [.gate] + script.ops.filter { $0 != .gate }.flatMap { [$0, .gate] }
      script.isPrompt = true
      return script
    }
    script.recovery += ops(place).prefix(2)
    script.ignoresCancel = chance(3)
    script.isPrompt = chance(3)
    return script
  }

  private mutating func ops(_ place: Place) -> [Plan.Script.Op] {
    var ops: [Plan.Script.Op] = []
    for _ in 0..<next(4) {
      switch next(7) {
      case 0: ops.append(.gate)
      case 1, 2, 3: if let action = later(place) { ops.append(.send(action)) }
      // The order in which they fall asleep is defined only if nothing else goes on.
      case 4: if hasTime { ops += [.gate, .sleep(duration())] }
      default: if let action = later(place) { ops.append(.deliver(action)) }
      }
    }
    return ops
  }

  private mutating func timing(_ id: String?) -> Plan.Timing {
    var timing = Plan.Timing()
    switch next(5) {
    case 0, 1:
      if let id { timing.window = window(id) } else if chance(8) { timing.window = .debounce(duration(), maxWait: nil) }
    case 2: timing.delay = duration()
    case 3: timing.limit = duration()
    default:
      let seed = UInt64(next(100))
      let share = chance(3) ? one([0.2, 0.5, 1]) : 0
      let backoffs: [Backoff] = [
        .none, .constant(duration()).jittered(by: share, seed: seed),
        .linear(by: .milliseconds(10), upTo: .milliseconds(20)).jittered(by: share, seed: seed),
        .exponential(from: .milliseconds(10), upTo: .milliseconds(30)).jittered(by: share, seed: seed),
        // Gives up after the second attempt.
        Backoff { _, attempt in attempt == 1 ? .milliseconds(10) : nil },
      ]
      timing.retry = .init(attempts: 1 + next(3), backoff: one(backoffs))
      if chance(2) { timing.wholeLimit = duration() }
    }
    return chance(3) ? timing.overridden(by: self.timing(id)) : timing
  }

  /// Which window an id has is decided once.
  private mutating func window(_ id: String) -> Plan.Timing.Window? {
    if let window = windows[id] { return window }
    let window: Plan.Timing.Window =
      chance(2)
      ? .debounce(duration(), maxWait: chance(2) ? duration() : nil) : .throttle(duration(), trailing: !chance(3))
    windows[id] = .some(window)
    return window
  }

  private mutating func overlap(_ id: String) -> Overlap {
    let kinds: [Overlap.Name] = [.concurrent, .restart, .restart, .drop, .enqueue, .enqueue, .keepLatest]
    let drawn = hasShares && !chance(3) ? Overlap.Name.join : one(kinds)
    let kind = isMixed ? drawn : overlaps[id] ?? drawn
    overlaps[id] = kind
    let (limit, exclusive) = (chance(3) ? 1 + next(3) : 1, chance(3))
    return switch kind {
    case .concurrent: .concurrent
    case .restart: .restart(limit: limit, exclusive: exclusive)
    case .drop: .drop(limit: limit, exclusive: exclusive)
    case .enqueue:
      switch next(3) {
      case 0: .enqueue(limit: limit, exclusive: exclusive)
      case 1: .enqueue(limit: limit, exclusive: exclusive, capacity: next(3))
      default: .enqueue(limit: limit, exclusive: exclusive, capacity: 1 + next(2), whenFull: .dropOldest)
      }
    case .keepLatest: .keepLatest(limit: limit, exclusive: exclusive)
    case .join: .join(limit: limit)
    }
  }
}

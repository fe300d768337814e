// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// Cuts a program down as long as it fails.
struct FuzzShrinking {
  private(set) var program: FuzzProgram
  private let fails: (FuzzProgram) -> Bool
  private var left: Int

  init(_ program: FuzzProgram, limit: Int = 20_000, while fails: @escaping (FuzzProgram) -> Bool) {
    (self.program, self.fails, left) = (program, fails, limit)
    while shorten() {}
  }

  private mutating func keeps(_ smaller: FuzzProgram) -> Bool {
    guard left > 0 else { return false }
    left -= 1
    guard fails(smaller) else { return false }
    program = smaller
    return true
  }

  private mutating func shorten() -> Bool {
    var isShorter = false
    for index in program.steps.indices.reversed() where index < program.steps.count {
      var smaller = program
      smaller.steps.remove(at: index)
      if keeps(smaller) { isShorter = true }
    }
    for action in program.plans.indices {
      var next = 0
      while case let plans = program.plans[action].smaller, next < plans.count {
        var smaller = program
        smaller.plans[action] = plans[next]
        if keeps(smaller) {
          isShorter = true
          next = 0
        } else {
          next += 1
        }
      }
    }
    var plain = program
    (plain.isInline, plain.drainBudget) = (false, 256)
    if program.isInline || program.drainBudget != 256, keeps(plain) { isShorter = true }
    return isShorter
  }
}

extension Plan {
  /// Smaller plans of the same kind, the shortest first.
  var smaller: [Plan] {
    switch self {
    case .none: return []
    case .send, .cancel, .cancelEverything, .cancelScope: return [.none]
    case .cancelIDs(let ids): return [.none] + ids.map { .cancel(id: $0) }
    case .cancelAll(let names): return [.none] + names.sorted().map { .cancel(id: $0) }
    case .run(let run): return [.none] + run.smaller.map { .run($0) }
    case .merge(let parts): return [.none] + smaller(parts) { .all(of: $0) }
    case .concatenate(let parts): return [.none] + smaller(parts) { .sequence(of: $0) }
    case .tree(let id, let overlap, let content):
      return [.none, content] + content.smaller.map { $0.isNone ? .none : .tree(id: id, overlap, $0) }
        + overlap.smaller.map { .tree(id: id, $0, content) }
    case .scoped(let content): return [.none, content] + content.smaller.map { $0.isNone ? .none : .scoped($0) }
    case .timed(let timing, let content):
      return [.none, content] + content.smaller.map { $0.isNone ? .none : .timed(timing, $0) }
        + timing.smaller.map { .timed($0, content) }
    }
  }

  private func smaller(_ parts: [Plan], _ join: ([Plan]) -> Plan) -> [Plan] {
    parts.indices.map { index in
      var fewer = parts
      fewer.remove(at: index)
      return join(fewer)
    }
      + parts.indices.flatMap { index in
        parts[index].smaller.filter { !$0.isNone }.map { part in
          var other = parts
          other[index] = part
          return join(other)
        }
      }
  }
}

extension Plan.Run {
  fileprivate var smaller: [Plan.Run] {
    func with(_ change: (inout Plan.Run) -> Void) -> Plan.Run {
      var run = self
      change(&run)
      return run
    }
    var runs: [Plan.Run] = []
    if timing != Plan.Timing() { runs.append(with { $0.timing = Plan.Timing() }) }
    if timing.window != nil { runs.append(with { $0.timing.window = nil }) }
    if timing.delay != nil { runs.append(with { $0.timing.delay = nil }) }
    if timing.limit != nil { runs.append(with { $0.timing.limit = nil }) }
    if timing.wholeLimit != nil { runs.append(with { $0.timing.wholeLimit = nil }) }
    if timing.retry != nil, timing.wholeLimit == nil { runs.append(with { $0.timing.retry = nil }) }
    if catches { runs.append(with { $0.catches = false }) }
    if input != nil { runs.append(with { $0.input = nil }) }
    if script.form == .closure {
      if script.ops != [.gate] { runs.append(with { $0.script.ops = [.gate] }) }
      // The first gate stays: a closure that begins at once is not what the programs test.
      for index in script.ops.indices.dropFirst() { runs.append(with { $0.script.ops.remove(at: index) }) }
      if script.recovery != [.gate] { runs.append(with { $0.script.recovery = [.gate] }) }
      if script.isThrowing { runs.append(with { $0.script.isThrowing = false }) }
      if script.ignoresCancel { runs.append(with { $0.script.ignoresCancel = false }) }
      if script.isPrompt { runs.append(with { $0.script.isPrompt = false }) }
    } else {
      runs.append(with { $0.script = Plan.Script() })
    }
    runs += overlap.smaller.map { overlap in with { $0.overlap = overlap } }
    return runs
  }
}

extension Plan.Timing {
  fileprivate var smaller: [Plan.Timing] {
    func with(_ change: (inout Plan.Timing) -> Void) -> Plan.Timing {
      var timing = self
      change(&timing)
      return timing
    }
    var timings: [Plan.Timing] = []
    if window != nil { timings.append(with { $0.window = nil }) }
    if delay != nil { timings.append(with { $0.delay = nil }) }
    if limit != nil { timings.append(with { $0.limit = nil }) }
    if wholeLimit != nil { timings.append(with { $0.wholeLimit = nil }) }
    if retry != nil, wholeLimit == nil { timings.append(with { $0.retry = nil }) }
    return timings.filter { $0 != Plan.Timing() }
  }
}

extension Overlap {
  fileprivate var smaller: [Overlap] {
    var overlaps: [Overlap] = []
    if self != .concurrent { overlaps.append(.concurrent) }
    let simple: Overlap =
      switch name {
      case .concurrent: .concurrent
      case .restart: .restart
      case .drop: .drop
      case .enqueue: .enqueue
      case .keepLatest: .keepLatest
      case .join: .join
      }
    if self != simple { overlaps.append(simple) }
    return overlaps
  }
}

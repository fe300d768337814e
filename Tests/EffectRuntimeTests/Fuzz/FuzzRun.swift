// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport

@testable import EffectRuntime

/// One program in a store, in a test store and by the model, step by step, until they differ.
///
/// What is not defined, and so not compared (or the program is abandoned from there on):
///
/// - The order in which things go on after one cancel of several ids, of a scope or of everything (rule E8 orders what
///   one cancel does, not which of them it reaches first). `ReferenceModel.hasFreedom`, `isAmbiguous`.
/// - Two closures that become ready at one moment: whose message is first. Scripts have closures wait at a gate before
///   they do anything. So this happens only if a cancelled exclusive closure returns while another one sends or ends,
///   or if two timers that began at one moment tick.
/// - Which goes on first if a run of `.restart` both replaces another run in its window and replaces others.
/// - If a run that is due at this instant starts before one that arrives, and what follows from its end arrives in the
///   same window: which of the two arrivals is the newer one.
/// - The order in which the answers of `delivered` reach closures that go on at one moment: the answers of each closure
///   are compared separately.
/// - Whether the closure of a run is called if the run is cancelled in the turn that starts it: at its first gate every
///   closure leaves when it is cancelled, as if it had never been called.
/// - Whether a closure still wakes if its run is cancelled at the very instant its sleep ends.
/// - Whether the closure of a run made from a `send` is called when the run is cancelled in the turn that starts it;
///   and which of two such closures, or of one and another that goes on or returns, is first.
/// - How many closures of a cancelled tree have not returned (`EffectStatus.cancelling` of trees).
struct FuzzRun {
  let program: FuzzProgram
  /// The order in which the store's jobs are run; `nil` for the order in which they became ready.
  var order: UInt64?
  private(set) var isAbandoned = false
  private(set) var steps = 0

  init(_ program: FuzzProgram, order: UInt64? = nil) {
    (self.program, self.order) = (program, order)
  }

  /// The first difference, with the steps that led to it.
  mutating func difference() -> String? {
    CapturedJobs.with { jobs in difference(jobs) }
  }

  private mutating func difference(_ jobs: CapturedJobs) -> String? {
    let ids = program.ids
    let model = FuzzModel(program)
    var numbers = Numbers(seed: order ?? 0)
    let isOrdered = order == nil
    let store = FuzzStore(program, ids: ids, jobs) { count in
      isOrdered ? 0 : Int.random(in: 0..<count, using: &numbers)
    }
    var testStore = program.isForStoresOnly ? nil : FuzzTestStore(program, ids: ids, jobs)
    var found: [String] = []
    var history: [String] = []

    func compare(_ name: String, _ sight: FuzzSight, _ expected: FuzzSight) {
      let (own, expected) = (sight.comparable, expected.comparable)
      if let text = own.difference(from: expected) { found.append("\(name): \(text)") }
    }

    for step in program.steps {
      guard !model.isOver, let input = input(step, model) else { continue }
      steps += 1
      if case .shutdown = input, let rest = testStore?.leftovers() {
        testStore = nil
        if !rest.isEmpty { found.append("test store, in the end: \(rest)") }
      }
      let expected = model.take(input, ids: ids)
      let seen = store.take(input)
      let tested = testStore?.take(input)
      history.append("  \(input)\n    -> \(expected.reduced) \(expected.closures) \(expected.ends)")
      if model.isAbandoned {
        isAbandoned = true
        break
      }
      compare("store", seen, expected)
      if let tested { compare("test store", tested, expected.asTested) }
      if !found.isEmpty { break }
    }
    let rest = store.leftovers()
    if !rest.isEmpty { found.append("store, in the end: \(rest)") }
    if let rest = testStore?.leftovers(), !rest.isEmpty { found.append("test store, in the end: \(rest)") }
    if found.isEmpty { return nil }
    return (history + found).joined(separator: "\n")
  }

  /// A step with its subject; `nil` if there is no subject.
  private func input(_ step: FuzzProgram.Step, _ model: FuzzModel) -> FuzzInput? {
    let sent = model.model.latestDispatch
    func dispatch(_ number: Int) -> UInt64? { sent > 0 ? 1 + UInt64(number) % sent : nil }
    switch step {
    case .send(let action): return .send(action)
    case .sendRefusing(let action): return .sendRefusing(action)
    case .request(let action): return .request(action)
    case .open(let number):
      let gates = model.gates
      return gates.isEmpty ? nil : .open(gates[number % gates.count])
    case .advance(let duration): return .advance(duration)
    case .cancelDispatch(let number): return dispatch(number).map { .cancelDispatch($0) }
    case .watch(let number): return dispatch(number).flatMap { model.isRequest($0) ? nil : .watch($0) }
    case .cancelWaiters(let number):
      return dispatch(number).flatMap { model.isWaitedFor($0) ? .cancelWaiters($0) : nil }
    case .shutdown(let ids, let limit): return .shutdown(cancelling: ids, within: limit)
    }
  }
}

extension FuzzProgram {
  /// The ids that are used in it.
  var ids: [String] {
    var found: Set<String> = []
    func look(_ plan: Plan, _ scope: String) {
      switch plan {
      case .none, .send, .cancel, .cancelIDs, .cancelAll, .cancelEverything, .cancelScope: break
      case .run(let run): if let id = run.id { found.insert(scope + id) }
      case .merge(let parts), .concatenate(let parts): for part in parts { look(part, scope) }
      case .tree(let id, _, let content):
        found.insert(scope + id)
        look(content, scope)
      case .scoped(let content): look(content, scope + Plan.scope + "/")
      case .timed(_, let content): look(content, scope)
      }
    }
    for plan in plans { look(plan, "") }
    return found.sorted()
  }
}

extension FuzzSight {
  /// Without what is not defined; see ``FuzzRun``.
  var comparable: FuzzSight {
    var sight = self
    for (id, var status) in statuses where "tuv".contains(id.last ?? " ") {
      status.cancelling = 0
      sight.statuses[id] = status
    }
    return sight
  }

  /// A test store cannot make requests with an answer, so a request is compared as a `finish`.
  var asTested: FuzzSight {
    var sight = self
    sight.ends = ends.compactMap { text in
      guard text.hasPrefix("request ") else { return text }
      return "finish " + (text.split(separator: ":").first?.dropFirst(8) ?? "")
    }
    sight.sort()
    return sight
  }
}

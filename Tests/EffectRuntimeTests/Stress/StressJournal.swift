// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Synchronization
import TestSupport

@testable import EffectRuntime

/// What a store's reducer and listener see, and whether it is possible.
// SAFETY: variables are touched on the store's isolation only, and when the store was released; so the thread sanitizer
// also sees a violation of rule T1.
final class StressJournal: @unchecked Sendable {
  let findings: Findings
  let calls: CallCount
  /// Whether a turn may be interrupted (T5).
  let hasLongTurns: Bool
  let streams = Lock<[ActionStream]>([])
  let tasks = Lock<[Task<Void, Never>]>([])
  let failures = Lock(0)
  /// The last values shown to observers that read until the end.
  let lastSeen = Lock<[Int]>([])
  /// Requests that had an answer.
  let answered = Tally()
  /// How many closures execute, by exclusive id (O2).
  private let executing = Lock<[Int: Int]>([:])
  /// Closures that have been released.
  let released = Tally()
  let reference = StoreReference<StressFeature>()

  private(set) var records: [RunRecord] = []
  private(set) var reduced = 0
  private(set) var followUps = 0
  private var live: [Int: [RunRecord]] = [:]
  private var isReducing = false
  /// The follow-up that must come next (T3).
  private var nextAgain: Int?
  var told = TraceStory()

  init(_ findings: Findings, _ calls: CallCount, hasLongTurns: Bool) {
    self.findings = findings
    self.calls = calls
    self.hasLongTurns = hasLongTurns
  }

  func stream(
    run: RunRecord? = nil, call: Int = 0, mayLose: LossReasons = [], isOfCatch: Bool = false
  ) -> ActionStream {
    let stream = ActionStream(run: run, call: call, mayLose: mayLose, isOfCatch: isOfCatch)
    streams.withLock { $0.append(stream) }
    return stream
  }

  func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }

  // MARK: - Reducing

  func begin(_ action: StressAction) {
    if isReducing { findings.add("two reductions at once (T1)") }
    isReducing = true
    reduced += 1
    if case .again(let left) = action.what {
      followUps += 1
      if hasLongTurns, nextAgain != left {
        findings.add("follow-up \(left) instead of \(String(describing: nextAgain)) (T3)")
      }
      nextAgain = left > 0 ? left - 1 : nil
    } else if case .after = action.what {
      followUps += 1
    } else if hasLongTurns, let next = nextAgain {
      findings.add("\(action.what) within a turn, before follow-up \(next) (T3)")
    }
    if let mark = action.mark { note(mark) }
    if case .after(let record) = action.what {
      if record.isFollowed { findings.add("followed twice (E6)") }
      record.isFollowed = true
      record.isDead = true
    }
  }

  func end() { isReducing = false }

  func expectAgain(_ left: Int) { nextAgain = left }

  private func note(_ mark: Mark) {
    let stream = mark.stream
    if mark.number != stream.reduced + stream.dropped || stream.dropped > 0 {
      findings.add("action \(mark.number) reduced behind \(stream.reduced), \(stream.dropped) dropped (T2, E1)")
    }
    stream.reduced += 1
    guard let run = stream.run else { return }
    if run.isDead || (run.isReplaced && !stream.isOfCatch) {
      findings.add("stale: \(run.order.kind) \(run.order.shape) of id \(String(describing: run.order.id)) (E1)")
    }
    if stream.call < run.newestCall { findings.add("an attempt acts when the next one has (E1)") }
    run.newestCall = max(run.newestCall, stream.call)
    if run.order.cause.isSettled, !run.isShared, !run.order.cause.isCancelled {
      findings.add("reduced after finish() has returned (L2)")
    }
  }

  // MARK: - Runs

  /// Notes that a run is requested, and which runs it replaces.
  func ask(for order: Order, under name: Int, by parent: RunRecord?) -> RunRecord {
    let overlap = order.id.map { StressFeature.overlap(of: $0, order.input) }
    let record = RunRecord(order, name: name, isShared: parent?.isShared == true || overlap?.kind == .join, calls)
    if let parent { record.causes = parent.causes }
    records.append(record)
    // A part of a tree or a sequence may never be started; so these have ids of their own, or none.
    if let overlap, order.shape != .tree {
      if overlap.kind == .restart {
        let isCertain =
          overlap.limit == 1 && !StressFeature.hasWindow(order.id) && !record.causes.contains(where: \.isCancelled)
        for run in live[name] ?? [] {
          run.reasons.insert(.replaced)
          if isCertain { run.isReplaced = true }
        }
        if overlap.limit == 1 { live[name] = [] }
      }
      if overlap.kind == .join {
        for run in live[name] ?? [] where run.order.input == order.input { run.causes += record.causes }
      }
    }
    live[name, default: []].append(record)
    return record
  }

  /// Notes that a tree is requested.
  func askForTree(under name: Int, isReplacing: Bool, _ order: Order) {
    guard isReplacing else { return }
    for run in live[name] ?? [] {
      run.reasons.insert(.replaced)
      if !order.cause.isCancelled { run.isDead = true }
    }
    live[name] = []
  }

  func cancel(_ cancelling: StressAction.Cancelling) {
    for name in Array(live.keys) where StressFeature.reaches(cancelling, name) {
      for run in live[name] ?? [] {
        run.reasons.insert(.byEffect)
        run.isDead = true
      }
      live[name] = nil
    }
  }

  func enter(_ name: Int) {
    guard let limit = StressFeature.exclusiveLimit(of: name) else { return }
    let count = executing.withLock { executing in
      executing[name, default: 0] += 1
      return executing[name] ?? 0
    }
    if count > limit { findings.add("\(count) closures of the exclusive id \(name) (O2)") }
  }

  func leave(_ name: Int) {
    guard StressFeature.exclusiveLimit(of: name) != nil else { return }
    executing.withLock { $0[name, default: 0] -= 1 }
  }
}

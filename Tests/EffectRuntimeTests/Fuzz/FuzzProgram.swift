// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime

/// A feature and the steps that are applied to it from outside, as data: it can be printed, cut down, and run anywhere.
///
/// Actions are numbers. What action *n* causes mentions only greater ones, so that every turn ends.
struct FuzzProgram: CustomStringConvertible, Sendable {
  var plans: [Plan]
  var steps: [Step]
  /// Whether what is sent is sent on the store's own isolation.
  var isInline = false
  var drainBudget = 256

  enum Step: Hashable, Sendable {
    case send(String)
    /// Sends, and cancels the dispatch before the action is reduced.
    case sendRefusing(String)
    /// Sends, and waits with an answer.
    case request(String)
    /// One of the closures that wait at a gate goes on.
    case open(Int)
    case advance(Duration)
    case cancelDispatch(Int)
    /// Begins to wait for a dispatch.
    case watch(Int)
    /// Cancels the waiters of a dispatch, and so the dispatch.
    case cancelWaiters(Int)
    case shutdown(cancelling: [String]?, within: Duration?)
  }

  /// What an action causes when it is reduced for the *n*-th time: runs are named after that.
  func plan(for action: String, occurrence: Int) -> Plan {
    guard let number = Int(action), number < plans.count else { return .none }
    return plans[number].changingRuns { $0.name += "#\(occurrence)" }
  }

  /// A test store cannot do everything that a store can.
  var isForStoresOnly: Bool {
    steps.contains { if case .sendRefusing = $0 { true } else { false } }
  }

  var description: String {
    let lines = plans.enumerated().map { "  action \($0): \($1.text)" } + steps.map { "  \($0.text)" }
    let notes = (isInline ? " sent inline" : "") + (drainBudget == 256 ? "" : " budget \(drainBudget)")
    return lines.joined(separator: "\n") + (notes.isEmpty ? "" : "\n " + notes)
  }
}

extension FuzzProgram.Step {
  var text: String {
    switch self {
    case .send(let action): "send \(action)"
    case .sendRefusing(let action): "send \(action) and cancel it at once"
    case .request(let action): "request \(action)"
    case .open(let number): "open gate \(number)"
    case .advance(let duration): "advance by \(duration)"
    case .cancelDispatch(let number): "cancel dispatch \(number)"
    case .watch(let number): "wait for dispatch \(number)"
    case .cancelWaiters(let number): "cancel waiters of dispatch \(number)"
    case .shutdown(nil, _): "shutdown(.cancelling)"
    case .shutdown(let ids?, let limit):
      "shutdown(.draining(cancelling: \(ids)\(limit.map { ", within: \($0)" } ?? "")))"
    }
  }
}

extension Plan {
  var text: String {
    func list(_ parts: [Plan]) -> String { parts.map(\.text).joined(separator: ", ") }
    return switch self {
    case .none: "none"
    case .send(let action): "send(\(action))"
    case .run(let run): run.text
    case .merge(let parts): "merge(\(list(parts)))"
    case .concatenate(let parts): "concatenate(\(list(parts)))"
    case .cancel(let id): "cancel(\(id))"
    case .cancelIDs(let ids): "cancel(\(ids))"
    case .cancelAll(let names): "cancel(all where in \(names.sorted()))"
    case .cancelEverything: "cancel(everything)"
    case .cancelScope: "cancel(scope: s)"
    case .tree(let id, let overlap, let content): "\(content.text).cancellable(\(id), \(overlap))"
    case .scoped(let content): "\(content.text).scoped(s)"
    case .timed(let timing, let content): "\(content.text)\(timing.text)"
    }
  }
}

extension Plan.Run {
  fileprivate var text: String {
    var parts = [name]
    if let id { parts.append("id: \(id), \(overlap)") }
    if let input { parts.append("input: \(input)") }
    let ops = script.ops.map { "\($0)" } + (script.isThrowing ? ["throw"] : [])
    if case .closure = script.form {} else { parts.append("\(script.form)") }
    parts.append(ops.joined(separator: " "))
    if catches { parts.append("catch: \(script.recovery.map { "\($0)" }.joined(separator: " "))") }
    if script.ignoresCancel { parts.append("ignores cancel") }
    if script.isPrompt { parts.append("prompt") }
    return "run(\(parts.joined(separator: ", ")))\(timing.text)"
  }
}

extension Plan.Script.Op: CustomStringConvertible {
  var description: String {
    switch self {
    case .gate: "gate"
    case .send(let action): "send(\(action))"
    case .deliver(let action): "deliver(\(action))"
    case .sleep(let duration): "sleep(\(duration))"
    }
  }
}

extension Plan.Timing {
  var text: String {
    var text = ""
    switch window {
    case .debounce(let duration, let maxWait)?:
      text += ".debounce(\(duration)\(maxWait.map { ", maxWait: \($0)" } ?? ""))"
    case .throttle(let duration, let trailing)?: text += ".throttle(\(duration), trailing: \(trailing))"
    case nil: break
    }
    if let delay { text += ".delay(\(delay))" }
    if let limit { text += ".timeout(\(limit))" }
    if let retry { text += ".retry(\(retry.attempts), \(retry.backoff))" }
    if let wholeLimit { text += ".timeout(\(wholeLimit))" }
    return text
  }
}

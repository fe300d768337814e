// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

extension Plan {
  /// The time modifiers of a run.
  struct Timing: Hashable {
    enum Window: Hashable {
      case debounce(Duration, maxWait: Duration?)
      case throttle(Duration, trailing: Bool)
    }

    struct Retry: Hashable {
      var attempts: Int
      var backoff = Backoff.none
    }

    var window: Window?
    var delay: Duration?
    /// The time limit that is written before the retry, or without one.
    var limit: Duration?
    var retry: Retry?
    /// The time limit that is written after the retry.
    var wholeLimit: Duration?

    /// Whether a run waits because of them, and a `send` becomes a run.
    var waits: Bool {
      switch window {
      case .debounce(let duration, _)?, .throttle(let duration, _)?: if duration > .zero { return true }
      case nil: break
      }
      return delay.map { $0 > .zero } ?? false
    }

    /// The run that a `send` becomes, if it becomes one.
    func run(sending action: String, lostScopes: Int = 0) -> Run? {
      waits
        ? Run(name: "send", timing: self, script: Script(form: .send, ops: [.send(action)]), lostScopes: lostScopes)
        : nil
    }

    /// Whether attempts are counted.
    var counts: Bool { limit != nil || retry != nil }

    /// The last modifier of a kind counts. All time limits before the last retry are for its attempts.
    func overridden(by newer: Timing) -> Timing {
      var all = self
      all.window = newer.window ?? window
      all.delay = newer.delay ?? delay
      if let limit = newer.limit { all.setLimit(limit) }
      if let retry = newer.retry {
        all.retry = retry
        if let whole = all.wholeLimit { (all.limit, all.wholeLimit) = (whole, nil) }
      }
      if let limit = newer.wholeLimit { all.setLimit(limit) }
      return all
    }

    private mutating func setLimit(_ duration: Duration) {
      if retry == nil { limit = duration } else { wholeLimit = duration }
    }

    func applied<Action>(to effect: Effect<Action>) -> Effect<Action> {
      var effect = effect
      switch window {
      case .debounce(let duration, let maxWait)?: effect = effect.debounce(for: duration, maxWait: maxWait)
      case .throttle(let duration, let trailing)?: effect = effect.throttle(for: duration, trailing: trailing)
      case nil: break
      }
      if let delay { effect = effect.delay(for: delay) }
      if let limit { effect = effect.timeout(after: limit) }
      if let retry {
        effect = effect.retry(attempts: retry.attempts, backoff: retry.backoff)
      }
      if let wholeLimit { effect = effect.timeout(after: wholeLimit) }
      return effect
    }
  }

  /// What the closure of a run does, in steps whose time the test decides.
  struct Script: Hashable {
    enum Op: Hashable {
      /// Waits until the test opens the gate.
      case gate
      case send(String)
      /// Sends, and goes on when that has been reduced or dropped.
      case deliver(String)
      case sleep(Duration)
    }

    /// The last case is the run that a `send` becomes behind a modifier by which it waits.
    enum Form: Hashable { case closure, stream, timer(Duration), send }

    var form = Form.closure
    var ops: [Op] = [.gate]
    /// What `catch` does.
    var recovery: [Op] = [.gate]
    var isThrowing = false
    /// Goes on with its work when it has been cancelled.
    var ignoresCancel = false
    /// Leaves a gate when it is cancelled; others do so only at the first one.
    var isPrompt = false
  }

  /// The same with time modifiers for all runs, and for each `send` if it waits because of them (rule C2).
  ///
  /// The plan must be without `timed` parts. `scopes` counts the scopes inside of the modifiers: they do not apply to a
  /// `send`.
  func timed(_ timing: Timing, scopes: Int = 0) -> Plan {
    switch self {
    case .none, .cancel, .cancelIDs, .cancelAll, .cancelEverything, .cancelScope: return self
    case .send(let action): return timing.run(sending: action, lostScopes: scopes).map { .run($0) } ?? self
    case .run(var run):
      run.timing = run.timing.overridden(by: timing)
      return .run(run)
    case .merge(let parts): return .merge(parts.map { $0.timed(timing, scopes: scopes) })
    case .concatenate(let parts): return .concatenate(parts.map { $0.timed(timing, scopes: scopes) })
    case .tree(let id, let overlap, .send(let action)):
      guard var run = timing.run(sending: action) else { return self }
      (run.id, run.overlap) = (id, overlap)
      return .run(run)
    case .tree(let id, let overlap, let content):
      return .tree(id: id, overlap, content.timed(timing, scopes: scopes))
    case .scoped(let content): return .scoped(content.timed(timing, scopes: scopes + 1))
    case .timed: return withTimingInRuns.timed(timing, scopes: scopes)
    }
  }

  /// The same with every run changed.
  func changingRuns(_ change: (inout Run) -> Void) -> Plan {
    switch self {
    case .none, .send, .cancel, .cancelIDs, .cancelAll, .cancelEverything, .cancelScope:
      return self
    case .run(var run):
      change(&run)
      return .run(run)
    case .merge(let parts): return .merge(parts.map { $0.changingRuns(change) })
    case .concatenate(let parts): return .concatenate(parts.map { $0.changingRuns(change) })
    case .tree(let id, let overlap, let content): return .tree(id: id, overlap, content.changingRuns(change))
    case .scoped(let content): return .scoped(content.changingRuns(change))
    case .timed(let timing, let content): return .timed(timing, content.changingRuns(change))
    }
  }

  /// The same with the modifiers at the runs that they apply to.
  var withTimingInRuns: Plan {
    switch self {
    case .none, .send, .cancel, .cancelIDs, .cancelAll, .cancelEverything, .cancelScope, .run:
      self
    case .merge(let parts): .all(of: parts.map(\.withTimingInRuns))
    case .concatenate(let parts): .sequence(of: parts.map(\.withTimingInRuns))
    case .tree(let id, let overlap, let content): .tree(id: id, overlap, content.withTimingInRuns)
    case .scoped(let content):
      // A `send` is in no scope.
      if case .send(let action) = content.withTimingInRuns { .send(action) } else { .scoped(content.withTimingInRuns) }
    case .timed(let timing, let content): content.withTimingInRuns.timed(timing)
    }
  }
}

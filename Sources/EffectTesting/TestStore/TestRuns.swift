// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// The runs of a test: those whose closures have not returned, and what failure texts say about the others.
@usableFromInline
struct TestRuns {
  private var running: [Token: RunningTask] = [:]
  /// How many runs have started; orders them in failure texts.
  private var started = 0
  /// The origins of the runs that wait for their time, or for the end of the turn.
  private var origins: [Token: RunOrigin] = [:]
  /// Runs whose closures have returned. A task of such a run may still send.
  private var ended: [Token: EffectRun] = [:]

  @usableFromInline
  init() {}

  // MARK: - Running

  @usableFromInline var isEmpty: Bool { running.isEmpty }
  @usableFromInline var count: Int { running.count }
  /// In no particular order.
  var all: Dictionary<Token, RunningTask>.Values { running.values }
  var hasStarted: Bool { started > 0 }

  /// The run of a token, if its closure has not returned.
  @usableFromInline subscript(token: Token) -> RunningTask? { running[token] }

  /// A task has been made for a run.
  ///
  /// - Parameter turn: the turn that has started it.
  @usableFromInline
  mutating func start(
    _ task: Task<Void, Never>, _ token: Token, in turn: TurnRecord, description: @escaping () -> EffectRun
  ) {
    started += 1
    let known = origins.isEmpty ? nil : origins.removeValue(forKey: token)
    let origin = known ?? newOrigin(of: token, in: turn)
    running[token] = RunningTask(
      task: task, token: token, number: started, cause: origin.cause, isExcused: origin.isExcused,
      description: description)
  }

  /// The closure of a run has returned.
  ///
  /// - Parameter isKept: whether its description is kept, to name it when it sends nevertheless.
  /// - Returns: the run.
  @usableFromInline
  mutating func end(_ token: Token, isKept: Bool) -> RunningTask? {
    let former = running.removeValue(forKey: token)
    if isKept, let former { ended[token] = former.run }
    return former
  }

  /// What is known about a run, also if its closure has returned.
  func description(of token: Token) -> EffectRun? { running[token]?.run ?? ended[token] }

  // MARK: - Origins

  /// The origin of a run that waits.
  func origin(of token: Token) -> RunOrigin? { origins[token] }

  /// Keeps the origin of each run that starts when the turn has ended.
  @usableFromInline
  mutating func noteOrigins(ofStarts outputs: [EngineOutput], in turn: inout TurnRecord) {
    for output in outputs.dropFirst(turn.starts) {
      guard case .start(let token, _) = output, origins[token] == nil else { continue }
      origins[token] = newOrigin(of: token, in: turn)
    }
    turn.starts = outputs.count
  }

  /// Keeps the origins of the runs that wait for their time, and forgets those of others. Runs without an origin are new with
  /// the current input.
  mutating func noteOrigins(ofWaiting waiting: [Token], startedBy cause: (any Sendable)?, in turn: TurnRecord) {
    // While runs wait for the end of the turn, their origins are kept as well.
    if turn.starts == 0 { origins = origins.filter { waiting.contains($0.key) } }
    for token in waiting where origins[token] == nil {
      origins[token] = RunOrigin(cause: cause, isExcused: turn.isExcused)
    }
  }

  // MARK: - Excused

  /// The runs that follow from an action that a failure has named: active runs, and runs that wait for their time.
  var excused: Set<Token> {
    Set(running.values.filter(\.isExcused).map(\.token)).union(origins.filter(\.value.isExcused).keys)
  }

  /// Excuses only these runs: the reported failure has turned out to be a known issue.
  mutating func excuseOnly(_ runs: Set<Token>) {
    for run in running.values where !runs.contains(run.token) { run.isExcused = false }
    for (token, origin) in origins where !runs.contains(token) {
      origins[token] = RunOrigin(cause: origin.cause, isExcused: false)
    }
  }

  /// The origin of a run that the action or event at hand starts.
  private mutating func newOrigin(of token: Token, in turn: TurnRecord) -> RunOrigin {
    var cause = turn.current
    // The catch closure, or the next attempt, of a run that has just failed.
    if cause == nil, let ended = turn.ended, ended.token.slot == token.slot { cause = ended.cause }
    // The catch closure of a run that was out of time while it waited for its next attempt.
    if cause == nil, let waited = origins.keys.first(where: { $0.slot == token.slot }),
      let origin = origins.removeValue(forKey: waited)
    {
      return origin
    }
    return RunOrigin(cause: cause, isExcused: turn.isExcused)
  }
}

/// The origin of a run. It is kept while the run waits for its time.
struct RunOrigin {
  /// The action whose effect it is.
  let cause: (any Sendable)?
  /// Whether it follows from an action that a failure has named.
  let isExcused: Bool
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// Runs a feature under every order that its effects, deliveries and deadlines can take, as far as the budget goes.
/// Fails with a short order that violates a property.
///
/// ```swift
/// @Test func latestQueryWins() async {
///   await explore(initialState: .init(), reducer: Search(find: { [$0] })) { script in
///     script.send(.queryChanged("s"))
///     script.send(.queryChanged("swift"))
///   } always: { state in state.results.isEmpty || state.results == [state.query] }
/// }
/// ```
///
/// The state is made again for each schedule, and the reducer once. So runs share no memory that begins with a schedule. If
/// mocks have state, make them in the body of `explore(faults:budget:options:replaying:_:)` instead.
///
/// - Parameters:
///   - initialState: the state before any action.
///   - reducer: the feature's logic.
///   - requirements: what must hold for its work.
///   - sometimes: named states, each of which at least one schedule must reach by a reduction: `["both loaded": { $0.isFull }]`.
///     They show that the script leads to the states that the other properties are about. A replay does not check them.
///   - faults: what goes wrong in some schedules.
///   - budget: how long the search may go on.
///   - options: what few explorations need to say.
///   - replaying: the schedule of a failure, from its text: only this one is run. `faults` must be those of the call that found
///     it, and its text names them.
///   - script: what the user and the system do.
///   - always: must hold for the state after each reduction.
///   - eventually: must hold at some point of each schedule that reaches its end; the beginning counts.
///   - finally: must hold when nothing can happen any more.
///   - fileID: the file a failure is shown in.
///   - filePath: likewise.
///   - line: the line it is shown at.
///   - column: likewise.
/// - Returns: how many schedules there were, and whether these are all. If `EFFECTS_EXPLORE_FAILURES` names a directory, and a
///   schedule that an earlier exploration has saved there fails again, the result is about this one schedule only.
/// - Ordering: runs execute on an executor of the schedule's own, one job at a time, on the caller's thread. Nothing
///   waits in real time, unless a run leaves for the main actor or the outside world. This is reported
///   as a gap, and then the exploration is never complete. It is also not complete if runs still wait at the end of a
///   schedule, and no `.noDeadlock(except:)` names them. The explorer waits once for each of these, a fifth of a
///   second, and names it in the result.
/// - Isolation: the caller's.
/// - Cancellation: at the end of a schedule all runs are cancelled. A cancelled caller runs no further schedule.
/// - Errors: a violated property, and an error that a run throws without a `catch`, are failures of the running test.
///   It is also a failure if something looks like a proof and is none: a script that sends nothing; a named state that
///   no schedule reaches; a requirement that no schedule tests; a fault that can be injected into no run; a property of
///   the end, if every schedule was cut; a replay that ends before its last step.
@inlinable
@discardableResult
public nonisolated(nonsending) func explore<R: Reducer>(
  initialState: @autoclosure () -> R.State, reducer: @autoclosure () -> R,
  requiring requirements: [Exploration.Requirement<R.State>] = [],
  sometimes: KeyValuePairs<String, (R.State) -> Bool> = [:], faults: Exploration.Faults = .none,
  budget: Exploration.Budget = .schedules(10_000), options: Exploration.Options = .init(), replaying: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ script: nonisolated(nonsending) (Exploration.Script<R.Action>) async -> Void,
  always: ((R.State) -> Bool)? = nil, eventually: ((R.State) -> Bool)? = nil, finally: ((R.State) -> Bool)? = nil
) async -> Exploration {
  // Made once: what it refers to outlives each schedule, so no schedule may leave anything in it.
  let made = reducer()
  return await explore(
    faults: faults, budget: budget, options: options, replaying: replaying, fileID: fileID, filePath: filePath,
    line: line, column: column
  ) { schedule in
    schedule.sharesNothing()
    let run = schedule.store(
      initialState: initialState(), reducer: made, requiring: requirements,
      sometimes: sometimes,
      always: always, eventually: eventually, finally: finally)
    await script(run)
  }
}

/// Runs a body under every order that the effects of its store can take, or that code without a store can take. The whole body,
/// including mocks, is executed again for each schedule.
///
/// ```swift
/// await explore { schedule in
///   let api = Api()                                             // an actor with state
///   let script = schedule.store(
///     initialState: .init(), reducer: Search(find: api.find), always: { $0.results.count < 10 })
///   script.send(.queryChanged("swift"))
/// }
/// ```
///
/// For code without a store see ``Exploration/Schedule/run(_:mayWait:fileID:line:_:)``. The rest is as with
/// `explore(initialState:reducer:)`.
///
/// - Parameters:
///   - faults: what goes wrong in some schedules.
///   - budget: how long the search may go on.
///   - options: what few explorations need to say.
///   - replaying: the schedule of a failure, from its text: only this one is run.
///   - fileID: the file a failure is shown in.
///   - filePath: likewise.
///   - line: the line it is shown at.
///   - column: likewise.
///   - body: makes the store and what it works with, and then acts as the user and the system. Called once for each
///     schedule, so everything with state is made in it.
@discardableResult
public nonisolated(nonsending) func explore(
  faults: Exploration.Faults = .none, budget: Exploration.Budget = .schedules(10_000),
  options: Exploration.Options = .init(),
  replaying: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: (Exploration.Schedule) -> Void
) async -> Exploration {
  let call = ExplorationCall(
    budget: budget, options: options, faults: faults, replaying: replaying,
    location: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  // Tasks that are made while the body makes its objects belong to the schedule.
  return await call.explore { schedule in schedule.runner.executor.playing { body(schedule) } }
}

/// As `explore(faults:budget:options:replaying:_:)`, with a body that waits. Each `Task {}` that the body itself makes executes
/// outside of the exploration.
///
/// - Parameters:
///   - faults: what goes wrong in some schedules.
///   - budget: how long the search may go on.
///   - options: what few explorations need to say.
///   - replaying: the schedule of a failure, from its text: only this one is run.
///   - fileID: the file a failure is shown in.
///   - filePath: likewise.
///   - line: the line it is shown at.
///   - column: likewise.
///   - body: makes the store and what it works with, and then acts as the user and the system.
@discardableResult
public nonisolated(nonsending) func explore(
  faults: Exploration.Faults = .none, budget: Exploration.Budget = .schedules(10_000),
  options: Exploration.Options = .init(),
  replaying: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: nonisolated(nonsending) (Exploration.Schedule) async -> Void
) async -> Exploration {
  let call = ExplorationCall(
    budget: budget, options: options, faults: faults, replaying: replaying,
    location: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return await call.explore(body)
}

/// What a call of `explore` has asked for, and where it is.
struct ExplorationCall: Sendable {
  var budget: Exploration.Budget
  var options: Exploration.Options
  var faults: Exploration.Faults
  var replaying: String?
  var location: TestLocation

  /// Replays a schedule, or searches; reports what has failed.
  ///
  /// - Parameter body: makes the store of a schedule.
  nonisolated(nonsending) func explore(
    _ body: nonisolated(nonsending) (Exploration.Schedule) async -> Void
  ) async -> Exploration {
    let line = ProgressLine(budget, at: "\(location.fileID):\(location.line)")
    var hasLog = true
    let makeExplorer = {
      let explorer = self.explorer()
      explorer.progress = ProgressReports(to: line)
      if explorer.runner.log == nil, let directory = ScheduleLog.directory, hasLog {
        hasLog = false
        Reporter.report(FailureText.noLog(directory), at: location)
      }
      return explorer
    }
    let explorer: Explorer
    if let replaying {
      explorer = makeExplorer()
      await explorer.replay(replaying, body)
    } else if let directory = SavedFailures.directory {
      var saved = SavedSearch(SavedFailures(in: directory, at: location), makeExplorer)
      explorer = await saved.search(body)
      for note in saved.notes { Reporter.note(note, at: location) }
    } else {
      explorer = makeExplorer()
      await explorer.search(body)
    }
    line.end()
    if let text = explorer.failureText { Reporter.report(text, at: location) }
    return explorer.result
  }

  /// An explorer for the whole budget or a part of it, with its log if there is one.
  func explorer(budget part: Int? = nil) -> Explorer {
    let settings = ScheduleRunner.Settings(
      stepLimit: options.steps, deadlineLimit: options.deadlines, faults: faults, carrying: options.carrying)
    let explorer = Explorer(
      budget: part ?? budget.schedules ?? .max, search: options.search ?? .levels(upTo: options.upTo),
      seed: options.seed,
      settings: settings)
    explorer.timeLimit = budget.duration
    if let directory = ScheduleLog.directory { explorer.runner.log = ScheduleLog(directory, location, settings) }
    return explorer
  }
}

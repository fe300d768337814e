// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// Runs a feature under every order that its effects, deliveries and deadlines can take, as far as the budget goes.
/// Fails with a short order that violates a property.
///
/// ```swift
/// @Test func latestQueryWins() async {
///   await explore(initialState: .init(), reducer: Search(find: { [$0] })) { run in
///     run.send(.queryChanged("s"))
///     run.send(.queryChanged("swift"))
///   } always: { state in state.results.isEmpty || state.results == [state.query] }
/// }
/// ```
///
/// State and reducer are made again for each schedule. If mocks have state, make them in the body of
/// `explore(schedules:search:reduction:delivery:faults:seed:steps:deadlines:replaying:_:)` instead.
///
/// - Parameters:
///   - initialState: the state before any action.
///   - reducer: the feature's logic.
///   - carried: the task-locals that runs have as the script had them where their action was sent; see
///     ``/EffectRuntime/CarriedValue``.
///   - requirements: what must hold for its work.
///   - sometimes: named states, each of which at least one schedule must reach by a reduction: `["both loaded": { $0.isFull }]`.
///     They show that the script leads to the states that the other properties are about. A replay does not check them.
///   - schedules: how many schedules may be run.
///   - search: in which order schedules are tried.
///   - reduction: whether schedules are left out that differ from others only in the order of independent steps. If no part of
///     the search can be reduced, that is a failure.
///   - delivery: when messages are taken from the mailbox.
///   - faults: what goes wrong in some schedules.
///   - seed: the seed of all random choices.
///   - steps: how many steps a schedule may have. A schedule with more is cut, and proves nothing.
///   - deadlines: how many deadlines may fire in a schedule. A schedule with more is cut, and proves nothing.
///   - replaying: the schedule of a failure, from its text: only this one is run. It includes its grain; `delivery` and
///     `faults` must be those of the call that found it, and its text names them.
///   - script: what the user and the system do.
///   - always: must hold for the state after each reduction.
///   - eventually: must hold at some point of each schedule that reaches its end; the beginning counts.
///   - finally: must hold when nothing can happen any more.
///   - fileID: the file a failure is shown in.
///   - filePath: likewise.
///   - line: the line it is shown at.
///   - column: likewise.
/// - Returns: how many schedules there were, and whether these are all. If `EFFECTS_EXPLORE_FAILURES` names a directory, and a
///   schedule that an earlier run has saved there fails again, the result is about this one schedule only.
/// - Ordering: runs execute on an executor of the schedule's own, one job at a time, on the caller's thread. Nothing
///   waits in real time, unless a run leaves for the main actor, a detached task or the outside world. This is reported
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
  initialState: @autoclosure () -> R.State, reducer: @autoclosure () -> R, carrying carried: [CarriedValue] = [],
  requiring requirements: [Exploration.Requirement<R.State>] = [],
  sometimes: KeyValuePairs<String, (R.State) -> Bool> = [:], schedules: Int = 10_000,
  search: Exploration.Search = .standard, reduction: Exploration.Reduction = .none,
  delivery: Exploration.Delivery = .anyTime, faults: Exploration.Faults = .none, seed: UInt64 = 1, steps: Int = 1_000,
  deadlines: Int = 20,
  replaying: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ script: nonisolated(nonsending) (Exploration.Script<R.Action>) async -> Void,
  always: ((R.State) -> Bool)? = nil, eventually: ((R.State) -> Bool)? = nil, finally: ((R.State) -> Bool)? = nil
) async -> Exploration {
  await explore(
    schedules: schedules, search: search, reduction: reduction, delivery: delivery, faults: faults, seed: seed,
    steps: steps,
    deadlines: deadlines,
    replaying: replaying, fileID: fileID, filePath: filePath, line: line, column: column
  ) { schedule in
    let run = schedule.store(
      initialState: initialState(), reducer: reducer(), carrying: carried, requiring: requirements,
      sometimes: sometimes,
      always: always, eventually: eventually, finally: finally)
    await script(run)
  }
}

/// Runs a body under every order that the effects of its store can take. The whole body, including mocks, is executed
/// again for each schedule.
///
/// ```swift
/// await explore { schedule in
///   let api = Api()                                             // an actor with state
///   let run = schedule.store(
///     initialState: .init(), reducer: Search(find: api.find), always: { $0.results.count < 10 })
///   run.send(.queryChanged("swift"))
/// }
/// ```
///
/// The rest is as with `explore(initialState:reducer:)`.
///
/// - Parameters:
///   - schedules: how many schedules may be run.
///   - search: in which order schedules are tried.
///   - reduction: whether schedules are left out that differ from others only in the order of independent steps. If no
///     part of the search can be reduced, that is a failure.
///   - delivery: when messages are taken from the mailbox.
///   - faults: what goes wrong in some schedules.
///   - seed: the seed of all random choices.
///   - steps: how many steps a schedule may have. A schedule with more is cut, and proves nothing.
///   - deadlines: how many deadlines may fire in a schedule. A schedule with more is cut, and proves nothing.
///   - replaying: the schedule of a failure, from its text: only this one is run.
///   - fileID: the file a failure is shown in.
///   - filePath: likewise.
///   - line: the line it is shown at.
///   - column: likewise.
///   - body: makes the store and what it works with, and then acts as the user and the system. Called once for each
///     schedule, so everything with state is made in it.
@discardableResult
public nonisolated(nonsending) func explore(
  schedules: Int = 10_000, search: Exploration.Search = .standard, reduction: Exploration.Reduction = .none,
  delivery: Exploration.Delivery = .anyTime, faults: Exploration.Faults = .none, seed: UInt64 = 1,
  steps: Int = 1_000, deadlines: Int = 20, replaying: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: nonisolated(nonsending) (Exploration.Schedule) async -> Void
) async -> Exploration {
  let call = ExplorationCall(
    budget: schedules, search: search, reduction: reduction, seed: seed,
    settings: ScheduleRunner.Settings(
      isEager: delivery == .eager, stepLimit: steps, deadlineLimit: deadlines, faults: faults),
    replaying: replaying, location: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return await call.explore(body) { await $0.search(body) }
}

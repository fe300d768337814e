// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// Runs a feature under every order that its effects, deliveries and deadlines can take, on several cores.
///
/// ```swift
/// await explore(cores: 4, initialState: .init(), reducer: Search(find: { [$0] }), search: .depthFirst(.everyJob)) { run in
///   run.send(.queryChanged("s"))
///   run.send(.queryChanged("swift"))
/// } always: { state in state.results.isEmpty || state.results == [state.query] }
/// ```
///
/// The result, the failure and its text are the same for any number of cores, and for each run. The search is cut into
/// parts that do not depend on the number, and the failure is that of the first part that has one. A part that is searched
/// with `reduction: .independentSteps` is not cut any further, and so uses one core.
///
/// The closures are called from several threads at once. State, reducer, requirements and mocks are made again for each schedule.
/// Memory that these share, for example a mock that was made outside, makes schedules depend on each other: the explorer
/// reports what it notices of that.
///
/// - Parameters:
///   - cores: how many schedules are run at a time, at least 1. More than the machine has do not help.
///   - initialState: the state before any action.
///   - reducer: the feature's logic.
///   - carried: the task-locals that runs have as the script had them where their action was sent; see
///     ``/EffectRuntime/CarriedValue``.
///   - requirements: what must hold for its work.
///   - sometimes: named states, each of which at least one schedule must reach by a reduction.
///   - schedules: how many schedules may be run, in all parts together.
///   - search: in which order schedules are tried. A random search takes other random numbers every 500 schedules, so it
///     tries other schedules than `explore` without `cores`.
///   - reduction: whether schedules are left out that differ from others only in the order of independent steps.
///   - delivery: when messages are taken from the mailbox.
///   - faults: what goes wrong in some schedules.
///   - seed: the seed of all random choices.
///   - steps: how many steps a schedule may have. A schedule with more is cut, and proves nothing.
///   - deadlines: how many deadlines may fire in a schedule. A schedule with more is cut, and proves nothing.
///   - replaying: the schedule of a failure, from its text: only this one is run, on one core.
///   - fileID: the file a failure is shown in.
///   - filePath: likewise.
///   - line: the line it is shown at.
///   - column: likewise.
///   - script: what the user and the system do.
///   - always: must hold for the state after each reduction.
///   - eventually: must hold at some point of each schedule that reaches its end; the beginning counts.
///   - finally: must hold when nothing can happen any more.
/// - Returns: how many schedules there were, and whether these are all. Schedules that were run beyond a failure or the budget
///   are not counted.
/// - Ordering: each schedule runs on one thread, one job at a time.
/// - Isolation: the schedules run in child tasks without isolation; a failure is explained on the caller's.
/// - Cancellation: a cancelled caller runs no further schedule.
/// - Errors: as `explore(initialState:reducer:)`, and a number of cores below 1.
@inlinable
@discardableResult
public nonisolated(nonsending) func explore<R: Reducer>(
  cores: Int, initialState: @autoclosure @escaping @Sendable () -> R.State,
  reducer: @autoclosure @escaping @Sendable () -> R, carrying carried: [CarriedValue] = [],
  requiring requirements: @autoclosure @escaping @Sendable () -> [Exploration.Requirement<R.State>] = [],
  sometimes: @autoclosure @escaping @Sendable () -> KeyValuePairs<String, (R.State) -> Bool> = [:],
  schedules: Int = 10_000, search: Exploration.Search = .standard, reduction: Exploration.Reduction = .none,
  delivery: Exploration.Delivery = .anyTime, faults: Exploration.Faults = .none, seed: UInt64 = 1, steps: Int = 1_000,
  deadlines: Int = 20,
  replaying: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  _ script: nonisolated(nonsending) @escaping @Sendable (Exploration.Script<R.Action>) async -> Void,
  always: (@Sendable (R.State) -> Bool)? = nil, eventually: (@Sendable (R.State) -> Bool)? = nil,
  finally: (@Sendable (R.State) -> Bool)? = nil
) async -> Exploration {
  await explore(
    cores: cores, schedules: schedules, search: search, reduction: reduction, delivery: delivery, faults: faults,
    seed: seed, steps: steps, deadlines: deadlines, replaying: replaying, fileID: fileID, filePath: filePath,
    line: line, column: column
  ) { schedule in
    let run = schedule.store(
      initialState: initialState(), reducer: reducer(), carrying: carried, requiring: requirements(),
      sometimes: sometimes(), always: always, eventually: eventually, finally: finally)
    await script(run)
  }
}

/// Runs a body under every order that the effects of its store can take, on several cores. The whole body, including mocks, is
/// executed again for each schedule, on several threads at once.
///
/// ```swift
/// await explore(cores: 2) { schedule in
///   let api = Api()                                             // an actor with state
///   let run = schedule.store(
///     initialState: .init(), reducer: Search(find: api.find), always: { $0.results.count < 10 })
///   run.send(.queryChanged("swift"))
/// }
/// ```
///
/// The rest is as with `explore(cores:initialState:reducer:)`.
///
/// - Parameters:
///   - cores: how many schedules are run at a time, at least 1.
///   - schedules: how many schedules may be run, in all parts together.
///   - search: in which order schedules are tried.
///   - reduction: whether schedules are left out that differ from others only in the order of independent steps.
///   - delivery: when messages are taken from the mailbox.
///   - faults: what goes wrong in some schedules.
///   - seed: the seed of all random choices.
///   - steps: how many steps a schedule may have. A schedule with more is cut, and proves nothing.
///   - deadlines: how many deadlines may fire in a schedule. A schedule with more is cut, and proves nothing.
///   - replaying: the schedule of a failure, from its text: only this one is run, on one core.
///   - fileID: the file a failure is shown in.
///   - filePath: likewise.
///   - line: the line it is shown at.
///   - column: likewise.
///   - body: makes the store and what it works with, and then acts as the user and the system.
@discardableResult
public nonisolated(nonsending) func explore(
  cores: Int, schedules: Int = 10_000, search: Exploration.Search = .standard,
  reduction: Exploration.Reduction = .none,
  delivery: Exploration.Delivery = .anyTime, faults: Exploration.Faults = .none, seed: UInt64 = 1,
  steps: Int = 1_000, deadlines: Int = 20, replaying: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: nonisolated(nonsending) @escaping @Sendable (Exploration.Schedule) async -> Void
) async -> Exploration {
  let call = ExplorationCall(
    budget: schedules, search: search, reduction: reduction, seed: seed,
    settings: ScheduleRunner.Settings(
      isEager: delivery == .eager, stepLimit: steps, deadlineLimit: deadlines, faults: faults),
    replaying: replaying, location: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return await call.explore(body) { explorer in
    if cores < 1 {
      explorer.result.failure = ""
      explorer.failureText = FailureText.noCores(cores)
    } else {
      await explorer.search(cores: cores, { call.explorer(budget: $0) }, body)
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// Runs a feature under every order that its effects, deliveries and deadlines can take, on several cores.
///
/// ```swift
/// await explore(cores: 4, initialState: .init(), reducer: Search(find: { [$0] })) { run in
///   run.send(.queryChanged("s"))
///   run.send(.queryChanged("swift"))
/// } always: { state in state.results.isEmpty || state.results == [state.query] }
/// ```
///
/// The result, the failure and its text are the same for any number of cores, and for each run. The search is cut into
/// parts that do not depend on the number, and the failure is that of the first part that has one.
///
/// The closures are called from several threads at once. State, reducer, requirements and mocks are made again for each schedule.
/// Memory that these share, for example a mock that was made outside, makes schedules depend on each other: the explorer
/// reports what it notices of that.
///
/// - Parameters:
///   - cores: how many schedules are run at a time, at least 1. More than the machine has do not help.
///   - initialState: the state before any action.
///   - reducer: the feature's logic.
///   - requirements: what must hold for its work.
///   - sometimes: named states, each of which at least one schedule must reach by a reduction.
///   - faults: what goes wrong in some schedules.
///   - budget: how long the search may go on, with all parts together. If it is a duration, how far the search comes depends on
///     the number of cores as well.
///   - options: what few explorations need to say. Random choices differ from those of `explore` without `cores`.
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
  reducer: @autoclosure @escaping @Sendable () -> R,
  requiring requirements: @autoclosure @escaping @Sendable () -> [Exploration.Requirement<R.State>] = [],
  sometimes: @autoclosure @escaping @Sendable () -> KeyValuePairs<String, (R.State) -> Bool> = [:],
  faults: Exploration.Faults = .none, budget: Exploration.Budget = .schedules(10_000),
  options: Exploration.Options = .init(),
  replaying: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  _ script: nonisolated(nonsending) @escaping @Sendable (Exploration.Script<R.Action>) async -> Void,
  always: (@Sendable (R.State) -> Bool)? = nil, eventually: (@Sendable (R.State) -> Bool)? = nil,
  finally: (@Sendable (R.State) -> Bool)? = nil
) async -> Exploration {
  await explore(
    cores: cores, faults: faults, budget: budget, options: options, replaying: replaying, fileID: fileID,
    filePath: filePath,
    line: line, column: column
  ) { schedule in
    let run = schedule.store(
      initialState: initialState(), reducer: reducer(), requiring: requirements(),
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
///   - faults: what goes wrong in some schedules.
///   - budget: how long the search may go on, with all parts together.
///   - options: what few explorations need to say.
///   - replaying: the schedule of a failure, from its text: only this one is run, on one core.
///   - fileID: the file a failure is shown in.
///   - filePath: likewise.
///   - line: the line it is shown at.
///   - column: likewise.
///   - body: makes the store and what it works with, and then acts as the user and the system.
@discardableResult
public nonisolated(nonsending) func explore(
  cores: Int, faults: Exploration.Faults = .none, budget: Exploration.Budget = .schedules(10_000),
  options: Exploration.Options = .init(), replaying: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: nonisolated(nonsending) @escaping @Sendable (Exploration.Schedule) async -> Void
) async -> Exploration {
  let call = ExplorationCall(
    budget: budget, options: options, faults: faults, replaying: replaying,
    location: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  return await call.explore(body) { explorer in
    if cores < 1 {
      explorer.result.failure = ""
      explorer.failureText = FailureText.noCores(cores)
    } else {
      await explorer.search(cores: cores, { call.explorer(budget: $0) }, body)
    }
  }
}

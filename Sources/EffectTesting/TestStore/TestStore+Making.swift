// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

extension TestStore {
  /// Makes a test store.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic, with dependencies fit for a test.
  ///   - carried: the task-locals that runs have as the step that sent their action had them; see ``/EffectRuntime/CarriedValue``.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at.
  ///   - column: likewise.
  @inlinable
  public convenience init(
    initialState: R.State, reducer: R, carrying carried: [CarriedValue] = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where R.State: Equatable {
    // Made here, where a release build knows the types of the feature.
    let clock = TestClock()
    self.init(
      initialState: initialState, reducer: reducer,
      comparison: StateComparison(
        areEqual: { Sameness.areSame($0, $1) }, isUnchanged: { Sameness.isUnchanged($0, from: $1) }),
      executor: TestExecutor(), clock: clock,
      mailbox: Mailbox(time: TimeSource(clock), carried: CarriedContexts.make(carried)),
      at: TestLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Makes a test store for a state that is not `Equatable`, or of which only a part is to be compared.
  ///
  /// ```swift
  /// let store = TestStore(initialState: Player.State(), reducer: Player(), comparing: \.position)
  /// store.send(.skipped) { $0.position = .seconds(15) }
  /// ```
  ///
  /// The closures of steps are given the whole state, as always. What they set outside of the compared part is not
  /// compared, and neither is what the feature changes there: a failure about the state says so.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic, with dependencies fit for a test.
  ///   - part: takes what is compared out of a state: a key path, or a closure without side effects. To compare several
  ///     properties, return a struct of them that is `Equatable`. Called several times in each step.
  ///   - carried: the task-locals that runs have as the step that sent their action had them; see ``/EffectRuntime/CarriedValue``.
  ///   - fileID: the file a failure is shown in.
  ///   - filePath: likewise.
  ///   - line: the line it is shown at. A failure quotes the argument from this line or those below it.
  ///   - column: likewise.
  public convenience init<Part: Equatable>(
    initialState: R.State, reducer: R, comparing part: @escaping (R.State) -> Part,
    carrying carried: [CarriedValue] = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(
      initialState: initialState, reducer: reducer, comparison: StateComparison(part, at: location),
      executor: TestExecutor(), carrying: carried, at: location)
  }

  /// For the compiler's message where the state is not `Equatable`. Without this, the message does not say what to do.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic.
  @available(*, unavailable, message: "states are compared: let State be Equatable, or add comparing:")
  public convenience init(initialState: R.State, reducer: R) {
    fatalError("TestStore: an unavailable initialiser was called; bug in EffectTesting, please report")
  }

  /// Makes a test store that uses an executor of the caller.
  ///
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic.
  ///   - executor: the executor of the runs; used by no other store.
  ///   - location: where a failure is shown.
  package convenience init(initialState: R.State, reducer: R, executor: TestExecutor, at location: TestLocation)
  where R.State: Equatable {
    self.init(
      initialState: initialState, reducer: reducer, comparison: StateComparison(), executor: executor, at: location)
  }

  convenience init(
    initialState: R.State, reducer: R, comparison: StateComparison<R.State>, executor: TestExecutor,
    carrying carried: [CarriedValue] = [], at location: TestLocation
  ) {
    let clock = TestClock()
    self.init(
      initialState: initialState, reducer: reducer, comparison: comparison, executor: executor, clock: clock,
      mailbox: Mailbox(time: TimeSource(clock), carried: CarriedContexts.make(carried)), at: location)
  }
}

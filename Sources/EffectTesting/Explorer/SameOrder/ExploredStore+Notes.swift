// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import EffectRuntime

// What is noted of a schedule whose failure is explained.
extension ExploredStore {
  /// Reduces the next action of the turn, and notes how it changed the state.
  @usableFromInline
  func continueNoted() {
    guard let notes else { return handle(.continueTurn) }
    let before = state
    handle(.continueTurn)
    notes.noteChange(from: before, to: state)
  }

  /// The task of a run was made.
  @usableFromInline
  func noteStart(of token: Token) {
    guard let notes, let run = scheduler.tracedSender(token) else { return }
    notes.noteStart(of: token, number: run.number)
  }

  /// The schedule as a test of a test store.
  @usableFromInline
  func test(violating violation: Violation) -> ScheduleTest? {
    guard let notes else { return nil }
    var obstacle: String?
    if !runner.schedule.strikes.isEmpty {
      obstacle = "faults were injected"
    } else if runner.schedule.steps.contains(where: { $0.kind == .jobPart }) {
      obstacle = "a run stops between two lines"
    } else if !runner.carried.isEmpty {
      obstacle = "the store carries task-locals"
    } else if executor.hasStrangers {
      obstacle = "work comes back from outside"
    } else if !script.steps.allSatisfy(\.isPlain) {
      obstacle = "the script does more than send actions and let time pass"
    }
    return ScheduleTest(of: events, notes, violation, obstacle: obstacle)
  }
}

extension ScheduleRunner {
  /// The notes of a store that is made; `nil` if none are taken.
  @usableFromInline
  func notes<R: Reducer>(_ initialState: R.State, _ reducer: R) -> ScheduleNotes? {
    mode.detail == .test ? ScheduleNotes(initialState, reducer, clock) : nil
  }
}

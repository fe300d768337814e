// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime

extension ScheduleRunner {
  /// What the runner asks of the store of a schedule: one closure for each operation, compiled for the store's reducer.
  ///
  /// Not methods of a class: those of a generic class are compiled once for all reducers, and take several times as long.
  @usableFromInline
  final class Operations {
    // Taking steps.
    let post: (Int) -> Void
    let take: () -> Void
    let takeEnd: (Int) -> Void
    /// Takes what needs no choice. Returns whether a message waits then.
    let absorb: () -> Bool
    let fireAlarm: () -> Void
    /// A deadline has come: if it is the time limit of a shutdown, that returns.
    let cutShutdown: (UInt64) -> Void
    /// A job is over: cancels the runs that have suspended and are to be cancelled by a fault.
    let cancelSuspended: () -> Void
    /// Ends everything. Returns whether no work is left.
    let tearDown: () -> Bool

    // What can happen.
    let nextAlarm: () -> Alarm?
    /// Whether only turns can show when this end, which was set aside, is taken.
    let isQuiet: (_ end: Int) -> Bool

    // When nothing can happen any more.
    /// Checks what must hold at the end.
    let checkEnd: () -> Void
    /// Fails if a run waits for an answer of a mock.
    let checkAnswers: () -> Void
    /// The runs that wait, that no requirement allows to wait, and that do not wait for a mock.
    let unexplained: () -> [LiveRun]
    /// The senders of the script that wait for something, by their names in a failure.
    let waitingSenders: () -> [String]
    /// Whether a closure has returned whose end has not been taken yet.
    let holdsEnd: (Token) -> Bool

    // For a search of states.
    /// All that can influence what comes, as a hash; `nil` if it is not known.
    let fingerprint: () -> StateKey?
    /// Whether a run was cancelled, and no code can observe when its closure goes on.
    let isForgotten: (Token) -> Bool
    /// Whether this will be so when the run is cancelled, if there are no faults.
    let canBeForgotten: (Token) -> Bool

    // For the result.
    /// Whether an action of the script was reduced.
    let hasReduced: () -> Bool
    let events: () -> [TraceEvent<any Sendable>]
    let stateText: () -> String
    /// The schedule as a test of a test store; `nil` if no notes were taken.
    let test: (Violation) -> ScheduleTest?

    @usableFromInline
    init(
      post: @escaping (Int) -> Void, take: @escaping () -> Void, takeEnd: @escaping (Int) -> Void,
      absorb: @escaping () -> Bool, fireAlarm: @escaping () -> Void, cutShutdown: @escaping (UInt64) -> Void,
      cancelSuspended: @escaping () -> Void, tearDown: @escaping () -> Bool, nextAlarm: @escaping () -> Alarm?,
      isQuiet: @escaping (Int) -> Bool,
      checkEnd: @escaping () -> Void, checkAnswers: @escaping () -> Void, unexplained: @escaping () -> [LiveRun],
      waitingSenders: @escaping () -> [String], holdsEnd: @escaping (Token) -> Bool,
      fingerprint: @escaping () -> StateKey?, isForgotten: @escaping (Token) -> Bool,
      canBeForgotten: @escaping (Token) -> Bool, hasReduced: @escaping () -> Bool,
      events: @escaping () -> [TraceEvent<any Sendable>], stateText: @escaping () -> String,
      test: @escaping (Violation) -> ScheduleTest?
    ) {
      (self.post, self.take, self.takeEnd, self.absorb, self.fireAlarm) = (post, take, takeEnd, absorb, fireAlarm)
      (self.cutShutdown, self.cancelSuspended, self.tearDown) = (cutShutdown, cancelSuspended, tearDown)
      (self.nextAlarm, self.isQuiet) = (nextAlarm, isQuiet)
      (self.checkEnd, self.checkAnswers) = (checkEnd, checkAnswers)
      (self.unexplained, self.waitingSenders, self.holdsEnd) = (unexplained, waitingSenders, holdsEnd)
      (self.fingerprint, self.isForgotten, self.canBeForgotten) = (fingerprint, isForgotten, canBeForgotten)
      (self.hasReduced, self.events, self.stateText, self.test) = (hasReduced, events, stateText, test)
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Exploration {
  /// The script of an exploration: what the user and the system do, in this order. Everything else happens in between.
  ///
  /// ```swift
  /// await explore(initialState: .init(), reducer: Search(find: { [$0] })) { script in
  ///   script.send(.queryChanged("s"))
  ///   script.send(.queryChanged("swift"))
  /// } always: { state in state.results.isEmpty || state.results == [state.query] }
  /// ```
  ///
  /// Nothing happens while the script is built: its closure cannot read the state. A step that waits, such as
  /// ``finish(_:fileID:line:)``, waits when the schedule is played.
  ///
  /// - Isolation: the test's. Use it only inside the body that receives it.
  public struct Script<Action: Sendable> {
    @usableFromInline let script: ScriptSteps<Action>
    @usableFromInline let runner: ScheduleRunner
    /// The number of the sender.
    @usableFromInline let sender: Int

    @usableFromInline
    init(_ script: ScriptSteps<Action>, _ runner: ScheduleRunner, sender: Int = 0) {
      self.script = script
      self.runner = runner
      self.sender = sender
    }

    /// Sends an action, as code on another thread does: what was sent before is reduced before, and active effects may
    /// come first.
    ///
    /// - Parameters:
    ///   - action: what happens.
    ///   - fileID: the file that the trace of a failure shows for the action.
    ///   - line: likewise.
    /// - Returns: the action, for a `cancel(_:)` of all that it causes, and for ``finish(_:fileID:line:)``.
    @inlinable
    @discardableResult
    public func send(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) -> Exploration.SentAction {
      Exploration.SentAction(script, script.append(.send(action, CallSite(fileID: fileID, line: line)), by: sender))
    }

    /// Cancels the runs of ids, as a ``/EffectRuntime/StoreTask`` would, after what was sent before.
    ///
    /// It is a failure if it matches nothing in all schedules.
    ///
    /// - Parameters:
    ///   - id: an id; without one there is nothing to cancel, so one is required.
    ///   - ids: more of them.
    public func cancel<each ID: Hashable & Sendable>(_ id: some Hashable & Sendable, _ ids: repeat each ID) {
      var all = [EffectID(id)]
      repeat all.append(EffectID(each ids))
      script.append(.cancel(Set(all)), by: sender)
    }

    /// Lets at least this much virtual time pass between the step before and the step after it.
    ///
    /// Without it, any deadline may fire before or after the next step, because the script does not stop the explored
    /// clock. A duration of zero or less has no effect.
    ///
    /// - Parameter duration: how much time passes at least.
    public func advance(by duration: Duration) {
      script.append(.advance, advancing: duration, by: sender)
    }

    /// Returns a number from 0 up to, not including, the count: each in some schedule.
    ///
    /// - Parameter count: how many numbers there are. With less than 2 there is nothing to choose, and the result is 0.
    /// - Returns: the number that was chosen.
    public func choose(_ count: Int) -> Int { runner.choose(count) }
  }
}

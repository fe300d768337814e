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

    /// Sends up to `limit` of these actions, as the search chooses: each sequence of them, including the empty one, in
    /// some schedule. So you need not guess which script shows a bug.
    ///
    /// ```swift
    /// await explore(initialState: .init(), reducer: Feed(load: load)) { run in
    ///   run.send(anyOf: [.refresh, .more, .close], upTo: 4)
    /// } always: { $0.isConsistent }
    /// ```
    ///
    /// A failure shows the actions that are needed, as code for a script of its own. To find these, actions are left
    /// out or replaced by earlier ones of the list, as long as the same property is violated.
    ///
    /// - Parameters:
    ///   - actions: what may be sent, the simplest first. An empty list is a mistake, which traps.
    ///   - limit: how many are sent at most. Less than 1 is a mistake, which traps.
    ///   - fileID: the file that a trap names, and the line of each send.
    ///   - line: likewise.
    /// - Ordering: as ``send(_:fileID:line:)``. The actions are chosen while the body is executed.
    /// - Complexity: with `n` actions there are more than `n`^`k` scripts of up to `k` sends, each with all of its
    ///   orders. A random search, with which the standard search begins, finds what an exhaustive search would not
    ///   reach.
    public func send(anyOf actions: [Action], upTo limit: Int, fileID: StaticString = #fileID, line: UInt = #line) {
      // Not `precondition`: optimised builds would trap without a message.
      if actions.isEmpty {
        fatalError("Script.send(anyOf:upTo:): there is no action to choose", file: fileID, line: line)
      }
      if limit < 1 {
        fatalError("Script.send(anyOf:upTo:): upTo is \(limit); it is at least 1", file: fileID, line: line)
      }
      script.isGenerated = true
      for _ in 0..<limit {
        let choice = runner.choose(actions.count + 1)
        if choice == 0 { return }
        send(actions[choice - 1], fileID: fileID, line: line)
      }
    }

    /// Cancels the runs of ids, as a ``/EffectRuntime/StoreTask`` would, after what was sent before.
    ///
    /// It is a failure if it matches nothing in all schedules.
    ///
    /// - Parameters:
    ///   - id: an id; without one there is nothing to cancel, so one is required.
    ///   - ids: more of them.
    public func cancel(_ id: EffectID, _ ids: EffectID...) {
      script.append(.cancel(Set(ids).union([id])), by: sender)
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
    public func choose(_ count: Int) -> Int { runner.choose(count) }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

extension Exploration {
  /// The script of an exploration: what the user and the system do, in this order; everything else happens in between.
  ///
  /// ```swift
  /// await explore(initialState: .init(), reducer: Search(find: { [$0] })) { script in
  ///   script.send(.queryChanged("s"))
  ///   script.send(.queryChanged("swift"))
  /// } always: { state in state.results.isEmpty || state.results == [state.query] }
  /// ```
  ///
  /// Nothing happens while the script is written down: the state cannot be read in there, and none of its steps waits.
  ///
  /// - Isolation: the test's. Of use only inside of the body it is given to.
  public struct Script<Action: Sendable> {
    @usableFromInline let script: ScriptSteps<Action>
    @usableFromInline let world: World

    @usableFromInline
    init(_ script: ScriptSteps<Action>, _ world: World) {
      self.script = script
      self.world = world
    }

    /// Sends an action, as somebody does on another thread: what was sent before is reduced before, and the effects that run
    /// may come first.
    @inlinable
    public func send(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
      script.append(.send(action, CallSite(fileID: fileID, line: line)))
    }

    /// Cancels the runs of ids, as a ``/EffectRuntime/StoreTask`` would, behind what was sent before.
    ///
    /// That it matches nothing in any schedule is a failure.
    ///
    /// - Parameters:
    ///   - id: an id; without one there is nothing to cancel, so one is required.
    ///   - ids: more of them.
    public func cancel(_ id: EffectID, _ ids: EffectID...) {
      script.append(.cancel(Set(ids).union([id])))
    }

    /// Lets at least so much virtual time pass between the step before and the step behind.
    ///
    /// Without it any deadline may fire before the next step, or after: an explored clock is not held by the script. No time, or
    /// less, holds nothing.
    public func advance(by duration: Duration) {
      script.append(.advance, advancing: duration)
    }

    /// Answers with a number from 0 up to, not including, the count: each in some schedule.
    public func choose(_ count: Int) -> Int { world.choose(count) }
  }
}

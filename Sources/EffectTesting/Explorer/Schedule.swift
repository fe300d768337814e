// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

extension Exploration {
  /// One schedule of an exploration, while its body is executed: makes the store that is explored.
  ///
  /// - Isolation: the test's. Of use only inside of the body it is given to, which is executed anew for each schedule.
  public final class Schedule {
    @usableFromInline let world: World

    init(_ world: World) {
      self.world = world
    }

    /// The time of the schedule. A mock may sleep on it; it stands still while the body is executed.
    public var clock: TestClock { world.clock }

    /// Makes the store; once in a schedule.
    ///
    /// - Parameters:
    ///   - initialState: the state before any action.
    ///   - reducer: the feature's logic, with mocks that were made in this very body.
    ///   - requirements: what must hold of its work.
    ///   - always: must hold of the state after each reduction.
    ///   - eventually: must hold at some point of each schedule that comes to its end, at the beginning perhaps.
    ///   - finally: must hold when nothing can happen any more.
    /// - Returns: the script, which is empty.
    @inlinable
    public func store<R: Reducer>(
      initialState: R.State, reducer: R, requiring requirements: [Exploration.Requirement<R.State>] = [],
      always: ((R.State) -> Bool)? = nil, eventually: ((R.State) -> Bool)? = nil, finally: ((R.State) -> Bool)? = nil
    ) -> Run<R.Action> {
      let properties = ExploredProperties(
        always: always, eventually: eventually, finally: finally, requirements: requirements)
      if let store = world.spareFeature as? ExploredStore<R> {
        let script = store.reset(state: initialState, reducer: reducer, properties: properties)
        world.settleAgain(script)
        return Run(script, world)
      }
      let script = Script<R.Action>()
      let store = ExploredStore(
        state: initialState, reducer: reducer, script: script, properties: properties,
        mailbox: Mailbox(time: world.time), in: world)
      world.settle(
        store, script,
        World.Moves(
          post: { store.postNext($0) }, take: { store.takeNext() }, absorb: { store.absorbMail() },
          tearDown: { store.tearDown() }))
      return Run(script, world)
    }

    /// Answers with a number from 0 up to, not including, the count: each in some schedule. For what a mock answers, say.
    public func choose(_ count: Int) -> Int { world.choose(count) }
  }
}

/// The script of an exploration: what the user and the system do, in this order; everything else happens in between.
///
/// ```swift
/// await explore(initialState: .init(), reducer: Search(find: { [$0] })) { run in
///   run.send(.queryChanged("s"))
///   run.send(.queryChanged("swift"))
/// } always: { state in state.results.isEmpty || state.results == [state.query] }
/// ```
///
/// Nothing happens while the script is written down: the state cannot be read in there, and none of its steps waits.
///
/// - Isolation: the test's. Of use only inside of the body it is given to.
public struct Run<Action: Sendable> {
  @usableFromInline let script: Script<Action>
  @usableFromInline let world: World

  @usableFromInline
  init(_ script: Script<Action>, _ world: World) {
    self.script = script
    self.world = world
  }

  /// Sends an action, as somebody does on another thread: what was sent before is reduced before, and the effects that run
  /// may come first.
  @inlinable
  public func send(_ action: Action, fileID: StaticString = #fileID, line: UInt = #line) {
    script.append(.send(action, CallSite(fileID: fileID, line: line)))
  }

  /// Cancels the runs of ids, as a ``/EffectRuntime/Dispatch`` would, behind what was sent before.
  public func cancel(_ ids: EffectID...) {
    script.append(.cancel(Set(ids)))
  }

  /// Lets at least so much virtual time pass between the step before and the step behind.
  ///
  /// Without it any deadline may fire before the next step, or after: an explored clock is not held by the script.
  public func advance(by duration: Duration) {
    script.append(.advance, advancing: duration)
  }

  /// Answers with a number from 0 up to, not including, the count: each in some schedule.
  public func choose(_ count: Int) -> Int { world.choose(count) }
}

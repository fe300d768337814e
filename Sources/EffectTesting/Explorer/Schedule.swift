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
    ) -> Exploration.Script<R.Action> {
      let properties = ExploredProperties(
        always: always, eventually: eventually, finally: finally, requirements: requirements)
      if let store = world.spareFeature as? ExploredStore<R> {
        let script = store.reset(state: initialState, reducer: reducer, properties: properties)
        world.settleAgain(script)
        return Exploration.Script(script, world)
      }
      let script = ScriptSteps<R.Action>()
      let store = ExploredStore(
        state: initialState, reducer: reducer, script: script, properties: properties,
        mailbox: Mailbox(time: world.time), in: world)
      world.settle(
        store, script,
        World.Moves(
          post: { store.postNext($0) }, take: { store.takeNext() }, takeEnd: { store.takeEnd($0) },
          absorb: { store.absorbMail() }, tearDown: { store.tearDown() }))
      return Exploration.Script(script, world)
    }

    /// Answers with a number from 0 up to, not including, the count: each in some schedule. For what a mock answers, say.
    public func choose(_ count: Int) -> Int { world.choose(count) }
  }
}

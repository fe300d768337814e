// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

extension Exploration {
  /// One schedule of an exploration, while its body is executed: makes the store that is explored, or runs code without one.
  ///
  /// - Isolation: the test's. Use it only inside the body that receives it, which is executed again for each schedule.
  public final class Schedule {
    @usableFromInline let runner: ScheduleRunner
    /// The runs of code without a store.
    var plan = PlainCode.Plan()

    init(_ runner: ScheduleRunner) {
      self.runner = runner
    }

    /// The time of the schedule. A mock may sleep on it; it stands still while the body is executed.
    public var clock: TestClock { runner.clock }

    /// Makes the store. Call this once in a schedule.
    ///
    /// - Parameters:
    ///   - initialState: the state before any action.
    ///   - reducer: the feature's logic, with mocks that were made in this body.
    ///   - requirements: what must hold for its work.
    ///   - sometimes: named states, each of which at least one schedule must reach by a reduction.
    ///   - always: must hold for the state after each reduction.
    ///   - eventually: must hold at some point of each schedule that reaches its end; the beginning counts.
    ///   - finally: must hold when nothing can happen any more.
    /// - Returns: the script, which is empty.
    @inlinable
    public func store<R: Reducer>(
      initialState: R.State, reducer: R,
      requiring requirements: [Exploration.Requirement<R.State>] = [],
      sometimes: KeyValuePairs<String, (R.State) -> Bool> = [:],
      always: ((R.State) -> Bool)? = nil, eventually: ((R.State) -> Bool)? = nil, finally: ((R.State) -> Bool)? = nil
    ) -> Exploration.Script<R.Action> {
      let properties = ExploredProperties(
        always: always, eventually: eventually, finally: finally, sometimes: sometimes, requirements: requirements)
      if !sometimes.isEmpty { runner.expect(sometimes) }
      if !requirements.isEmpty { runner.expect(requirements) }
      let carried = runner.carried
      if carried.isEmpty, let store = runner.spareFeature as? ExploredStore<R>, store.isReusable {
        let script = store.reset(state: initialState, reducer: reducer, properties: properties)
        runner.useSpare(script)
        return Exploration.Script(script, runner)
      }
      let script = ScriptSteps<R.Action>()
      let contexts = CarriedContexts.make(carried)
      script.carried = contexts
      let notes = runner.notes(initialState, reducer)
      let store = ExploredStore(
        state: initialState, reducer: reducer, script: script, properties: properties,
        mailbox: Mailbox(time: runner.time, carried: contexts) { [executor = runner.executor] mailbox, action, token in
          notes?.noteSend(by: token)
          executor.noteSend(of: action)
          guard executor.willSend(by: token) else { return mailbox.post(.sent(action, by: token)) }
          defer { executor.hasSent(by: token) }
          return mailbox.post(.sent(action, by: token))
        }, in: runner, notes: notes)
      runner.use(store, script, store.operations)
      return Exploration.Script(script, runner)
    }

    /// The closures of the store share no memory that begins with the schedule.
    @usableFromInline
    func sharesNothing() { runner.shareNothing() }

    /// Returns a number from 0 up to, not including, the count: each in some schedule. For example for the answer of a
    /// mock.
    ///
    /// - Parameter count: how many numbers there are. With less than 2 there is nothing to choose, and the result is 0.
    /// - Returns: the number that was chosen.
    public func choose(_ count: Int) -> Int { runner.choose(count) }
  }
}

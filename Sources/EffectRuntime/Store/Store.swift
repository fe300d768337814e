// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// Holds a feature's state, reduces its actions one at a time, and runs its effects.
///
/// ```swift
/// let store = Store(initialState: Search.State(), reducer: Search(find: search))
/// store.send(.queryChanged("swift"))                        // from anywhere, without waiting
/// await store.send(.queryChanged("swift 6")).finish()       // or wait for all it caused
/// for await results in store.values(\.results) { ... }
/// ```
///
/// - Ordering: actions of one sender are reduced in the order sent, each with all the `.send` effects it causes as one
///   turn (rules T1 to T3).
/// - Isolation: one type for all isolations. By default a store has an executor of its own; given an actor, it runs on
///   the actor's executor: `isolation: MainActor.shared` for a user interface, `isolation: self` inside an actor. On
///   that isolation `send(_:)` reduces before it returns. A view reads fields through an ``ObservableStore``. Other
///   synchronous code of that isolation reads without waiting with `store.assumeIsolated { $0.state }`, and
///   asynchronous code uses `await store.state`.
/// - Lifetime: effects do not keep the store alive. When its last reference is released, all runs are cancelled and
///   what still waits is dropped (rule E7). An actor that keeps a store made with `isolation: self` forms a cycle. Give
///   the store an isolation of its own, or set the property to `nil` when done.
public final actor Store<R: Reducer> {
  // The isolation may be any actor; this store runs where that actor runs.
  @usableFromInline nonisolated let isolation: any Actor
  @usableFromInline nonisolated let mailbox: Mailbox<R.Action>
  @usableFromInline nonisolated let observers = Observers()
  @usableFromInline nonisolated let hub: TraceHub<R.Action>
  @usableFromInline nonisolated let runs = RunPool<R.Action>()
  /// Handles each failure: the user's handler, or the default one.
  @usableFromInline let onFailure: @Sendable (EffectFailure) -> Void
  /// How many messages or actions a scheduled drain takes before it yields the executor (rule T6).
  @usableFromInline let drainBudget: Int
  /// Takes a slice of the waiting messages; `true` if messages may remain. Made where the store is made, so that it is
  /// compiled for this reducer.
  let slice: @Sendable (isolated Store<R>) -> Bool

  /// The feature's state. From another isolation: `await store.state`, if the state is `Sendable`.
  ///
  /// - Ordering: what was accepted before is reduced first, with its whole turn, so a sender sees the result of its
  ///   action. Runs that are active are not waited for; use ``StoreTask/finish()`` for that. In code that the store
  ///   calls while it works (a listener, an observer, `onFailure`, a cancellation handler), nothing is reduced first.
  /// - Isolation: the store's. Inside `reduce` it traps: use the state that `reduce` was given. It also traps in other
  ///   code that the store calls while it is being changed: `==` and `hash` of an id or input, the condition of a
  ///   cancel or a retry, the `deinit` of an action, effect or id.
  /// - Complexity: O(1), plus the reductions of what waits.
  public var state: R.State {
    drainBeforeReading()
    return present
  }

  /// The present state; nothing that waits is reduced.
  var present: R.State {
    if phase.value == .reducing {
      fatalError("Store: `state` was read inside `reduce`; use the one `reduce` was given")
    }
    if phase.value == .comparing {
      fatalError(
        """
        Store: `state` was read while the store compared ids, called a condition or released an action; `==` and `hash` of an id or \
        input, the condition of a cancel or a retry, and the `deinit` of an action, effect or id must not query the store
        """)
    }
    return core.value.engine.state
  }
  /// What only the store's isolation uses. Its memory is freed by `deinit`.
  @usableFromInline let core: UncheckedCell<Core<R>>
  /// What the store is doing. It has memory of its own, because other code reads it while the whole core is being
  /// accessed.
  @usableFromInline let activity = UncheckedCell(Activity())
  /// Which user code the engine is calling. It has memory of its own for the same reason.
  @usableFromInline let phase = UncheckedCell(EnginePhase.resting)
  /// The runs that a shutdown cancelled.
  nonisolated let cutShort = Lock<[EffectRun]>([])
  /// How many timers have been set; numbers them.
  var timersSet: UInt64 = 0

  /// Makes a store. Nothing runs until an action is sent.
  ///
  /// - Isolation: usable from anywhere.
  /// - Complexity: O(1).
  /// - Parameters:
  ///   - initialState: the state before any action.
  ///   - reducer: the feature's logic.
  ///   - isolation: where to reduce: an actor of the store's own, `MainActor.shared`, or any other actor.
  ///   - clock: the clock of runs: of their time, their sleeps and time modifiers.
  ///   - onFailure: called on the store's isolation for each ``EffectFailure``: an error that no `catch` handled, or a
  ///     mistake in how effects are used. ``EffectFailure/kind`` says which. By default a failure is
  ///     printed to standard error in debug builds: once in the process for each kind of failure of a line of source,
  ///     each pair of lines that conflict, and each text about a rejected assignment. In release builds nothing is printed.
  ///   - carried: the task-locals that runs have as the sender of their action had them; see ``CarriedValue``.
  @inlinable
  public init(
    initialState: sending R.State, reducer: sending R, isolation: any Actor = OwnIsolation(),
    clock: any Clock<Duration> = ContinuousClock(), carrying carried: [CarriedValue] = [],
    onFailure: (@Sendable (EffectFailure) -> Void)? = nil
  ) {
    self.init(
      initialState: initialState, reducer: reducer, isolation: isolation,
      mailbox: Mailbox(time: TimeSource(clock), carried: CarriedContexts.make(carried)),
      onFailure: onFailure, followUpLimit: 1_000_000, drainBudget: 256, slice: { store in store.drainSlice() })
  }

  /// Makes a store with other limits, for tests of these. The other parameters are those of the public initializer.
  ///
  /// - Parameters:
  ///   - followUpLimit: how many actions a turn may have before it is suspended (rule T5).
  ///   - drainBudget: how many messages or actions a scheduled drain takes before it yields the executor (rule T6).
  package init(
    initialState: sending R.State, reducer: sending R, isolation: any Actor = OwnIsolation(),
    clock: any Clock<Duration> = ContinuousClock(), onFailure: (@Sendable (EffectFailure) -> Void)? = nil,
    followUpLimit: Int, drainBudget: Int
  ) {
    self.init(
      initialState: initialState, reducer: reducer, isolation: isolation, mailbox: Mailbox(time: TimeSource(clock)),
      onFailure: onFailure, followUpLimit: followUpLimit, drainBudget: drainBudget,
      slice: { store in store.drainSlice() })
  }

  @usableFromInline
  init(
    initialState: sending R.State, reducer: sending R, isolation: any Actor, mailbox: Mailbox<R.Action>,
    onFailure: (@Sendable (EffectFailure) -> Void)?, followUpLimit: Int, drainBudget: Int,
    slice: @escaping @Sendable (isolated Store<R>) -> Bool
  ) {
    self.isolation = isolation
    self.onFailure = onFailure ?? FailureLog.shared.report
    self.drainBudget = drainBudget
    self.slice = slice
    let time = mailbox.time
    var engine = Engine(
      state: initialState, reducer: reducer, scheduler: Scheduler(now: { time.now }), pace: .whole,
      followUpLimit: followUpLimit, phase: phase)
    engine.isLate = true
    engine.carried = mailbox.carried
    engine.stackCounter.watchedRows = observers.watchedRows
    core = UncheckedCell(Core(engine))
    self.mailbox = mailbox
    hub = TraceHub(mailbox)
    mailbox.attach(self)
  }

  // SAFETY: the store keeps its isolation, so the executor is valid as long as the store exists.
  /// The executor of the isolation that the store was given.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe isolation.unownedExecutor }

  /// A copy of the scheduler, with all present work; for tests.
  var scheduler: Scheduler { core.value.engine.scheduler }

  /// Whether this store reduces on this actor.
  nonisolated func runs(on actor: any Actor) -> Bool { isolation === actor }

  deinit {
    // There is no other reference, so this needs no isolation. User code that runs now (cancellation handlers, the
    // release of captured objects) reaches only the mailbox, which is closed. No task is due to be cancelled, because
    // each slice ends by cancelling those. Runs that wait for the end of an open turn are among those that are
    // cancelled here. No waiter of an action remains, because a waiter keeps the store.
    let dropped = mailbox.close() + core.value.rest
    for run in core.value.running.elements { run?.cancel() }
    runs.close()
    activity.value.timer?.task.cancel()
    for message in dropped { message.storeIsGone() }
    core.value.engine.answerSender()
    observers.finish()
    hub.finish()
    core.free()
    activity.free()
    phase.free()
  }
}

/// An isolation that is not shared with other code; the default of a store.
public actor OwnIsolation {
  /// Makes an isolation.
  public init() {}
}

// MARK: - Sending

extension Store {
  /// Sends an action: synchronously, from any thread, without waiting.
  ///
  /// - Ordering: what was accepted before is reduced first. On the store's own isolation (a view and a store on the
  ///   main actor), the call returns after all of that, and the whole turn of this action, have been reduced.
  ///   On another isolation, and while the store is reducing, notifying or cancelling, the action is only enqueued.
  /// - Lifetime: once ``shutdown(_:)`` has been called, every call is refused; see ``StoreTask/isRefused``. Runs that
  ///   are still active send with their own ``/EffectCore/Send``, which is accepted until the store has ended.
  /// - Cancellation: the returned ``StoreTask`` waits for or cancels what the action causes.
  /// - Isolation: usable from anywhere. `isolation` is the caller's and is filled in by the compiler, as is the line,
  ///   which a ``trace`` reports.
  /// - Complexity: O(1), plus the reductions if they happen inline.
  /// - Parameters:
  ///   - action: the action. It is accepted before this returns.
  ///   - caller: the caller's isolation.
  ///   - fileID: the file that a trace names.
  ///   - line: the line that a trace names.
  /// - Returns: a ``StoreTask`` to wait for, or to cancel, what the action causes. You may discard it.
  @inlinable @inline(__always)
  @discardableResult
  public nonisolated func send(
    _ action: R.Action, isolation caller: (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) -> StoreTask {
    // Inlined and in two steps, so that nothing is retained for a dispatch that is discarded.
    let number =
      mailbox.isTraced || mailbox.carried != nil
      ? acceptNoted(action, from: caller, at: CallSite(fileID: fileID, line: line)) : accept(action, from: caller)
    return StoreTask(target: mailbox, number: number)
  }

  /// Accepts an action; returns the number of its dispatch, or 0 if it was refused.
  @inlinable
  nonisolated func accept(_ action: R.Action, from caller: (any Actor)?) -> UInt64 {
    if let caller, caller === isolation || caller === self { return sendInline(action) }
    let receipt = mailbox.post(action)
    if receipt.mustSchedule { scheduleDrain() }
    return receipt.number
  }

  /// Accepts an action from the store's own isolation, and reduces it unless the store is working. Returns the number
  /// of its dispatch, or 0 if it was refused.
  @inlinable
  nonisolated func sendInline(_ action: R.Action) -> UInt64 {
    assumeIsolated { store in
      // During a reduction or notification this only enqueues: reductions never overlap (rule T1).
      let receipt = store.mailbox.post(action, inline: !store.activity.value.isDraining)
      if receipt.mustSchedule { store.scheduleDrain() }
      if !store.activity.value.isDraining, receipt.number > 0 {
        store.drainInline(through: receipt.number, isSent: true)
      }
      return receipt.number
    }
  }
}

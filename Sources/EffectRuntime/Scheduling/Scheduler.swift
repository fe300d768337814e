// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// Every scheduling decision of a store, for any type of action: what follows when work arrives, ends or is cancelled.
///
/// Work forms a tree: a **dispatch** (what one sent action caused) contains **runs**, **sequences** (`concatenate`) and
/// **trees** (`cancellable`), and these contain further ones. The parts of a merge belong to the branch that the merge
/// is in. When its last part has settled, a sequence goes on, a tree settles, a dispatch is finished. What joined runs
/// cause belongs to a **share**, and so to several dispatches. Everything is iterative: trees may be a million levels
/// deep.
///
/// Each part below is a value with private state and tests of its own. The extensions of this type decide what happens
/// to which part in which order, and change a part only through its interface.
///
/// It does not depend on the action type, and so is compiled once. The ``Interpreter`` takes the parts of an effect out
/// of the nodes: it calls ``nextPart()`` after each input until there is none.
@usableFromInline
struct Scheduler: Sendable {
  /// The work that has not returned.
  var workTree = WorkTree()
  /// Finds work by id and by scope.
  var names = NameDirectory()
  /// What is still to be done of the input at hand.
  var steps = StepList()
  /// The action at hand and what it has caused so far.
  @usableFromInline var turn = Turn()
  /// The runs that others have joined.
  var sharedRuns = SharedRuns()
  /// The waiters of dispatches.
  var waits = Waits()
  /// The outcomes that are collected for requests.
  var collected = CollectedOutcomes()
  /// The errors whose `catch` closures execute.
  var caught = CaughtErrors()
  /// What waits for which moment.
  @usableFromInline var time: TimedWork
  /// The attempts of runs that have a time limit or may be retried.
  var attempts = RunAttempts()
  /// For queries and observers of statuses.
  var statuses = StatusBook()
  /// Which misuse has been reported.
  var misuse = MisuseLog()
  /// The outcome of work that is cancelled because of the input at hand.
  var endReason = EffectOutcome.cancelled(.byEffect)
  /// What has happened to runs, for listeners.
  @usableFromInline var notes = TraceNotes()
  /// Work whose slot was freed, and errors and outcomes that are not needed any more. Their release can run user code (a
  /// captured object's deinit), so they are the last output.
  @usableFromInline var released: [Released] = []
  /// What becomes outputs of the engine, in this order.
  @usableFromInline var commands: [Command] = []
  /// How many of the commands, from the first on, are known to be no reports; see `takeReports`.
  @usableFromInline var commandsWithoutReports = 0
  /// How many actions were not reduced, because their run was cancelled, replaced or had ended (rule E1), or because
  /// the branch of a `send` was cancelled.
  @usableFromInline var droppedActions = 0
  /// Whether a shutdown has cancelled all work: work that suspended turns still cause does not start.
  private(set) var isCutShort = false

  /// Makes a scheduler without work; see `Interpreter.init(now:number:)`.
  init(now: @escaping @Sendable () -> Duration, number: (@Sendable () -> UInt64)?) {
    time = TimedWork(clock: now, number: number)
  }

  /// A shutdown cancels all work: from now on no work starts.
  mutating func cutShort() { isCutShort = true }

  /// A part of an effect, and the branch it becomes a part of.
  @usableFromInline
  struct Part: Sendable {
    @usableFromInline let node: EffectNode
    /// Which child of the node it is.
    @usableFromInline let index: Int32
    @usableFromInline let parent: Token
  }
}

/// A decision that becomes an ``EngineOutput``.
@usableFromInline
package enum Command: Sendable {
  /// Make a task for the run. No output if the run was cancelled meanwhile: then `Scheduler.started(_:)` returns `nil`.
  case start(Token)
  /// Make a task for the `catch` closure of a run that threw. No output if the run was cancelled meanwhile.
  case recover(Token, any Error)
  /// Cancel the task of a run.
  case cancel(Token)
  /// An error without a `catch`, or a mistake in how effects are used.
  case report(EffectFailure)
  /// A dispatch has settled, for a waiter; with the outcomes of all it caused, if they were collected.
  case resume(Waiter, RequestOutcomes?)
  /// A wait that would never end is ended: answer the waiter `false`.
  case refuse(Waiter)
  /// A shutdown cancels a part of what a waiter waits for.
  case cutShort(Waiter)
}

/// The work of a freed slot, an error or collected outcomes, to be released and not read. Its release may run user code.
@usableFromInline
package struct Released: Sendable {
  private enum Thing { case work(Slots.Work), error(any Error), outcomes(RequestOutcomes) }
  private let thing: Thing
  init(_ work: Slots.Work) { thing = .work(work) }
  init(_ error: any Error) { thing = .error(error) }
  init(_ outcomes: RequestOutcomes) { thing = .outcomes(outcomes) }
}

extension Scheduler {
  /// Whether no slot is taken and nothing is kept.
  @usableFromInline var isPristine: Bool {
    workTree.count == 0 && names.count == 0 && !turn.isOpen && !notes.isOn
      && (!time.hasMoments || time.isEmpty && attempts.isEmpty)
      && misuse.isEmpty && collected.isEmpty && !waits.hasRuns
  }

  /// The description of an active run, for a report. Also of a run whose closure has run out of time and has not
  /// returned.
  func description(of token: Token) -> EffectRun? {
    guard let slot = closure(of: token), case .run(let operation) = workTree[slot] else { return nil }
    return EffectRun(operation)
  }

  /// The slot of a closure that has not returned: that of its run, or its own slot if the closure ran out of time.
  func closure(of token: Token) -> Int32? {
    workTree.contains(token) ? token.slot : attempts.closure(of: token)
  }

  /// Releases work later, when user code may run.
  mutating func release(_ work: Slots.Work) {
    released.append(Released(work))
  }

  /// Frees a slot, and releases its work later.
  mutating func free(_ index: Int32) {
    if notes.isOn { notes.forget(index) }
    released.append(Released(workTree.remove(index)))
  }
}

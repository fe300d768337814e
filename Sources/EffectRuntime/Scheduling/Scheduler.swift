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
/// It does not depend on the action type, and so is compiled once. The ``FollowUps`` of the engine take the parts of an
/// effect out of the nodes: they call ``nextPart()`` after each input until there is none.
@usableFromInline
package struct Scheduler: Sendable {
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
  /// Finds a run that others may join.
  var runsByInput = RunsByInput()
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
  /// What the shell is to do, in this order.
  @usableFromInline package internal(set) var outputs: [EngineOutput] = []
  /// How many of the outputs, from the first on, are known to be no reports; see `takeReports`.
  private var outputsWithoutReports = 0
  /// How many actions were not reduced, because their run was cancelled, replaced or had ended (rule E1), or because
  /// the branch of a `send` was cancelled.
  @usableFromInline package internal(set) var droppedActions = 0
  /// Whether a cancel that matches nothing looks for work of its id that begins later. This takes time, so only a test store does
  /// it.
  package var looksForLaterWork = false
  /// Whether a shutdown has cancelled all work: work that suspended turns still cause does not start.
  private(set) var isCutShort = false

  /// Makes a scheduler without work.
  ///
  /// - Parameters:
  ///   - now: the time of the shell's clock since it was made; read only for time modifiers.
  ///   - number: numbers the moments that are waited for, for a shell whose own sleepers are numbered with them (rule C3).
  package init(now: @escaping @Sendable () -> Duration = { .zero }, number: (@Sendable () -> UInt64)? = nil) {
    time = TimedWork(clock: now, number: number)
  }

  /// Cancels all work because of a shutdown. From now on no work starts, also not that of suspended turns.
  mutating func cancelForShutdown() {
    isCutShort = true
    cancel(.everything, within: .none, because: .shutdown)
  }

  /// A part of an effect, and the branch it becomes a part of.
  @usableFromInline
  struct Part: Sendable {
    @usableFromInline let node: EffectNode
    /// Which child of the node it is.
    @usableFromInline let index: Int32
    @usableFromInline let parent: Token
  }
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
  /// Whether a run has left its slot for its `catch` closure.
  @usableFromInline
  package func isRecovering(_ token: Token) -> Bool {
    workTree.contains(token) && workTree.isRecovering(token.slot)
  }

  /// Whether there is no work: no run, no queue, no closure that has not returned.
  package var isIdle: Bool { workTree.count == 0 }

  /// Whether there is something for the shell to do or to release.
  @inlinable
  var hasOutput: Bool { !outputs.isEmpty || !released.isEmpty }

  /// Whether no slot is taken and nothing is kept.
  @usableFromInline package var isPristine: Bool {
    isIdle && names.count == 0 && !turn.isOpen && !notes.isOn
      && (!time.hasMoments || time.isEmpty && attempts.isEmpty)
      && misuse.isEmpty && collected.isEmpty && !waits.hasRuns
  }

  /// The description of an active run, for a report. Also of a run whose closure has run out of time and has not
  /// returned.
  package func description(of token: Token) -> EffectRun? {
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

extension Scheduler {
  /// Releases the memory that a peak of work has taken, when little of the work remains. The shell calls it while no
  /// turn is open: outputs that were not taken may still name slots.
  ///
  /// - Parameter minimum: how many slots, or places of names, there may be without that any is released.
  /// - Returns: how many slots remain; `nil` if no memory was released.
  /// - Complexity: that of ``Slots/shrink(above:)``.
  mutating func shrink(above minimum: Int = 1_024) -> Int? {
    guard let size = workTree.shrink(above: minimum) else { return nil }
    names.shrink(to: size, above: minimum)
    sharedRuns.shrink(to: size)
    runsByInput.shrink(to: size)
    if time.isEmpty { time.shrink() }
    if attempts.isEmpty { attempts = RunAttempts() }
    if waits.isEmpty, !waits.hasRuns { waits = Waits() }
    notes.shrink(to: size)
    return size
  }
}

// MARK: - Outputs

extension Scheduler {
  /// The closure of a run is to start, at the end of the turn. With an error: its `catch` closure.
  mutating func startClosure(of index: Int32, thrown error: (any Error)? = nil) {
    guard case .run(let operation) = workTree[index] else { return }
    outputs.append(.start(workTree.token(index), error.map { operation.recovery(from: $0) } ?? operation))
  }

  /// Moves the outputs to a list, which is empty. Starts of runs that were cancelled meanwhile are left out (rule E3); the
  /// others are running from now on.
  @usableFromInline
  mutating func takeOutputs(into steps: inout [EngineOutput]) {
    assert(steps.isEmpty, "the outputs of the turn before have not been performed")
    // The lists change places: to copy an output also counts the reference to its operation.
    swap(&steps, &outputs)
    outputsWithoutReports = 0
    steps.removeAll { output in
      if case .start(let token, let operation) = output { !start(token, operation) } else { false }
    }
  }

  /// A task is about to be made for a closure: its run is running from now on. `false` if the run was cancelled.
  private mutating func start(_ token: Token, _ operation: any AnyOperation) -> Bool {
    guard workTree.contains(token), workTree.phase(of: token.slot) == .starting else { return false }
    workTree.setPhase(.running, of: token.slot)
    if let timing = operation.timing { attemptStarted(token.slot, timing) }
    if notes.isOn, !notes.areCallsReported { note(token.slot, .started(attempt: attempt(of: token.slot))) }
    return true
  }

  /// Moves only the reports.
  @usableFromInline
  mutating func takeReports(into steps: inout [EngineOutput]) {
    while outputsWithoutReports < outputs.count {
      if case .report = outputs[outputsWithoutReports] {
        steps.append(outputs.remove(at: outputsWithoutReports))
      } else {
        outputsWithoutReports += 1
      }
    }
  }
}

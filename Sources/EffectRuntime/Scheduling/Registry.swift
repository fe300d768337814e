// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// Everything that lives, and what follows when a part of it arrives, ends or is cancelled: every scheduling decision of a
/// store, whatever its actions.
///
/// The work that lives forms a tree: a **dispatch** (what one sent action caused) holds **runs**, **sequences**
/// (`concatenate`) and **trees** (`cancellable`), and these hold further ones. A merge needs no member of its own: its
/// parts belong to whatever the merge stands in. Each member counts its parts that have not settled; at zero a sequence
/// goes on, a tree has settled, a dispatch is finished. What joined runs cause hangs from a **share**, which belongs to
/// several dispatches. All of it is iterative: trees may be a million levels deep.
///
/// It knows no action type and so is compiled once. What it cannot do itself, look into a part of an effect, it asks of
/// the ``Interpreter``, which goes on asking for the ``nextPart()`` after each input until there is none.
@usableFromInline
struct Registry: Sendable {
  var slots = Slots()
  /// Parts of a branch.
  var siblings = Chain()
  /// Those who share a place of the directory.
  var peers = Chain()
  var directory = Directory()
  var dispatches = Dispatches()
  /// What is still to be done of the input at hand. Last in, first out, so a branch is walked from left to right.
  var steps: [Step] = []
  @usableFromInline var turn = Turn()
  /// How many settle with a run or share of somebody else; spares cancels a search for them where there are none.
  var joinedCount = 0
  /// Those who joined a run or own a share, by its slot.
  var joinersOf: [Int32: Chain.List] = [:]
  /// The share of what a run's actions cause, by the run's slot, as long as the owners of the run stay the same.
  var shares: [Int32: Int32] = [:]
  /// Who waits for a dispatch, by its slot.
  var waiters: [Int32: [Waiter]] = [:]
  /// What ended of the dispatches whose requests want to know, by their numbers.
  var collected: [UInt64: RequestOutcomes] = [:]
  /// Whether there is any such dispatch: spares all others a look.
  var isCollecting = false
  /// Which runs wait for which dispatches.
  var runWaits = RunWaits()
  /// The errors whose `catch` closures execute, by the slots of the runs.
  var caught: [Int32: any Error] = [:]
  /// Who waits for which moment.
  var timing: Timing
  /// Whether something is to happen at a moment to come.
  @usableFromInline var hasAlarms = false
  /// Whether time changes anything at all, be it only what is remembered.
  @usableFromInline var hasTimedWork = false
  /// For those who ask for the status of work.
  var book = StatusBook()
  /// What has happened to runs, for those who listen.
  @usableFromInline var notes = TraceNotes()
  /// Work whose slot was freed. Its release can run user code (a captured object's deinit), so the shell does it last.
  @usableFromInline var released: [Released] = []
  /// What the shell is to do, in this order.
  @usableFromInline var commands: [Command] = []
  /// Actions that were not reduced because their run was cancelled, replaced or had ended (rule E1).
  @usableFromInline var droppedActions = 0

  init(now: @escaping @Sendable () -> Duration, number: (@Sendable () -> UInt64)?) {
    timing = Timing(now: now, number: number)
  }

  /// A part of the interpretation at hand.
  enum Step: Sendable {
    case part(Part)
    /// The parts of a merge from a position on.
    case parts(Part)
    /// The content of a tree that has got its place.
    case open(Token, EffectNode)
    /// Work that arrives once trees that have waited are open.
    case register(Slots.Work, parent: Token, owners: [UInt64])
    /// A run that got its place behind a tree starts behind what that tree starts.
    case ask(Token)
    /// A run that has waited for its time comes to its place behind trees that open first.
    case admit(Token)
    /// A part of the branch has settled.
    case settled(Token)
    /// A place may have become free.
    case refill(Int32)
    /// A run whose waits were ended by a `flush` comes to its slot.
    case flush(Token)
  }

  /// A part of an effect, and the branch it becomes a part of.
  @usableFromInline
  struct Part: Sendable {
    @usableFromInline let node: EffectNode
    @usableFromInline let index: Int32
    @usableFromInline let parent: Token
  }
}

/// One thing for the shell to do. None of them comes back into the interpreter before all have been performed.
@usableFromInline
package enum Command: Sendable {
  /// Make a task for the run. Ask ``Interpreter/started(_:)`` whether it still lives.
  case start(Token)
  /// Make a task for the catch closure of a run that threw; likewise.
  case recover(Token, any Error)
  /// Cancel the task of a run.
  case cancel(Token)
  /// An error without a `catch`.
  case report(EffectFailure)
  /// A dispatch has settled, for a waiter; with the outcomes of all it caused, if they were collected.
  case resume(Waiter, RequestOutcomes?)
  /// A wait that would never end is over.
  case refuse(Waiter)
}

/// The work of a freed slot, to be let go of and not looked into.
@usableFromInline
package struct Released: Sendable {
  private enum Thing { case work(Slots.Work), error(any Error) }
  private let thing: Thing
  init(_ work: Slots.Work) { thing = .work(work) }
  init(_ error: any Error) { thing = .error(error) }
}

extension Registry {
  /// Whether nothing lives and nothing is remembered.
  @usableFromInline var isPristine: Bool {
    slots.count == 0 && directory.count == 0 && !turn.isOpen && (!hasTimedWork || timing.isEmpty) && !notes.isOn
      && book.outcomes.isEmpty && book.conflicts.isEmpty && book.mixed.isEmpty && collected.isEmpty && runWaits.isEmpty
  }

  /// What a live run is, for a report about it; also one whose closure has run out of time and not returned.
  func description(of token: Token) -> EffectRun? {
    guard let slot = closure(of: token), case .run(let operation) = slots[slot].work else { return nil }
    return EffectRun(operation)
  }

  /// Where a closure is that has not returned: with its run, or by itself when it ran out of time.
  func closure(of token: Token) -> Int32? {
    slots.contains(token) ? token.slot : timing.abandoned[token]
  }

  /// Lets go of work later, when the shell can bear user code.
  mutating func release(_ work: Slots.Work) {
    released.append(Released(work))
  }

  /// Frees a slot, and lets go of its work later.
  mutating func free(_ index: Int32) {
    if notes.isOn { notes.forget(index) }
    released.append(Released(slots.free(index)))
  }
}

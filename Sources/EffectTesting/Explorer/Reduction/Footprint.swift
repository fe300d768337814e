// This source file is part of swift-effects. License: Apache-2.0.

/// What a step has read or written, as far as another step can observe it. Two steps with disjoint footprints are
/// *independent*: where both are possible, each remains possible after the other, and both orders lead to the same
/// state.
///
/// A footprint may be too large. Then more schedules are run than necessary. It must never be too small.
struct Footprint: OptionSet, Hashable {
  let rawValue: UInt8

  /// The store: its state, its work, the oldest message, and what properties have observed.
  static let store = Footprint(rawValue: 1)
  /// The order of messages: the step has posted one. Taking the oldest message is not part of this, because a post
  /// does not change which message is the oldest one, if there is any.
  static let posts = Footprint(rawValue: 2)
  /// All that the code of runs can observe: memory of mocks, actors, streams, the cancellation of a task, and the order
  /// in which sleeps begin.
  static let jobs = Footprint(rawValue: 4)
  /// Nothing is known of such a step, or it can be observed by all others.
  static let everything = Footprint(rawValue: 15)

  func isIndependent(of other: Footprint) -> Bool { isDisjoint(with: other) }
}

/// What was noticed while a step was executed.
struct StepFacts {
  /// A reason why a step conflicts with others. Tests leave one out, to see that this is noticed.
  enum Rule: CaseIterable {
    case scriptPosts, jobsPost, turnsPost, jobsShareMemory, turnsCancel, turnsWake, turnsUseStore, endsAreVisible,
      deadlinesAreVisible, timePasses, eagerTurns, alarmsAreNumbered, faultsUseStore
  }

  var kind: ScheduleStep.Kind
  /// Whether messages are taken at once, so that a step includes the turns that it causes.
  var isEager = false
  /// Whether the step of the script is neither a plain send nor a cancel of ids: it lets time pass, waits, or cancels an action.
  var isOpaque = false
  /// Whether it has posted a message.
  var hasPosted = false
  /// Whether a closure was cancelled that had not returned.
  var hasCancelled = false
  /// Whether it has made jobs ready that do not start a run.
  var hasWoken = false
  /// Whether the store had a deadline before or after the step.
  var hasAlarms = false
  /// Whether faults may be injected. They cancel runs after a job, and send actions twice.
  var hasFaults = false
  /// Whether something has happened that the explorer does not control.
  var isUnknown = false

  /// What the step has read or written.
  func footprint(without rule: Rule? = nil) -> Footprint {
    if isUnknown { return .everything }
    var footprint: Footprint = []
    func add(_ part: Footprint, _ reason: Rule) { if reason != rule { footprint.formUnion(part) } }
    func addTurn() {
      add(.store, .turnsUseStore)
      if hasCancelled { add(.jobs, .turnsCancel) }
      if hasWoken { add(.jobs, .turnsWake) }
      // Deadlines and sleeps of one instant fire in the order of their numbers.
      if hasAlarms { add(.jobs, .alarmsAreNumbered) }
    }
    switch kind {
    case .script:
      add(.posts, .scriptPosts)
      if isOpaque { add(.everything, .timePasses) }
    case .job, .jobPart:
      add(.jobs, .jobsShareMemory)
      if hasPosted { add(.posts, .jobsPost) }
      if hasFaults { add(.store, .faultsUseStore) }
    case .delivery:
      addTurn()
      if hasPosted { add(.posts, .turnsPost) }
    // The end of a run may start others, and before some turns only ends are possible.
    case .end: add(.everything, .endsAreVisible)
    // A deadline may start and cancel runs, and the next line of the script may wait for it.
    case .deadline: add(.everything, .deadlinesAreVisible)
    // These are no steps that could be swapped.
    case .choice, .omission: return .everything
    }
    if isEager, hasPosted, rule != .eagerTurns { addTurn() }
    return footprint
  }
}

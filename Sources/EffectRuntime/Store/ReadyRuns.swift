// This source file is part of swift-effects. License: Apache-2.0.

/// The runs whose closures are to be called because of the turns that have ended.
///
/// They are handed to tasks before the next message is taken. Only a run that replaces another may wait for some further
/// short turns: in a burst of actions of which each replaces the run of the one before, most runs then need no task.
@usableFromInline
struct ReadyRuns<Action: Sendable> {
  /// In the order in which they start.
  @usableFromInline var starts: [RunBody<Action>] = []
  /// Whether each of them replaces another run.
  @usableFromInline var areReplacing = false
  @usableFromInline var pace = TurnPace()

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { starts.isEmpty }

  /// Adds a run of a turn.
  ///
  /// - Parameter isReplacing: whether the turn has cancelled another run.
  @inlinable
  mutating func add(_ body: RunBody<Action>, isReplacing: Bool) {
    areReplacing = isReplacing && (areReplacing || starts.isEmpty)
    starts.append(body)
  }

  /// A run was cancelled before a task has begun it. If it is the newest one, it is not handed over; a pool drops any
  /// other.
  @inlinable
  mutating func forget(_ body: RunBody<Action>) {
    if starts.last === body { starts.removeLast() }
  }

  /// Whether they are handed over before the next message.
  @inlinable
  mutating func areDue() -> Bool { !areReplacing || pace.isDue() }
}

/// How closely turns follow one another.
@usableFromInline
struct TurnPace {
  /// Behind a turn that took longer no run waits, because the next turn may take as long.
  static let shortTurn = Duration.microseconds(10)
  /// How long a run waits while turns are short.
  static let window = Duration.microseconds(20)

  private var lastTurn: SuspendingClock.Instant?
  private var lastHandOver: SuspendingClock.Instant?

  @usableFromInline
  init() {}

  /// Whether the runs are handed over now.
  @usableFromInline
  mutating func isDue() -> Bool { isDue(at: .now) }

  /// The same at a moment at which a turn has ended.
  mutating func isDue(at now: SuspendingClock.Instant) -> Bool {
    defer { lastTurn = now }
    if let lastTurn, let lastHandOver, now - lastTurn < Self.shortTurn, now - lastHandOver < Self.window {
      return false
    }
    lastHandOver = now
    return true
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import EffectRuntime

/// What a test does to the feature it explores, in this order.
@usableFromInline
final class ScriptSteps<Action: Sendable>: ScriptBook {
  @usableFromInline
  enum Step {
    case send(Action, CallSite)
    case cancel(Set<EffectID>)
    case advance
    /// Anything that few scripts do.
    case order(ScriptOrder<Action>)
  }

  // Without a check for overlapping accesses, which took a fiftieth of a schedule's time. One thread writes the script
  // and then plays it, and no access calls code that could make another access.
  @usableFromInline let written = UncheckedCell(Written())

  @usableFromInline
  struct Written {
    @usableFromInline var steps: [Step] = []
    /// The steps that were sent, in the order of their dispatches.
    @usableFromInline var posted: [Int] = []
  }

  /// What the store carries from the script to its runs; `nil` if nothing.
  @usableFromInline var carried: CarriedContexts?
  /// The values of each step where the script was written.
  private var contexts: [Int: CarriedContext] = [:]

  @usableFromInline
  override init() { super.init() }

  deinit { written.free() }

  /// Appends a step of a sender. Returns its number.
  @inlinable
  @discardableResult
  func append(_ step: Step, advancing duration: Duration? = nil, by sender: Int = 0) -> Int {
    written.value.steps.append(step)
    note(duration)
    if carried != nil { captureContext() }
    if senders != nil { hand(over: written.value.steps.count - 1, to: sender) }
    return written.value.steps.count - 1
  }

  @usableFromInline
  func captureContext() { contexts[written.value.steps.count - 1] = carried?.capture() }

  /// The action of a step was sent: its runs get the values that the script had at that step.
  @usableFromInline
  func carry(for step: Int, to dispatch: UInt64) {
    if dispatch > 0, let context = contexts[step] { carried?.add(context, of: dispatch) }
  }

  /// Empties the script and keeps its memory.
  @inlinable
  func wipe() {
    written.value.steps.removeAll(keepingCapacity: true)
    written.value.posted.removeAll(keepingCapacity: true)
    wipeBook()
  }

  @inlinable
  func step(_ index: Int) -> Step { written.value.steps[index] }

  /// An action of the script was sent.
  @inlinable
  func notePost(of index: Int) { written.value.posted.append(index) }

  override var lines: [String] {
    written.value.steps.enumerated().map { index, step in
      switch step {
      case .send(let action, _): FailureText.scripted(action)
      case .cancel(let ids): FailureText.scripted(ids)
      case .advance: FailureText.scripted(duration(of: index) ?? .zero)
      case .order(let order): order.line
      }
    }
  }

  @usableFromInline
  func site(of dispatch: UInt64) -> CallSite? {
    let index = Int(dispatch) - 1
    guard index >= 0, index < written.value.posted.count else { return nil }
    switch step(written.value.posted[index]) {
    case .send(_, let site), .order(.request(_, let site, _)): return site
    case .cancel, .advance, .order: return nil
    }
  }
}

/// The part of a script that a schedule needs: all except the actions.
@usableFromInline
class ScriptBook {
  @usableFromInline final let progress = UncheckedCell(Progress())

  @usableFromInline
  struct Progress {
    /// For each step how much time it lets pass, if it is an advance.
    var durations: [Duration?] = []
    var position = 0
    /// When the next advance is over.
    var target = Duration.zero
    /// Whether the search has chosen actions of the script.
    var isGenerated = false
    /// The actions that it has chosen.
    var generated: Set<Int> = []
    /// The requests that belong to a history.
    var ofHistory: Set<Int> = []
    /// The steps that were left out.
    var omitted: Set<Int> = []
    /// For each step that is only taken in some states, whether the given one is one of them.
    var conditions: [Int: (Any) -> Bool] = [:]
    /// The senders, unless all steps are plain ones of one sender.
    @usableFromInline var senders: ScriptSenders?
  }

  @usableFromInline
  init() {}

  deinit { progress.free() }

  @usableFromInline
  final func note(_ duration: Duration?) {
    progress.value.durations.append(duration)
    if progress.value.durations.count == 1 { progress.value.target = duration ?? .zero }
  }

  @usableFromInline
  final func wipeBook() {
    progress.value.durations.removeAll(keepingCapacity: true)
    progress.value.position = 0
    progress.value.target = .zero
    progress.value.isGenerated = false
    if !progress.value.generated.isEmpty { progress.value.generated = [] }
    if !progress.value.ofHistory.isEmpty { progress.value.ofHistory = [] }
    if !progress.value.omitted.isEmpty { progress.value.omitted = [] }
    if !progress.value.conditions.isEmpty { progress.value.conditions = [:] }
    if progress.value.senders != nil { progress.value.senders = nil }
  }

  @inlinable final var senders: ScriptSenders? { progress.value.senders }

  /// The senders, from now on.
  final func beginSenders() -> ScriptSenders {
    if let known = senders { return known }
    let senders = ScriptSenders(after: progress.value.durations)
    progress.value.senders = senders
    return senders
  }

  @usableFromInline
  final func hand(over step: Int, to sender: Int) {
    senders?.add(step, to: sender, advancing: progress.value.durations[step])
  }

  final var isGenerated: Bool {
    get { progress.value.isGenerated }
    set { progress.value.isGenerated = newValue }
  }

  /// The search has chosen the action of the step that was written last.
  final func noteGenerated() { progress.value.generated.insert(progress.value.durations.count - 1) }

  /// The step that was written last is a request that belongs to a history.
  final func noteOfHistory() { progress.value.ofHistory.insert(progress.value.durations.count - 1) }

  /// The step that was written last is only taken in some states.
  final func noteCondition(_ isPossible: @escaping (Any) -> Bool) {
    progress.value.conditions[progress.value.durations.count - 1] = isPossible
    senders?.noteOpaque(progress.value.durations.count - 1)
  }

  /// Whether a step can be taken in this state.
  @usableFromInline
  final func isPossible(_ step: Int, in state: @autoclosure () -> Any) -> Bool {
    progress.value.conditions.isEmpty || progress.value.conditions[step]?(state()) ?? true
  }

  /// Whether the next step looks at the state.
  final var hasCondition: Bool { progress.value.conditions[progress.value.position] != nil }

  /// A step was left out.
  final func noteOmission(of step: Int) { progress.value.omitted.insert(step) }

  /// Whether only steps were left out that may be.
  final func isWhole(butFor omissions: ScheduleOmissions) -> Bool {
    if omissions == .all { return true }
    let written = progress.value.omitted.subtracting(progress.value.generated)
    return written.isEmpty || omissions == .generatedAndHistory && written.isSubset(of: progress.value.ofHistory)
  }

  final func duration(of step: Int) -> Duration? { progress.value.durations[step] }

  /// Each step as code.
  var lines: [String] { [] }

  final var hasNext: Bool { progress.value.position < progress.value.durations.count }

  /// The moment to which the current advance goes.
  final var target: Duration { progress.value.target }

  /// The moment before which the next step is not taken, if the next step is an advance.
  final var nextAdvance: Duration? {
    progress.value.durations[progress.value.position] == nil ? nil : progress.value.target
  }

  /// Goes on, and returns the number of the step.
  final func takeNext(now: @autoclosure () -> Duration) -> Int {
    progress.value.position += 1
    // The time of an advance counts from the step before it.
    if hasNext, let duration = progress.value.durations[progress.value.position] {
      progress.value.target = now().adding(duration)
    }
    return progress.value.position - 1
  }
}

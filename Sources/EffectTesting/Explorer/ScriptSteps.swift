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

    /// Whether it sends an action or lets time pass.
    var isPlain: Bool {
      switch self {
      case .send, .advance: true
      case .cancel, .order: false
      }
    }
  }

  // SAFETY: not checked for overlapping accesses, which took a fiftieth of a schedule's time. One thread writes the script and then plays
  // it, and no access calls code that could make another access.
  @safe @exclusivity(unchecked) @usableFromInline var steps: [Step] = []
  /// The steps that were sent, in the order of their dispatches.
  @safe @exclusivity(unchecked) @usableFromInline var posted: [Int] = []

  /// What the store carries from the script to its runs; `nil` if nothing.
  @usableFromInline var carried: CarriedContexts?
  /// The values of each step where the script was written.
  private var contexts: [Int: CarriedContext] = [:]

  @usableFromInline
  override init() { super.init() }

  /// Appends a step of a sender. Returns its number.
  @inlinable
  @discardableResult
  func append(_ step: Step, advancing duration: Duration? = nil, by sender: Int = 0) -> Int {
    steps.append(step)
    note(duration)
    if carried != nil { captureContext() }
    if senders != nil { hand(over: steps.count - 1, to: sender) }
    return steps.count - 1
  }

  @usableFromInline
  func captureContext() { contexts[steps.count - 1] = carried?.capture() }

  /// The action of a step was sent: its runs get the values that the script had at that step.
  @usableFromInline
  func carry(for step: Int, to dispatch: UInt64) {
    if dispatch > 0, let context = contexts[step] { carried?.add(context, of: dispatch) }
  }

  /// Empties the script and keeps its memory.
  @inlinable
  func wipe() {
    steps.removeAll(keepingCapacity: true)
    posted.removeAll(keepingCapacity: true)
    wipeBook()
  }

  @inlinable
  func step(_ index: Int) -> Step { steps[index] }

  /// An action of the script was sent.
  @inlinable
  func notePost(of index: Int) { posted.append(index) }

  override var lines: [String] {
    steps.enumerated().map { index, step in
      switch step {
      case .send(let action, _): FailureText.scripted(action)
      case .cancel(let ids): FailureText.scripted(ids)
      case .advance: FailureText.scripted(duration(of: index) ?? .zero)
      case .order(let order): order.line
      }
    }
  }

  /// The step that has sent the action with this number.
  func step(ofDispatch number: UInt64) -> Int? {
    let index = Int(clamping: number) - 1
    return posted.indices.contains(index) ? posted[index] : nil
  }

  @usableFromInline
  func site(of dispatch: UInt64) -> CallSite? {
    guard let index = step(ofDispatch: dispatch) else { return nil }
    switch step(index) {
    case .send(_, let site), .order(.request(_, let site, _)): return site
    case .cancel, .advance, .order: return nil
    }
  }
}

/// The part of a script that a schedule needs: all except the actions.
@usableFromInline
class ScriptBook {
  // SAFETY: not checked for overlapping accesses, as the steps.
  /// For each step how much time it lets pass, if it is an advance.
  @safe @exclusivity(unchecked) final var durations: [Duration?] = []
  @safe @exclusivity(unchecked) final var position = 0
  /// The moment to which the current advance goes.
  @safe @exclusivity(unchecked) final var target = Duration.zero
  /// Whether the search has chosen actions of the script.
  @safe @exclusivity(unchecked) final var isGenerated = false
  /// The actions that it has chosen.
  @safe @exclusivity(unchecked) final var generated: Set<Int> = []
  /// The requests that belong to a history.
  @safe @exclusivity(unchecked) final var ofHistory: Set<Int> = []
  /// The steps that were left out.
  @safe @exclusivity(unchecked) final var omitted: Set<Int> = []
  /// For each step that is only taken in some states, whether the given one is one of them.
  @safe @exclusivity(unchecked) final var conditions: [Int: (Any) -> Bool] = [:]
  /// The senders, unless all steps are plain ones of one sender.
  @safe @exclusivity(unchecked) @usableFromInline final var senders: ScriptSenders?

  @usableFromInline
  init() {}

  @usableFromInline
  final func note(_ duration: Duration?) {
    durations.append(duration)
    if durations.count == 1 { target = duration ?? .zero }
  }

  @usableFromInline
  final func wipeBook() {
    durations.removeAll(keepingCapacity: true)
    position = 0
    target = .zero
    isGenerated = false
    if !generated.isEmpty { generated = [] }
    if !ofHistory.isEmpty { ofHistory = [] }
    if !omitted.isEmpty { omitted = [] }
    if !conditions.isEmpty { conditions = [:] }
    if senders != nil { senders = nil }
  }

  /// The senders, from now on.
  final func beginSenders() -> ScriptSenders {
    if let known = senders { return known }
    let senders = ScriptSenders(after: durations)
    self.senders = senders
    return senders
  }

  @usableFromInline
  final func hand(over step: Int, to sender: Int) {
    senders?.add(step, to: sender, advancing: durations[step])
  }

  /// The search has chosen the action of the step that was written last.
  final func noteGenerated() { generated.insert(durations.count - 1) }

  /// The step that was written last is a request that belongs to a history.
  final func noteOfHistory() { ofHistory.insert(durations.count - 1) }

  /// The step that was written last is only taken in some states.
  final func noteCondition(_ isPossible: @escaping (Any) -> Bool) {
    conditions[durations.count - 1] = isPossible
  }

  /// Whether a step can be taken in this state.
  @usableFromInline
  final func isPossible(_ step: Int, in state: @autoclosure () -> Any) -> Bool {
    conditions.isEmpty || conditions[step]?(state()) ?? true
  }

  /// Whether only steps were left out that may be.
  final func isWhole(butFor omissions: ScheduleOmissions) -> Bool {
    if omissions == .all { return true }
    let written = omitted.subtracting(generated)
    return written.isEmpty || omissions == .generatedAndHistory && written.isSubset(of: ofHistory)
  }

  final func duration(of step: Int) -> Duration? { durations[step] }

  /// Each step as code.
  var lines: [String] { [] }

  final var hasNext: Bool { position < durations.count }

  /// The moment before which the next step is not taken, if the next step is an advance.
  final var nextAdvance: Duration? {
    durations[position] == nil ? nil : target
  }

  /// Goes on, and returns the number of the step.
  final func takeNext(now: @autoclosure () -> Duration) -> Int {
    position += 1
    // The time of an advance counts from the step before it.
    if hasNext, let duration = durations[position] {
      target = now().adding(duration)
    }
    return position - 1
  }
}

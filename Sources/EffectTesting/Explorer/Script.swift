// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// What a test does to the feature it explores, in this order.
@usableFromInline
final class Script<Action: Sendable>: ScriptBook {
  @usableFromInline
  enum Step {
    case send(Action, CallSite)
    case cancel(Set<EffectID>)
    case advance
  }

  @usableFromInline var steps: [Step] = []
  /// Which of the steps were sent, in the order of their dispatches.
  @usableFromInline var posted: [Int] = []

  @usableFromInline
  override init() { super.init() }

  @inlinable
  func append(_ step: Step, advancing duration: Duration? = nil) {
    steps.append(step)
    note(duration)
  }

  func site(of dispatch: UInt64) -> CallSite? {
    let index = Int(dispatch) - 1
    guard index >= 0, index < posted.count, case .send(_, let site) = steps[posted[index]] else { return nil }
    return site
  }
}

/// A script without its actions: what a schedule must know of it.
@usableFromInline
class ScriptBook {
  /// How much time a step lets pass, if it is one that does.
  private var durations: [Duration?] = []
  private(set) final var position = 0
  /// When the advance that comes next is over.
  private(set) final var target = Duration.zero

  @usableFromInline
  init() {}

  @usableFromInline
  final func note(_ duration: Duration?) {
    durations.append(duration)
    if durations.count == 1 { target = duration ?? .zero }
  }

  final var hasNext: Bool { position < durations.count }

  /// The moment before which the next step is not taken, if there is one.
  final var nextAdvance: Duration? { durations[position] == nil ? nil : target }

  /// Goes on; answers with the number of the step.
  final func takeNext(now: Duration) -> Int {
    position += 1
    // Time that the script lets pass counts from the step before.
    if hasNext, let duration = durations[position] { target = now + duration }
    return position - 1
  }
}

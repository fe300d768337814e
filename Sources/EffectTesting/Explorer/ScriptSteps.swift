// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// What a test does to the feature it explores, in this order.
// SAFETY: one thread writes it down and then plays it, and no access calls anything that could make another; to look for
// overlaps at run time made a fiftieth of a schedule.
@usableFromInline
final class ScriptSteps<Action: Sendable>: ScriptBook {
  @usableFromInline
  enum Step {
    case send(Action, CallSite)
    case cancel(Set<EffectID>)
    case advance
  }

  @exclusivity(unchecked) @usableFromInline var steps: [Step] = []
  /// Which of the steps were sent, in the order of their dispatches.
  @exclusivity(unchecked) @usableFromInline var posted: [Int] = []

  @usableFromInline
  override init() { super.init() }

  @inlinable
  func append(_ step: Step, advancing duration: Duration? = nil) {
    unsafe steps.append(step)
    note(duration)
  }

  /// Blank again, in the same memory.
  @inlinable
  func wipe() {
    unsafe steps.removeAll(keepingCapacity: true)
    unsafe posted.removeAll(keepingCapacity: true)
    wipeBook()
  }

  func site(of dispatch: UInt64) -> CallSite? {
    let index = Int(dispatch) - 1
    guard index >= 0, unsafe index < posted.count else { return nil }
    guard case .send(_, let site) = unsafe steps[posted[index]] else { return nil }
    return site
  }
}

/// A script without its actions: what a schedule must know of it.
// SAFETY: as above.
@usableFromInline
class ScriptBook {
  /// How much time a step lets pass, if it is one that does.
  @exclusivity(unchecked) private final var durations: [Duration?] = []
  @exclusivity(unchecked) private final var position = 0
  /// When the advance that comes next is over.
  @exclusivity(unchecked) private(set) final var target = Duration.zero

  @usableFromInline
  init() {}

  @usableFromInline
  final func note(_ duration: Duration?) {
    unsafe durations.append(duration)
    if unsafe durations.count == 1 { unsafe target = duration ?? .zero }
  }

  @usableFromInline
  final func wipeBook() {
    unsafe durations.removeAll(keepingCapacity: true)
    unsafe position = 0
    unsafe target = .zero
  }

  final var hasNext: Bool { unsafe position < durations.count }

  /// The moment before which the next step is not taken, if there is one.
  final var nextAdvance: Duration? { unsafe durations[position] == nil ? nil : target }

  /// Goes on; answers with the number of the step.
  final func takeNext(now: @autoclosure () -> Duration) -> Int {
    unsafe position += 1
    // Time that the script lets pass counts from the step before.
    if hasNext, let duration = unsafe durations[position] { unsafe target = now().adding(duration) }
    return unsafe position - 1
  }
}

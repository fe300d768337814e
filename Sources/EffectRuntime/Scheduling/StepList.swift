// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The steps of the input at hand that are still to be taken. The last is taken first, as with recursion. So a branch
/// is interpreted from left to right.
///
/// It replaces recursion, so a deep effect needs no deep stack.
struct StepList: Sendable {
  private var steps: [Step] = []

  /// A part of the interpretation at hand.
  enum Step: Sendable {
    /// One part of an effect.
    case part(Scheduler.Part)
    /// The parts of a merge from a position on.
    case parts(Scheduler.Part)
    /// The content of a tree that has got its slot.
    case open(Token, EffectNode)
    /// Work that arrives after trees that have waited have opened. They may cancel the branch that it is a part of. So its
    /// root is held, which owns the outcome.
    case register(Slots.Work, parent: Token, root: Token)
    /// A run that got its slot after a tree starts after the work of that tree.
    case ask(Token)
    /// A run that has waited for its time arrives after trees that have waited have opened.
    case arrive(Token)
    /// A part of the branch has settled.
    case settled(Token)
    /// A slot of the id in this place may have become free.
    case refill(Int32)
  }

  /// A position in the list; see ``reverse(from:)`` and ``insert(_:at:)``.
  typealias Mark = Int

  /// The position of the next step that is added.
  var mark: Mark { steps.count }

  /// Adds a step that is taken before all others.
  mutating func append(_ step: Step) { steps.append(step) }

  /// Adds a step that is taken after those that were added since a mark.
  mutating func insert(_ step: Step, at mark: Mark) { steps.insert(step, at: mark) }

  /// Removes the step to be taken next; `nil` if there is none.
  mutating func next() -> Step? { steps.popLast() }

  /// The steps that were added since a mark are taken in the order in which they were added.
  mutating func reverse(from mark: Mark) {
    // Not with a slice: to reverse a slice copies the whole array.
    var (low, high) = (mark, steps.count - 1)
    while low < high {
      steps.swapAt(low, high)
      low += 1
      high -= 1
    }
  }
}

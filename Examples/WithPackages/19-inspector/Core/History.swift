// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The newest actions of a store, and a checkpoint of its state every so many actions.
///
/// A position is a number of actions: the state at position 3 is the state after the third action. Actions that are older
/// than the capacity are folded into the checkpoint at ``oldest``. So any position from there on is a checkpoint and less
/// than ``distance`` reductions away.
///
/// - Isolation: a value.
@usableFromInline
struct History<State: Sendable, Action: Sendable>: Sendable {
  /// A checkpoint and what happened from there to the next one.
  @usableFromInline
  struct Chunk: Sendable {
    /// The position of the checkpoint.
    @usableFromInline let first: Int
    let base: State
    @usableFromInline var actions: [Entry<Action>]
    /// What happened to runs, and actions that were not reduced.
    var others: [TraceEvent<Action>] = []
    /// How many other events were left out, because one action cannot make the history grow without limit.
    var leftOut = 0

    @usableFromInline
    init(first: Int, base: State, capacity: Int) {
      self.first = first
      self.base = base
      actions = []
      actions.reserveCapacity(capacity)
    }
  }

  /// How many of the newest actions are kept at least.
  @usableFromInline let capacity: Int
  /// How many actions are between two checkpoints.
  @usableFromInline let distance: Int
  /// How many actions have been reduced since the history began: the newest position.
  @usableFromInline var count = 0
  /// In their order; never empty.
  @usableFromInline var chunks: [Chunk]

  /// Begins at position 0.
  ///
  /// - Parameters:
  ///   - state: the state there.
  ///   - capacity: how many of the newest actions to keep.
  ///   - distance: how many actions to have between two checkpoints.
  @usableFromInline
  init(state: State, capacity: Int = 100_000, distance: Int = 500) {
    self.capacity = max(1, capacity)
    self.distance = max(1, distance)
    chunks = [Chunk(first: 0, base: state, capacity: self.distance)]
  }

  /// The oldest position: that of the first checkpoint.
  var oldest: Int { chunks[0].first }

  /// How many actions are kept: fewer than the capacity and two distances.
  var kept: Int { count - oldest }

  /// How many other events are kept; each checkpoint has at most sixteen for each action.
  var keptOthers: Int { chunks.reduce(0) { $0 + $1.others.count } }

  /// How many checkpoints are kept.
  var checkpoints: Int { chunks.count }

  // MARK: - Adding

  /// Adds an action that was reduced.
  ///
  /// - Parameters:
  ///   - entry: the action.
  ///   - state: the state after it; called only if a checkpoint is due. `nil` if it is not known any more.
  /// - Returns: what was folded into a checkpoint. Release it where user code may run.
  /// - Complexity: O(1), amortised.
  @inlinable @inline(__always)
  mutating func append(_ entry: Entry<Action>, state: () -> State?) -> Chunk? {
    let last = chunks.count - 1
    chunks[last].actions.append(entry)
    count += 1
    guard chunks[last].actions.count >= distance, let base = state() else { return nil }
    return addCheckpoint(base)
  }

  @usableFromInline
  mutating func addCheckpoint(_ base: State) -> Chunk? {
    chunks.append(Chunk(first: count, base: base, capacity: distance))
    return count - chunks[1].first >= capacity ? chunks.removeFirst() : nil
  }

  /// Adds an event of another kind.
  mutating func append(other event: TraceEvent<Action>) {
    let last = chunks.count - 1
    if chunks[last].others.count < distance * 16 {
      chunks[last].others.append(event)
    } else {
      chunks[last].leftOut += 1
    }
  }

  // MARK: - Reading

  /// The chunk that contains the action at a position, counted from 1.
  func index(ofActionAt position: Int) -> Int? {
    guard position > oldest, position <= count else { return nil }
    return min((position - 1 - oldest) / distance, chunks.count - 1)
  }

  /// The action at a position.
  func entry(at position: Int) -> Entry<Action>? {
    index(ofActionAt: position).map { chunks[$0].actions[position - 1 - chunks[$0].first] }
  }

  /// The states before and after the action at a position; at the oldest position both are the checkpoint. `nil` for a
  /// position that is not kept.
  ///
  /// - Parameter reduce: reduces an action, without its effect.
  /// - Complexity: at most ``distance`` reductions.
  func states(
    at position: Int, reduce: (inout State, Action) -> Void
  ) -> (before: State, after: State)? {
    if position == oldest { return (chunks[0].base, chunks[0].base) }
    guard let index = index(ofActionAt: position) else { return nil }
    let chunk = chunks[index]
    var state = chunk.base
    var before = state
    for (offset, entry) in chunk.actions.prefix(position - chunk.first).enumerated() {
      if chunk.first + offset + 1 == position { before = state }
      reduce(&state, entry.action)
    }
    return (before, state)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The state of a child that may be removed, as it was read last. It is shown after the removal of the child. A removal
/// is noticed only after it has happened, when the child cannot be read any more.
///
/// All child stores of the same child that exist at the same time share one. The copy of the state shares the memory of
/// its collections with the state, so the next change of a collection copies it. So the state is not copied with each
/// evaluation of a view: see ``LastSeen/isDueAfterSend()``.
class LastShown {
  /// The values that were shown to readers or found by comparisons since the whole state was copied.
  fileprivate var fields: [FieldName: AnyObject] = [:]
  /// The child was removed; another child may appear under the same name.
  fileprivate(set) var isGone = false

  fileprivate init() {}

  /// Keeps the value of a field.
  final func note<Value>(_ name: FieldName, _ value: Value) { fields[name] = Shown(value) }

  /// The child was removed.
  final func goes() { isGone = true }

  /// The child exists again.
  func comesBack(_ state: StateInPlace) {}
}

/// A value with its type, because a cast from `Any` would unwrap an optional.
private final class Shown<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// The last values of a child with this type of state: a copy of the whole, and fields that were read later.
final class LastSeen<State>: LastShown {
  private var whole: State
  private var sends = 0

  init(_ whole: State) { self.whole = whole }

  /// The last value of a field.
  func value<Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    noted(.path(keyPath)) ?? whole[keyPath: keyPath]
  }

  /// The last ids of rows.
  func rowIDs<Rows: RowContainer>(_ keyPath: KeyPath<State, Rows>) -> [Rows.RowID] {
    noted(.rows(keyPath)) ?? Array(whole[keyPath: keyPath]._rowIDs)
  }

  private func noted<Value>(_ name: FieldName) -> Value? { (fields[name] as? Shown<Value>)?.value }

  /// Copies the whole state, which exists.
  func sees(_ state: State) {
    whole = state
    fields = [:]
    isGone = false
  }

  override func comesBack(_ state: StateInPlace) { sees(state.value()) }

  /// Counts an action that was sent to the child. Returns whether the whole state must be copied again: after the first,
  /// second, fourth, eighth (and so on) action. It is rare because the next change then copies the collections.
  func isDueAfterSend() -> Bool {
    sends += 1
    return sends & (sends - 1) == 0
  }
}

/// The last values of all children of which a store is kept.
struct LastSeenIndex {
  private struct Entry { weak var last: LastShown? }

  private var entries: [FieldName: Entry] = [:]
  private var countWhenSwept = 0

  /// How many entries there are; for tests of the entries that remain.
  var count: Int { entries.count }

  /// The last values of a child. If no store of the child is kept, they are made now from the state.
  mutating func entry<State>(_ name: FieldName, seeing state: State) -> LastSeen<State> {
    if let known = entries[name]?.last as? LastSeen<State> {
      if known.isGone { known.sees(state) }
      return known
    }
    let last = LastSeen(state)
    entries[name] = Entry(last: last)
    if entries.count > 2 * countWhenSwept + 32 {
      entries = entries.filter { $0.value.last != nil }
      countWhenSwept = entries.count
    }
    return last
  }
}

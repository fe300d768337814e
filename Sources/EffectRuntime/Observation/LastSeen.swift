// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The state of a child that may be removed, as last read: it is shown after the removal of the child. There is no
/// notification before a removal, and after it the child cannot be read any more.
///
/// All child stores of the same child that exist at the same time share one. It shares its collections with the state,
/// and the next change copies them: once while a child is shown, not with each evaluation of a view.
class LastShown {
  /// The values that were shown since the whole was copied, or were found since then.
  fileprivate var fields: [FieldName: AnyObject] = [:]
  /// The child was removed; another child may appear under the same name.
  fileprivate(set) var isGone = false

  fileprivate init() {}

  final func note<Value>(_ name: FieldName, _ value: Value) { fields[name] = Shown(value) }

  final func goes() { isGone = true }

  /// The child exists again.
  func comesBack(_ state: StateInPlace) {}
}

/// A value with its type, because a cast from `Any` would unwrap an optional.
private final class Shown<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

final class LastSeen<State>: LastShown {
  private var whole: State
  private var sends = 0

  init(_ whole: State) { self.whole = whole }

  func value<Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    noted(.path(keyPath)) ?? whole[keyPath: keyPath]
  }

  /// The ids of rows.
  func rowIDs<Rows: RowContainer>(_ keyPath: KeyPath<State, Rows>) -> [Rows.RowID] {
    noted(.rows(keyPath)) ?? Array(whole[keyPath: keyPath].rowIDs)
  }

  private func noted<Value>(_ name: FieldName) -> Value? { (fields[name] as? Shown<Value>)?.value }

  func sees(_ state: State) {
    whole = state
    fields = [:]
    isGone = false
  }

  override func comesBack(_ state: StateInPlace) { sees(state.value()) }

  /// The child has been sent an action of its own. Returns whether the whole must be copied again: more and more
  /// rarely, because the next change then copies its collections.
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

  /// For tests of the entries that remain.
  var count: Int { entries.count }

  /// The entry of a child; made now from the state if no store of the child is kept.
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

// This source file is part of swift-effects. License: Apache-2.0.

/// What a child that may go was like when somebody looked, to be shown when it is gone: nobody tells before it goes, and then
/// it is too late to look.
///
/// One for all child stores of the same child that are kept at a time. So it shares its collections with the state, and has
/// the next change copy them, once while a child is shown, and not with each evaluation of a view.
class LastShown {
  /// What was shown since the whole was seen, or has been found in its place.
  fileprivate var fields: [AnyKeyPath: AnyObject] = [:]
  /// The child has gone; another may come under the same name.
  fileprivate(set) var isGone = false

  fileprivate init() {}

  final func note<Value>(_ path: AnyKeyPath, _ value: Value) { fields[path] = Shown(value) }

  final func goes() { isGone = true }

  /// There is a child again.
  func comesBack(_ state: StateInPlace) {}
}

/// A value with its type: a cast from `Any` takes an optional apart.
private final class Shown<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

final class LastSeen<State>: LastShown {
  private var whole: State
  private var sends = 0

  init(_ whole: State) { self.whole = whole }

  func value<Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    (fields[keyPath] as? Shown<Value>)?.value ?? whole[keyPath: keyPath]
  }

  func sees(_ state: State) {
    whole = state
    fields = [:]
    isGone = false
  }

  override func comesBack(_ state: StateInPlace) { sees(state.value()) }

  /// The child has been sent an action of its own. Whether the whole is to be looked at again: ever more rarely, because each time
  /// has the next change copy it.
  func isDueAfterSend() -> Bool {
    sends += 1
    return sends & (sends - 1) == 0
  }
}

/// The last things seen of all children that somebody keeps a store of.
struct LastSeenIndex {
  private struct Entry { weak var last: LastShown? }

  private var entries: [FieldName: Entry] = [:]
  private var countWhenSwept = 0

  /// For tests of what is left behind.
  var count: Int { entries.count }

  /// That of a child, seen now if nobody keeps a store of it.
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

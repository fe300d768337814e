// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The observers of rows of one collection, found by the id of their row. An action of a row is shown to the observers of
/// this row only.
// Used on the isolation of the store only.
final class RowGroup<Rows: RowContainer> {
  private struct Entry {
    let id: Rows.RowID
    var observers: [RowObserver<Rows.Row>]
  }

  private let copy: RowsCopy<Rows>
  private var entries: [Entry] = []
  private var positions: [Rows.RowID: Int] = [:]
  /// The rows that are shown each time; see `RowObserver.isRestless`.
  private var restless: Set<Rows.RowID> = []
  /// The entry that is examined next for observers that have left.
  private var cursor = 0
  private var updates = 0
  /// The rows to be shown; empty in between.
  private var changed: [Rows.RowID] = []
  /// How many observers there are.
  private(set) var count = 0

  init(_ watched: WatchedRows) {
    copy = RowsCopy(watched)
  }

  private var countWhenSwept = 0

  var observers: [RowObserver<Rows.Row>] { entries.flatMap(\.observers) }
  var isWatched: Bool { entries.contains { $0.observers.contains(where: \.isWatched) } }
  var isRestless: Bool { !restless.isEmpty }

  /// Shows the row of an id to an observer from now on, when it may have changed.
  func add(_ observer: RowObserver<Rows.Row>, of id: Rows.RowID) {
    count += 1
    if let position = positions[id] {
      entries[position].observers.append(observer)
    } else {
      positions[id] = entries.count
      entries.append(Entry(id: id, observers: [observer]))
    }
    guard count > 2 * countWhenSwept + 32 else { return }
    removeLeft()
    countWhenSwept = count
  }

  /// The next call of `update` shows all rows.
  func forgetRows() { copy.release() }

  /// The row of an id is shown each time from now on.
  func noteRestless(_ id: Rows.RowID) { restless.insert(id) }

  /// Shows rows that may have changed since the last call.
  ///
  /// - Complexity: O(changed rows), if rows were changed by `forEach` only. Otherwise O(observers).
  func update(_ rows: Rows) {
    guard copy.changes(to: rows, &changed) else {
      for entry in entries { show(rows, entry) }
      return removeLeft()
    }
    if !restless.isEmpty { for id in restless where !changed.contains(id) { show(rows, id) } }
    if !changed.isEmpty {
      for id in changed { show(rows, id) }
      changed.removeAll(keepingCapacity: true)
    }
    updates &+= 1
    if updates % 8 == 0 { removeOneThatLeft() }
  }

  private func show(_ rows: Rows, _ id: Rows.RowID) {
    guard let position = positions[id] else {
      restless.remove(id)
      return
    }
    show(rows, entries[position])
  }

  // The entry is a copy: an observer may add others.
  private func show(_ rows: Rows, _ entry: Entry) {
    let row = rows._row(of: entry.id)
    for observer in entry.observers { observer.offer(row) }
    if !restless.isEmpty, !entry.observers.contains(where: \.isRestless) { restless.remove(entry.id) }
  }

  // MARK: - Observers that have left

  /// Examines one row after another, one with every eighth call: it must not cost each action more if there are more rows.
  private func removeOneThatLeft() {
    guard !entries.isEmpty else { return }
    if cursor >= entries.count { cursor = 0 }
    removeLeft(at: cursor)
    cursor += 1
  }

  /// Removes all observers that have left.
  func removeLeft() {
    for position in entries.indices.reversed() { removeLeft(at: position) }
  }

  private func removeLeft(at position: Int) {
    let all = entries[position].observers
    guard all.contains(where: { !$0.isWatched }) else { return }
    let kept = all.filter(\.isWatched)
    for observer in all where !observer.isWatched { observer.leave() }
    count -= all.count - kept.count
    guard kept.isEmpty else { return entries[position].observers = kept }
    positions[entries[position].id] = nil
    entries.swapAt(position, entries.count - 1)
    entries.removeLast()
    if position < entries.count { positions[entries[position].id] = position }
  }
}

/// An observer of a row.
class RowObserver<Row> {
  /// Shows the present row; `nil` if there is none.
  func offer(_ row: Row?) {}
  /// Whether there is still a listener.
  var isWatched: Bool { false }
  /// Whether it must be shown its row each time: it observes what cannot be compared.
  var isRestless: Bool { false }
  /// It has no listener any more, and was removed.
  func leave() {}
}

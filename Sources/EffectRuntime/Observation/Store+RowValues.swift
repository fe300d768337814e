// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import Synchronization

extension Store {
  /// The values of a row: first the present one, then the newest whenever it has changed; `nil` while there is no such row.
  ///
  /// ```swift
  /// for await job in store.values(\.jobs, id: id) { ... }
  /// ```
  ///
  /// The same as ``values(_:buffering:)`` with the path of the row, but for many observers of different rows: what an action
  /// of one row costs does not depend on how many observe others.
  ///
  /// - Parameters:
  ///   - rows: the path to the collection: a dictionary, an array of identifiable elements, or another `RowContainer`.
  ///   - id: the id of the row. If several rows have that id, it is the first of them.
  ///   - buffering: what a slow iteration gets: the newest value, or all values.
  /// - Returns: a sequence that may be iterated several times, each from the present row on.
  /// - Ordering: as `values(_:buffering:)`, and so are cancellation and isolation.
  /// - Complexity: an action that `forEach` gives to a row is compared by the observers of this row only. After another change
  ///   of the collection, each observer compares its row.
  public nonisolated func values<Rows: RowContainer & Sendable>(
    _ rows: any KeyPath<R.State, Rows> & Sendable, id: Rows.RowID, buffering: StateBuffering = .newest
  ) -> some AsyncSequence<Rows.Row?, Never> & Sendable where Rows.Row: Equatable & Sendable, Rows.RowID: Sendable {
    StateValues { [observers, mailbox] in
      let channel = ValueChannel<Rows.Row?>(buffering)
      let list = buffering == .newest ? observers.slices : observers.turns
      let observer = RowValues<Rows.Row>(channel)
      list.add(to: rows) { group in
        (group as? RowsObserver<R.State, Rows>)?.add(observer, of: id) ?? false
      } orTo: {
        RowsObserver<R.State, Rows>(rows, observers.watchedRows)
      } orEnd: {
        channel.end()
      }
      mailbox.post(.observe)
      return channel
    }
  }
}

/// One iteration of the values of a row.
// SAFETY: used on the store's isolation only, or when the object is released; `channel` is constant and `Sendable`.
private final class RowValues<Row: Equatable & Sendable>: RowObserver<Row>, @unchecked Sendable {
  private let channel: ValueChannel<Row?>
  /// The row that was offered last; it saves the channel and its lock.
  private var last: Row??

  init(_ channel: ValueChannel<Row?>) {
    self.channel = channel
  }

  override var isWatched: Bool { channel.isWatched }

  override func offer(_ row: Row?) {
    if let last, Sameness.areSame(last, row) { return }
    let former = last
    last = .some(row)
    withExtendedLifetime(former) {}
    _ = channel.offer(row)
  }

  func end() { channel.end() }
}

/// All iterations of rows of one collection.
// SAFETY: `group` is used on the store's isolation only, or when the store is released; the rest is constant.
private final class RowsObserver<State, Rows: RowContainer & Sendable>: StateObserver, @unchecked Sendable
where Rows.Row: Equatable & Sendable, Rows.RowID: Sendable {
  private struct Inbox {
    var new: [(id: Rows.RowID, observer: RowValues<Rows.Row>)] = []
    /// How many there are, without the new ones.
    var count = 0
    /// It was removed from the list of observers.
    var hasLeft = false

    var isEmpty: Bool { new.isEmpty && count == 0 }
  }

  private let path: any KeyPath<State, Rows> & Sendable
  /// The offset of the collection, if it is stored.
  private let offset: Int?
  private let group: RowGroup<Rows>
  private let inbox = Lock(Inbox())
  /// Saves the lock if there is no new one.
  private let hasNew = Atomic<Bool>(false)

  init(_ path: any KeyPath<State, Rows> & Sendable, _ watched: WatchedRows) {
    self.path = path
    offset = MemoryLayout<State>.offset(of: path)
    group = RowGroup(watched)
  }

  /// Adds an iteration, from any thread; `false` if this does not observe any more.
  func add(_ observer: RowValues<Rows.Row>, of id: Rows.RowID) -> Bool {
    inbox.withLock { inbox in
      guard !inbox.hasLeft else { return false }
      inbox.new.append((id, observer))
      hasNew.store(true, ordering: .releasing)
      return true
    }
  }

  var isWatched: Bool { inbox.withLock { !$0.isEmpty } }

  func leaves() -> Bool {
    inbox.withLock { inbox in
      if inbox.isEmpty { inbox.hasLeft = true }
      return inbox.hasLeft
    }
  }

  func offer(_ state: StateInPlace, _ effects: () -> LiveEffects) -> Bool {
    let rows = offset.map { state.value(at: $0) } ?? state.part(path)
    let former = group.count
    let isGrowing = hasNew.exchange(false, ordering: .acquiringAndReleasing)
    group.update(rows)
    if isGrowing { admit(rows) } else if group.count == former, former > 0 { return true }
    return inbox.withLock { inbox in
      inbox.count = group.count
      return !inbox.isEmpty
    }
  }

  private func admit(_ rows: Rows) {
    let new = inbox.withLock { inbox in
      defer { inbox.new = [] }
      inbox.count += inbox.new.count
      return inbox.new
    }
    for (id, observer) in new {
      observer.offer(rows._row(of: id))
      group.add(observer, of: id)
    }
  }

  func finish() {
    let new = inbox.withLock { inbox in
      defer { inbox = Inbox(hasLeft: true) }
      return inbox.new
    }
    for (_, observer) in new { observer.end() }
    for case let observer as RowValues<Rows.Row> in group.observers { observer.end() }
  }
}

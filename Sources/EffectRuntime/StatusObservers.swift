// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Synchronization

/// Those who want to be told when the status of an id has changed, found by the id.
final class StatusObservers: Sendable {
  private struct Book {
    var byID: [EffectID: [any StatusObserver]] = [:]
    /// Those who watch every id.
    var ofAll: [any StatusObserver] = []
    /// Those who have not been shown anything yet.
    var new: [(id: EffectID, observer: any StatusObserver)] = []
    /// How many observe single ids, and how many did when those who had left were last looked for.
    var count = 0
    var countWhenSwept = 0
  }

  private let book = Lock(Book())
  /// Spares a store whose statuses nobody observes the lock.
  private let isActiveFlag = Atomic<Bool>(false)

  /// Whether anybody is there.
  var isActive: Bool { isActiveFlag.load(ordering: .acquiring) }

  /// Adds one who watches every id.
  func add(_ observer: any StatusObserver) {
    book.withLock { $0.ofAll.append(observer) }
    isActiveFlag.store(true, ordering: .releasing)
  }

  /// Adds one who watches an id; it is shown the status at the end of the next slice.
  func add(_ observer: any StatusObserver, of id: EffectID) {
    book.withLock { $0.new.append((id, observer)) }
    isActiveFlag.store(true, ordering: .releasing)
  }

  /// Takes those who are new; from now on they are found by their id. Also the ids nobody watched before, and those nobody
  /// watches any more.
  func admit() -> (new: [(id: EffectID, observer: any StatusObserver)], observed: [EffectID], left: [EffectID]) {
    let (new, observed, isSweepDue) = book.withLock { book in
      let new = book.new
      var observed: [EffectID] = []
      book.new = []
      for (id, observer) in new {
        if book.byID[id] == nil { observed.append(id) }
        book.byID[id, default: []].append(observer)
      }
      book.count += new.count
      return (new, observed, book.count > 2 * book.countWhenSwept + 32)
    }
    return (new, observed, isSweepDue ? sweep() : [])
  }

  /// How many observe single ids, those who have left and were not missed yet included; for tests of the bound.
  var count: Int { book.withLock { $0.count } }

  func observers(of id: EffectID) -> [any StatusObserver] {
    book.withLock { ($0.byID[id] ?? []) + $0.ofAll }
  }

  /// Forgets those of an id who have left; whether none is there any more.
  func forgetLeft(of id: EffectID) -> Bool {
    var forgotten: [any StatusObserver] = []
    let isLast = book.withLock { book in
      // Their release may run user code, so it waits for the lock to be free.
      forgotten = (book.byID[id] ?? []).filter { !$0.isWatched } + book.ofAll.filter { !$0.isWatched }
      return Self.forget(id, in: &book)
    }
    close()
    withExtendedLifetime(forgotten) {}
    return isLast
  }

  private func sweep() -> [EffectID] {
    let ids = book.withLock { Array($0.byID.keys) }
    let left = ids.filter { forgetLeft(of: $0) }
    book.withLock { $0.countWhenSwept = $0.count }
    return left
  }

  private static func forget(_ id: EffectID, in book: inout Book) -> Bool {
    book.ofAll.removeAll { !$0.isWatched }
    guard let observers = book.byID[id] else { return false }
    let kept = observers.filter(\.isWatched)
    book.count -= observers.count - kept.count
    book.byID[id] = kept.isEmpty ? nil : kept
    return kept.isEmpty
  }

  /// Notes if the last has left.
  private func close() {
    book.withLock { book in
      let isEmpty = book.byID.isEmpty && book.ofAll.isEmpty && book.new.isEmpty
      isActiveFlag.store(!isEmpty, ordering: .releasing)
    }
  }

  /// The store is gone.
  func finish() {
    let book = book.withLock { book in
      defer { book = Book() }
      return book
    }
    for (_, observer) in book.new { observer.finish() }
    for observer in book.byID.values.joined() { observer.finish() }
    for observer in book.ofAll { observer.finish() }
  }
}

/// One who is told of statuses.
protocol StatusObserver: AnyObject, Sendable {
  /// The status of an id has changed; `before` is the same as `now` for one who is new.
  func offer(_ id: EffectID, before: EffectStatus, now: EffectStatus)
  func finish()
  var isWatched: Bool { get }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Synchronization

/// The observers of changes of statuses, found by the id.
///
/// A new observer is added under the lock, from any thread. It is filed by id later, on the store's isolation and
/// without the lock, because looking up an id may call the user's `==`.
final class StatusObservers: Sendable {
  private struct Book {
    /// Observers of every id.
    var ofAll: [any StatusObserver] = []
    /// Observers of an id that have not been shown a status yet.
    var new: [(id: EffectID, observer: any StatusObserver)] = []
    /// How many observers are found by their ids.
    var count = 0
    /// Nothing will be shown any more.
    var hasEnded = false

    var isEmpty: Bool { count == 0 && ofAll.isEmpty && new.isEmpty }
  }

  /// Used on the store's isolation only, and in the store's deinit.
  private struct Index {
    var byID: [EffectID: [any StatusObserver]] = [:]
    var count = 0
    /// How many there were at the last search for observers that have ended.
    var countWhenSwept = 0
  }

  private let book = Lock(Book())
  private let index = UncheckedCell(Index())
  /// Whether there are observers, readable without the lock.
  private let isActiveFlag = Atomic<Bool>(false)

  /// Whether there are observers.
  var isActive: Bool { isActiveFlag.load(ordering: .acquiring) }

  /// Adds an observer of every id. If the store has ended, the observer is finished at once; the same holds below.
  func add(_ observer: any StatusObserver) {
    add(observer) { $0.ofAll.append(observer) }
  }

  /// Adds an observer of an id; it is shown the status at the end of the next slice.
  func add(_ observer: any StatusObserver, of id: EffectID) {
    add(observer) { $0.new.append((id, observer)) }
  }

  private func add(_ observer: any StatusObserver, _ note: (inout Book) -> Void) {
    let hasEnded = book.withLock { book in
      if book.hasEnded { return true }
      note(&book)
      isActiveFlag.store(true, ordering: .releasing)
      return false
    }
    if hasEnded { observer.finish() }
  }

  /// Whether no observer is kept; for tests of that.
  var isEmpty: Bool { book.withLock { $0.isEmpty } }

  /// Takes the new observers; from now on they are found by their id.
  func admit() -> [(id: EffectID, observer: any StatusObserver)] {
    let new = book.withLock { book in
      defer { book.new = [] }
      book.count += book.new.count
      return book.new
    }
    for (id, observer) in new { index.value.byID[id, default: []].append(observer) }
    index.value.count += new.count
    if index.value.count > 2 * index.value.countWhenSwept + 32 { sweep() }
    return new
  }

  /// How many observe single ids, including observers that have ended and were not removed yet; for tests of the bound.
  var count: Int { book.withLock { $0.count } }

  /// The observers of an id, and those of every id.
  func observers(of id: EffectID) -> [any StatusObserver] {
    (index.value.byID[id] ?? []) + book.withLock { $0.ofAll }
  }

  /// Removes the observers of an id that have ended.
  func forgetLeft(of id: EffectID) {
    let before = index.value.byID[id] ?? []
    let kept = before.filter(\.isWatched)
    index.value.byID[id] = kept.isEmpty ? nil : kept
    index.value.count -= before.count - kept.count
    // They are found and released outside the lock: `isWatched` may retain the last reference to the watched object,
    // whose release runs user code.
    let ofAll = book.withLock { $0.ofAll }
    let left = Set(ofAll.filter { !$0.isWatched }.map { ObjectIdentifier($0) })
    book.withLock { book in
      if !left.isEmpty { book.ofAll.removeAll { left.contains(ObjectIdentifier($0)) } }
      book.count -= before.count - kept.count
      isActiveFlag.store(!book.isEmpty, ordering: .releasing)
    }
    withExtendedLifetime((before, ofAll)) {}
  }

  private func sweep() {
    for id in Array(index.value.byID.keys) { forgetLeft(of: id) }
    index.value.countWhenSwept = index.value.count
  }

  /// The store has ended or has been released.
  func finish() {
    let book = book.withLock { book in
      defer { book = Book(hasEnded: true) }
      isActiveFlag.store(false, ordering: .releasing)
      return book
    }
    var found = Index()
    swap(&found, &index.value)
    for (_, observer) in book.new { observer.finish() }
    for observer in found.byID.values.joined() { observer.finish() }
    for observer in book.ofAll { observer.finish() }
  }

  deinit { index.free() }
}

/// An object that observes statuses.
protocol StatusObserver: AnyObject, Sendable {
  /// The status of an id has changed; for a new observer `before` equals `now`.
  func offer(_ id: EffectID, before: EffectStatus, now: EffectStatus)
  /// The store has ended or has been released. Nothing is shown after this.
  func finish()
  /// Whether there is still a listener.
  var isWatched: Bool { get }
}

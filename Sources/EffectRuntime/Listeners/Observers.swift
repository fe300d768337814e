// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import Synchronization

/// All observers of a store.
// SAFETY: `watchedRows` is used on the store's isolation only; the rest is constant and `Sendable`.
@usableFromInline
final class Observers: @unchecked Sendable {
  /// Observers that see the state after each slice of work.
  @usableFromInline let slices = ObserverList()
  /// Observers that see the state at the end of every turn.
  @usableFromInline let turns = ObserverList()
  let statuses = StatusObservers()
  /// What the observers of rows and the combinators of rows tell each other.
  let watchedRows = WatchedRows()

  /// Whether no observer is kept; for tests of that.
  var isEmpty: Bool { slices.isEmpty && turns.isEmpty }

  /// Whether there may be observers of statuses.
  @usableFromInline
  var isStatusWatched: Bool { statuses.isActive }

  /// Adds an observer that is shown the state at the end of the next slice.
  func add(_ observer: any StateObserver) { slices.add(observer) }

  /// The store has ended or has been released.
  func finish() {
    slices.finish()
    turns.finish()
    statuses.finish()
  }
}

/// The observers that are shown the state at the same moments.
@usableFromInline
final class ObserverList: Sendable {
  private struct Book {
    var list: [any StateObserver] = []
    /// The observers of all rows of a collection, by the hashes of its path. Not by the path: its equality may be code of users.
    var groups: [Int: [(path: AnyKeyPath, observer: any StateObserver)]] = [:]
    /// Nothing will be shown any more.
    var hasEnded = false
  }

  private let book = Lock(Book())
  /// Saves the lock for a store without observers.
  private let count = Atomic<Int>(0)

  /// Adds an observer. If the list has ended, the observer is finished at once.
  func add(_ observer: any StateObserver) {
    let hasEnded = book.withLock { book in
      if book.hasEnded { return true }
      book.list.append(observer)
      count.store(book.list.count, ordering: .releasing)
      return false
    }
    if hasEnded { observer.finish() }
  }

  /// Adds something to the one observer of a collection. If the list has ended, that is not done.
  ///
  /// - Parameters:
  ///   - collection: the path of the collection.
  ///   - add: adds it; `false` if the observer has left.
  ///   - make: makes an observer of the collection, if there is none.
  ///   - end: called if the list has ended.
  func add(
    to collection: AnyKeyPath, _ add: (any StateObserver) -> Bool, orTo make: () -> any StateObserver,
    orEnd end: () -> Void
  ) {
    let hash = collection.hashValue
    guard let groups = book.withLock({ $0.hasEnded ? nil : $0.groups[hash] ?? [] }) else { return end() }
    if groups.contains(where: { $0.path == collection && add($0.observer) }) { return }
    // If two are made at the same time, there are two.
    let group = make()
    _ = add(group)
    let hasEnded = book.withLock { book in
      if book.hasEnded { return true }
      book.groups[hash, default: []].append((collection, group))
      book.list.append(group)
      count.store(book.list.count, ordering: .releasing)
      return false
    }
    if hasEnded { group.finish() }
  }

  /// Whether no observer is kept; for tests of that.
  var isEmpty: Bool { book.withLock { $0.list.isEmpty } }

  /// Whether there may be observers.
  @usableFromInline
  var isWatched: Bool { count.load(ordering: .acquiring) > 0 }

  /// Shows the state to all observers, on the store's isolation. Observers that have no listener any more are removed.
  ///
  /// - Parameters:
  ///   - state: the state, valid during the call.
  ///   - effects: makes the description of all present work, for observers that need it.
  @usableFromInline
  func offer(_ state: StateInPlace, _ effects: () -> LiveEffects) {
    guard isWatched else { return }
    let observers = book.withLock { $0.list }
    var hasLeft = false
    for observer in observers where !observer.offer(state, effects) { hasLeft = true }
    guard hasLeft else { return }
    // They are found and released outside the lock: `isWatched` may retain the last reference to the watched object,
    // whose release runs user code.
    let left = Set(observers.filter { !$0.isWatched }.map { ObjectIdentifier($0) })
    book.withLock { book in
      book.list.removeAll { left.contains(ObjectIdentifier($0)) && $0.leaves() }
      if !book.groups.isEmpty {
        book.groups = book.groups.compactMapValues { groups in
          let kept = groups.filter { !$0.observer.leaves() }
          return kept.isEmpty ? nil : kept
        }
      }
      count.store(book.list.count, ordering: .releasing)
    }
    withExtendedLifetime(observers) {}
  }

  /// The store has ended or has been released.
  func finish() {
    let observers = book.withLock { book in
      defer { book = Book(hasEnded: true) }
      return book.list
    }
    for observer in observers { observer.finish() }
  }
}

/// An object that observes a part of the state.
protocol StateObserver: AnyObject, Sendable {
  /// Shows the state; returns `false` if there is no listener any more.
  func offer(_ state: StateInPlace, _ effects: () -> LiveEffects) -> Bool
  /// The store has ended or has been released. Nothing is shown after this.
  func finish()
  /// Whether there is still a listener.
  var isWatched: Bool { get }
  /// It is about to be removed, because there was no listener; `false` if there is one again. Calls no code of users.
  func leaves() -> Bool
}

extension StateObserver {
  func leaves() -> Bool { true }
}

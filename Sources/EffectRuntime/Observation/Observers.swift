// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

/// Everybody who looks at a store.
@usableFromInline
final class Observers: Sendable {
  /// Those who want to see the state whenever a slice of work has been done.
  @usableFromInline let slices = ObserverList()
  /// Those who want to see it at the end of every turn.
  @usableFromInline let turns = ObserverList()
  let statuses = StatusObservers()
  let pressure = BackPressure()

  /// Whether nobody is kept; for tests of that.
  var isEmpty: Bool { slices.isEmpty && turns.isEmpty }

  /// Whether anybody may look at statuses.
  @usableFromInline
  var isStatusWatched: Bool { statuses.isActive }

  /// Adds one who is shown the state at the end of the next slice.
  func add(_ observer: any StateObserver) { slices.add(observer) }

  /// The store is gone, or has come to its end.
  func finish() {
    slices.finish()
    turns.finish()
    statuses.finish()
    pressure.end()
  }
}

/// Those who are shown the state at the same moments.
@usableFromInline
final class ObserverList: Sendable {
  private struct Book {
    var list: [any StateObserver] = []
    /// Nothing will be shown any more.
    var hasEnded = false
  }

  private let book = Lock(Book())
  /// Spares a store that nobody watches the lock.
  private let count = Atomic<Int>(0)

  /// Adds an observer. One that comes too late is told so.
  func add(_ observer: any StateObserver) {
    let hasEnded = book.withLock { book in
      if book.hasEnded { return true }
      book.list.append(observer)
      count.store(book.list.count, ordering: .releasing)
      return false
    }
    if hasEnded { observer.finish() }
  }

  /// Whether nobody is kept; for tests of that.
  var isEmpty: Bool { book.withLock { $0.list.isEmpty } }

  /// Whether anybody may be there.
  @usableFromInline
  var isWatched: Bool { count.load(ordering: .acquiring) > 0 }

  /// Shows the state to everybody, on the store's isolation. Those nobody listens to any more are forgotten.
  ///
  /// - Parameter effects: what lives, for those who want to know.
  @usableFromInline
  func offer(_ state: StateInPlace, _ effects: () -> LiveEffects) {
    guard isWatched else { return }
    let observers = book.withLock { $0.list }
    var hasLeft = false
    for observer in observers where !observer.offer(state, effects) { hasLeft = true }
    guard hasLeft else { return }
    // They are looked for and let go of outside the lock: to ask one may keep the last of it, whose release runs user code.
    let left = Set(observers.filter { !$0.isWatched }.map { ObjectIdentifier($0) })
    book.withLock { book in
      book.list.removeAll { left.contains(ObjectIdentifier($0)) }
      count.store(book.list.count, ordering: .releasing)
    }
    withExtendedLifetime(observers) {}
  }

  /// The store is gone, or has come to its end.
  func finish() {
    let observers = book.withLock { book in
      defer { book = Book(hasEnded: true) }
      return book.list
    }
    for observer in observers { observer.finish() }
  }
}

/// One who watches a part of the state.
protocol StateObserver: AnyObject, Sendable {
  /// Shows the state; `false` if nobody listens any more.
  func offer(_ state: StateInPlace, _ effects: () -> LiveEffects) -> Bool
  func finish()
  var isWatched: Bool { get }
}

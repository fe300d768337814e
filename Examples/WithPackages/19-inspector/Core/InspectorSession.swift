// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime
import Synchronization

/// All stores that are inspected together, and their forks. Knows nothing of HTTP.
///
/// - Lifetime: does not keep the stores that were attached alive. It keeps their histories, and forks until they are
///   dropped.
/// - Isolation: usable from any thread.
public final class InspectorSession: Sendable {
  /// How many forks there may be.
  public static let mostForks = 8

  private struct Book {
    var stores: [any InspectedStore] = []
    var names: Set<String> = []
    var numbers = 0

    mutating func next() -> Int {
      numbers += 1
      return numbers
    }
  }

  private let book = Mutex(Book())

  /// A session without stores.
  public init() {}

  /// All stores, in the order in which they were added.
  public var stores: [any InspectedStore] { book.withLock { $0.stores } }

  /// The store with a number.
  ///
  /// - Throws: ``InspectorError/unknownStore(_:)``.
  public func store(_ id: Int) throws(InspectorError) -> any InspectedStore {
    guard let store = stores.first(where: { $0.id == id }) else { throw .unknownStore(id) }
    return store
  }

  /// Attaches a store: its newest 100,000 actions are kept from now on.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - name: what the page calls it.
  ///   - reducer: what the store reduces with, for jumps and forks. Its effects are run only by a fork that is continued,
  ///     so give it stubs.
  ///   - codec: reads actions that are sent by hand, and writes exports. It is not called before that.
  ///   - test: how an exported test makes the reducer and the codec; by default from the name of the reducer's type.
  /// - Returns: the number of the store.
  /// - Throws: ``InspectorError/nameInUse(_:)``.
  @discardableResult
  public func attach<R: Reducer & Sendable>(
    _ store: Store<R>, name: String, reducer: R, codec: RecordingCodec<R.State, R.Action>,
    test: TestExpressions? = nil
  ) async throws(InspectorError) -> Int where R.State: Sendable {
    let id: Int? = book.withLock { $0.names.insert(name).inserted ? $0.next() : nil }
    guard let id else { throw .nameInUse(name) }
    let recorder = await store.recordHistory()
    add(
      Inspected(
        id: id, name: name, .attached(.init(store)), recorder, reducer: reducer, codec: codec,
        test: test ?? TestExpressions(reducer: "\(R.self)()", codec: "\(R.self).codec")))
    return id
  }

  /// Forks a store.
  ///
  /// - Parameters:
  ///   - id: the store, which may be a fork itself.
  ///   - position: the position with whose state the fork begins.
  /// - Returns: the number of the fork, which runs no effect.
  /// - Throws: ``InspectorError``.
  public func fork(_ id: Int, at position: Int) async throws -> Int {
    let store = try store(id)
    let number = book.withLock { $0.next() }
    let fork = try await store.fork(at: position, as: number, named: "\(store.name) @ \(position)")
    try addFork(fork, replacing: nil)
    return number
  }

  /// Replaces a fork by one that runs the effects of the reducer with which the store was attached.
  ///
  /// - Parameter id: the fork.
  /// - Returns: the number of the fork that replaces it.
  /// - Throws: ``InspectorError/notAFork(_:)`` and others.
  public func continueFork(_ id: Int) async throws -> Int {
    let store = try store(id)
    let number = book.withLock { $0.next() }
    let continued = try await store.continued(as: number, named: "\(store.name), continued")
    try addFork(continued, replacing: id)
    return number
  }

  /// Drops a fork: it is released, and its runs are cancelled.
  ///
  /// - Throws: ``InspectorError/notAFork(_:)`` for a store that was attached.
  public func drop(_ id: Int) throws(InspectorError) {
    let store = try store(id)
    guard store.isFork else { throw .notAFork(store.name) }
    // Released outside the lock, because that runs user code.
    let removed = book.withLock { book in
      let removed = book.stores.filter { $0.id == id }
      book.stores.removeAll { $0.id == id }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  private func add(_ store: any InspectedStore) {
    book.withLock { $0.stores.append(store) }
  }

  /// Adds a fork, unless there are too many, and removes the one that it replaces.
  private func addFork(_ fork: any InspectedStore, replacing former: Int?) throws(InspectorError) {
    let removed: [any InspectedStore]? = book.withLock { book in
      let removed = book.stores.filter { $0.id == former }
      guard book.stores.count(where: \.isFork) - removed.count < Self.mostForks else { return nil }
      book.stores.removeAll { $0.id == former }
      book.stores.append(fork)
      return removed
    }
    guard let removed else { throw .tooManyForks(Self.mostForks) }
    withExtendedLifetime(removed) {}
  }
}

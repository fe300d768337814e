// This source file is part of swift-effects. License: Apache-2.0.

/// A task-local that a store carries from the code that sends an action to the runs that the action causes (rule L8).
///
/// ```swift
/// let store = Store(
///   initialState: Orders.State(), reducer: Orders(), carrying: [CarriedValue(ServiceContext.$current)])
/// ```
///
/// A run inherits no other task-locals: it executes in a task of the store. With this, a run has the value that the
/// local had where `send` or `request` was called, for example the context of the request that it works for, or its
/// logger.
///
/// - Isolation: a value; usable from any thread.
public struct CarriedValue: Sendable {
  let capture: @Sendable () -> CarriedContext.Binding

  /// Carries a task-local.
  ///
  /// - Parameter local: the local, with its dollar sign: `ServiceContext.$current`.
  public init<Value: Sendable>(_ local: TaskLocal<Value>) {
    capture = {
      let value = local.get()
      return { work in try await local.withValue(value) { try await work() } }
    }
  }
}

/// The values that the carried task-locals had where an action was sent.
@usableFromInline
package struct CarriedContext: Sendable {
  package typealias Work = @concurrent @Sendable () async throws -> Void
  typealias Binding = @concurrent @Sendable (Work) async throws -> Void

  private let bindings: [Binding]

  init(of values: [CarriedValue]) {
    bindings = values.map { $0.capture() }
  }

  /// Calls a closure with the values.
  @concurrent
  package func bind(_ work: @escaping Work) async throws {
    try await Self.bind(bindings[...], work)
  }

  @concurrent
  private static func bind(_ bindings: ArraySlice<Binding>, _ work: @escaping Work) async throws {
    guard let outermost = bindings.first else { return try await work() }
    try await outermost { try await bind(bindings.dropFirst(), work) }
  }
}

/// The contexts of the actions from outside that may still start runs, by the numbers of their dispatches.
///
/// - Isolation: usable from any thread. No user code is called while its lock is held.
@usableFromInline
package final class CarriedContexts: Sendable {
  private struct Book {
    var contexts: [UInt64: CarriedContext] = [:]
    /// When this many actions have been taken, the contexts of settled dispatches are removed.
    var nextSweep: UInt64 = 32
  }

  private let values: [CarriedValue]
  private let book = Lock(Book())

  /// Keeps the contexts of a store.
  ///
  /// - Parameter values: what the store carries.
  /// - Returns: `nil` if it carries nothing, which then costs nothing.
  @usableFromInline
  package init?(_ values: [CarriedValue]) {
    if values.isEmpty { return nil }
    self.values = values
  }

  /// The present values, in the task that calls this.
  @usableFromInline
  package func capture() -> CarriedContext { CarriedContext(of: values) }

  /// Keeps the context of an action, by the number of its dispatch. Called before the action can be taken.
  @usableFromInline
  package func add(_ context: CarriedContext, of dispatch: UInt64) {
    book.withLock { $0.contexts[dispatch] = context }
  }

  /// The context of a dispatch; `nil` if its action did not come from outside.
  func context(of dispatch: UInt64) -> CarriedContext? { book.withLock { $0.contexts[dispatch] } }

  /// Removes the contexts of dispatches that start no more runs. Mostly it does nothing, because few actions have been
  /// taken since the last time.
  ///
  /// - Parameters:
  ///   - taken: how many actions have been taken. Those that wait have higher numbers, and keep their contexts.
  ///   - isActive: whether a dispatch whose action was taken may still start a run.
  /// - Complexity: O(1) amortised for each context.
  func sweep(taken: UInt64, _ isActive: (UInt64) -> Bool) {
    let candidates = book.withLock { book in taken < book.nextSweep ? [] : Array(book.contexts.keys) }
    guard !candidates.isEmpty else { return }
    let settled = candidates.filter { $0 <= taken && !isActive($0) }
    // Values are released after the lock, because a `deinit` may be user code.
    let removed = book.withLock { book in
      let removed = settled.map { book.contexts.removeValue(forKey: $0) }
      // Not before as many actions were taken as contexts were kept, so that the work is in proportion to them.
      book.nextSweep = taken + UInt64(max(32, book.contexts.count))
      return removed
    }
    _ = consume removed
  }

  /// How many contexts are kept; for tests.
  var count: Int { book.withLock { $0.contexts.count } }
}

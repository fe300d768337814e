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
/// Code that the store calls itself (the reducer, `onFailure`, listeners, answers of requests) has no defined value: it
/// may execute in the task of another sender. What it sends carries that value.
///
/// - Isolation: a value; usable from any thread.
/// - Lifetime: the store keeps the values while the action may cause work, and a little longer. They may be released while
///   the store works, so the `deinit` of a value must not query the store.
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

/// The contexts of the actions from outside, by the numbers of their dispatches, until these have settled or a little longer.
///
/// - Isolation: usable from any thread. No user code is called while its lock is held.
@usableFromInline
package final class CarriedContexts: Sendable {
  private struct Book {
    var contexts: [UInt64: CarriedContext] = [:]
    /// The highest number that was added.
    var last: UInt64 = 0
    /// How often the engine has looked for settled dispatches.
    var looks: UInt64 = 0
    /// The number of actions taken and of looks at which they are looked for next.
    var nextSweep: UInt64 = 32
  }

  /// What the store carries.
  package let values: [CarriedValue]
  private let book = Lock(Book())

  private init(of values: [CarriedValue]) {
    self.values = values
  }

  /// Makes the contexts of a store; `nil` if it carries nothing.
  // Not a failable initialiser: that would allocate first.
  @usableFromInline
  package static func make(_ values: [CarriedValue]) -> CarriedContexts? {
    values.isEmpty ? nil : CarriedContexts(of: values)
  }

  /// The present values, in the task that calls this.
  @usableFromInline
  package func capture() -> CarriedContext { CarriedContext(of: values) }

  /// Keeps the context of an action, by the number of its dispatch. Called before the action can be taken.
  @usableFromInline
  package func add(_ context: CarriedContext, of dispatch: UInt64) {
    let former = book.withLock { book in
      book.last = max(book.last, dispatch)
      return book.contexts.updateValue(context, forKey: dispatch)
    }
    // Values are released after the lock, here and below, because a `deinit` may be user code.
    withExtendedLifetime(former) {}
  }

  /// The context of a dispatch; `nil` if its action did not come from outside.
  func context(of dispatch: UInt64) -> CarriedContext? { book.withLock { $0.contexts[dispatch] } }

  /// Removes the contexts of dispatches that start no more runs: all of them if the store has nothing to do, and otherwise
  /// only sometimes.
  ///
  /// - Parameters:
  ///   - taken: how many actions have been taken. Those that wait have higher numbers, and keep their contexts.
  ///   - isIdle: whether no dispatch whose action was taken may start a run.
  ///   - isActive: whether such a dispatch may start a run.
  /// - Complexity: O(1) amortised for each context and call.
  func sweep(taken: UInt64, isIdle: Bool, _ isActive: (UInt64) -> Bool) {
    let (candidates, all): ([UInt64], [UInt64: CarriedContext]) = book.withLock { book in
      if isIdle, book.last <= taken {
        defer { book.contexts = [:] }
        return ([], book.contexts)
      }
      book.looks += 1
      return (taken + book.looks < book.nextSweep ? [] : Array(book.contexts.keys), [:])
    }
    withExtendedLifetime(all) {}
    guard !candidates.isEmpty else { return }
    let settled = candidates.filter { $0 <= taken && !isActive($0) }
    let removed = book.withLock { book in
      let removed = settled.map { book.contexts.removeValue(forKey: $0) }
      // Not before as much has happened as contexts were kept, so that the work is in proportion to them.
      book.nextSweep = taken + book.looks + UInt64(max(32, book.contexts.count))
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// Removes all contexts, because the store was released.
  func clear() {
    let all = book.withLock { book in
      defer { book.contexts = [:] }
      return book.contexts
    }
    withExtendedLifetime(all) {}
  }

  /// How many contexts are kept; for tests.
  var count: Int { book.withLock { $0.contexts.count } }
}

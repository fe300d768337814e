// This source file is part of swift-effects. License: Apache-2.0.

/// For each type of element, the first number of which all that follow are unused in the stacks of a store.
package struct StackNumbers: Sendable {
  private var unused: [(type: ObjectIdentifier, number: Int)] = []

  /// Nothing is used.
  package init() {}

  /// The first unused number.
  func unused(for type: ObjectIdentifier) -> Int {
    // A store has stacks of a few types.
    for entry in unused where entry.type == type { return entry.number }
    return 0
  }

  /// Adds the numbers to a hash.
  package func add(to hasher: inout Hasher) {
    for entry in unused {
      hasher.combine(entry.type)
      hasher.combine(entry.number)
    }
  }

  /// All numbers below this one are used from now on.
  mutating func use(below number: Int, for type: ObjectIdentifier) {
    if let index = unused.firstIndex(where: { $0.type == type }) {
      unused[index].number = max(unused[index].number, number)
    } else {
      unused.append((type, number))
    }
  }
}

/// What a store remembers of its stacks, so that no id comes again: a state that is restored does not know which ids were
/// given since (rule M8).
///
/// A reducer is a pure function of state and action, and cannot be given this object. So it is bound to the thread while
/// actions are reduced for a store, and ``ChildStack`` asks for it when it generates an id. Outside of a store there is none.
///
/// What a reduction uses counts from its end on. So the ids do not depend on the order in which a reducer, or the closure of a
/// test that describes the same change, changes several stacks.
///
/// - Isolation: that of its store.
@usableFromInline
package final class StackCounter {
  /// What was used before the reduction at hand.
  package private(set) var numbers: StackNumbers
  /// What is used after it.
  private var next: StackNumbers
  // In a cell, so that no access is checked at run time: a store reads it after each action.
  @usableFromInline let newNumbers = UncheckedCell(false)
  /// What was used when ``mark()`` was called.
  private var marked: StackNumbers
  /// The rows that the store's observers watch.
  package var watchedRows: WatchedRows?

  /// A counter that goes on after these numbers.
  package init(_ numbers: StackNumbers = StackNumbers()) {
    (self.numbers, next, marked) = (numbers, numbers, numbers)
  }

  deinit { newNumbers.free() }

  /// Whether the reduction at hand has used a number.
  @inlinable
  package var hasNew: Bool { newNumbers.value }

  /// Nothing is used any more: a shell uses its engine for another store.
  @usableFromInline
  package func reset() {
    (numbers, next, marked) = (StackNumbers(), StackNumbers(), StackNumbers())
    newNumbers.value = false
  }

  /// The number of a new element.
  func number(notBelow number: Int, for type: ObjectIdentifier) -> Int {
    let number = max(number, numbers.unused(for: type))
    use(below: number + 1, for: type)
    return number
  }

  /// A stack was seen that has used the numbers below this one.
  func use(below number: Int, for type: ObjectIdentifier) {
    guard number > numbers.unused(for: type) else { return }
    next.use(below: number, for: type)
    newNumbers.value = true
  }

  /// The reduction at hand has ended.
  @usableFromInline
  package func endReduction() {
    numbers = next
    newNumbers.value = false
  }

  /// An expectation of a test counts from here.
  @usableFromInline
  package func mark() { marked = numbers }

  // MARK: - The thread

  private static let bound = ThreadValue()

  /// The counter of the store for which this thread reduces.
  static var current: StackCounter? {
    // SAFETY: the one who binds a counter keeps it, and binds the former one again before it is released.
    unsafe bound?.pointer.map { unsafe Unmanaged<StackCounter>.fromOpaque($0).takeUnretainedValue() }
  }

  /// What was bound to a thread before.
  @usableFromInline
  @safe
  package struct Binding {
    // SAFETY: it is bound again and not read.
    fileprivate let former: UnsafeRawPointer?
  }

  /// Binds this counter to the thread. Keep the counter until you have called ``unbind(_:)``, on the same thread.
  ///
  /// - Returns: what was bound before.
  @usableFromInline
  package func bind() -> Binding {
    // SAFETY: only the address is kept; see `current`.
    let binding = unsafe Binding(former: Self.bound?.pointer)
    unsafe Self.bound?.pointer = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    return binding
  }

  /// Binds again what was bound before.
  @usableFromInline
  package static func unbind(_ binding: Binding) {
    // SAFETY: see `current`.
    unsafe bound?.pointer = binding.former
  }

  /// Calls a closure that reduces an action, or reads a state, for the owner of this counter.
  package func count<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let binding = bind()
    defer {
      Self.unbind(binding)
      if hasNew { endReduction() }
    }
    return try body()
  }

  /// Calls a closure that repeats what was reduced since ``mark()``, so that it generates the same ids.
  @usableFromInline
  package func repeating<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try StackCounter(marked).count(body)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// A value in memory of its own, which only one isolation or one thread at a time uses: a part of a store, or of a schedule
/// that one thread plays.
///
/// Accesses to a plain property of an actor or a class are checked for overlaps at run time. This check, several times an
/// action, took a third of the time of an action. Here there is no check. The code that uses the cell must ensure that no
/// two accesses to the same part overlap, also if user code is called in between.
@usableFromInline
@safe
// SAFETY: the owner allocates it, and frees it in its deinit, when no other code can use it. The owner is a store, a shell
// or a part of one, and uses the cell on one isolation only; or it belongs to a schedule, which one thread at a time plays.
package struct UncheckedCell<Value>: @unchecked Sendable {
  @usableFromInline package let address: UnsafeMutablePointer<Value>

  /// Allocates memory for a value. Call ``free()`` to release it.
  ///
  /// - Parameter value: the first value.
  package init(_ value: consuming sending Value) {
    // SAFETY: the memory has room for one value, and is initialized once.
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(to: value)
  }

  /// The value, read and changed in place. Accesses must not overlap, and must not come after ``free()``.
  @inlinable
  package var value: Value {
    // SAFETY: the memory is initialized until `free()`. The code that uses the cell ensures that accesses do not overlap.
    _read { yield unsafe address.pointee }
    nonmutating _modify { yield unsafe &address.pointee }
  }

  /// Releases the value and its memory. Call it once, as the last use.
  package func free() {
    // SAFETY: called once, by the owner, as the last use.
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }
}

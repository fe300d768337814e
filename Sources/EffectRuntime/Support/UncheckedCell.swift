// This source file is part of swift-effects. License: Apache-2.0.

/// A value in memory of its own, which only one isolation or one thread at a time uses: a part of a store, or of a schedule
/// that one thread plays.
///
/// Not a plain property of an actor or a class: accesses to those are checked for overlaps at run time, and this check, several
/// times an action, took a third of the time of an action. Here there is no check. The code that uses it must ensure
/// that no two accesses to the same part overlap, whatever user code does in between.
@usableFromInline
@safe
// SAFETY: the owner allocates it, is its only user, and frees it in its deinit, when no other code can see it. The owner is
// a store or a shell, which uses it on its isolation only, or belongs to a schedule, which one thread at a time plays.
package struct UncheckedCell<Value>: @unchecked Sendable {
  @usableFromInline let address: UnsafeMutablePointer<Value>

  package init(_ value: consuming sending Value) {
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(to: value)
  }

  @inlinable
  package var value: Value {
    _read { yield unsafe address.pointee }
    nonmutating _modify { yield unsafe &address.pointee }
  }

  /// Releases the value and its memory. Call it once, as the last use.
  package func free() {
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }
}

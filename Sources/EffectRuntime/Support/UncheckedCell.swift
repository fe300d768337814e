// This source file is part of swift-effects. License: Apache-2.0.

/// A part of a store that only the store's isolation touches, in memory of its own.
///
/// Not a plain property of the actor: accesses to those are checked for overlaps at run time, and looking that up several
/// times an action made a third of its cost. Here nobody checks, so whoever uses it sees to it that no two accesses to
/// the same part overlap, whatever user code does in between.
@usableFromInline
@safe
// SAFETY: allocated for the store's life and freed in its deinit; touched on its isolation only, and in its deinit, when
// nobody else can see it.
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

  /// Lets go of the value and its memory. Once, and the last thing that is done with it.
  package func free() {
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import AllocationCounter

/// Counts heap allocations, so that "allocates nothing" can be tested as a fact and not as a time.
package enum Allocations {
  /// Whether this build can count: only with glibc, and not under a sanitizer, which wants `malloc` for itself.
  package static var areCounted: Bool { allocation_counter_is_available() }

  /// How much of the heap is in use, in bytes; 0 where ``areCounted`` is false.
  package static var bytesInUse: Int { Int(allocation_heap_bytes()) }

  /// The most memory that the process had so far, in bytes.
  package static var peakBytes: Int { Int(allocation_peak_bytes()) }

  /// The number of blocks that the body allocates on this thread.
  ///
  /// The body is run once before it is measured: the first use of a generic type allocates its metadata, once in the
  /// life of the process.
  package static func count(_ body: () -> Void) -> Int {
    body()
    let before = allocation_counter_value()
    body()
    return Int(allocation_counter_value() - before)
  }

  /// Uses a value in a way the optimiser cannot see through, so that it has to be made.
  @inline(never)
  @_optimize(none)
  package static func keep<Value>(_ value: borrowing Value) {}
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import AllocationCounter

/// Counts heap allocations, so that a test can check "allocates nothing" directly, and not by a time.
package enum Allocations {
  /// Whether this build can count: only with glibc, and not under a sanitizer, which replaces `malloc` itself.
  package static var areCounted: Bool { allocation_counter_is_available() }

  /// The used bytes of the heap; 0 if ``areCounted`` is false.
  package static var bytesInUse: Int { Int(allocation_heap_bytes()) }

  /// The peak of the memory of the process so far, in bytes.
  package static var peakBytes: Int { Int(allocation_peak_bytes()) }

  /// The number of blocks that the body allocates on this thread.
  ///
  /// The body is run once before it is measured, because the first use of a generic type allocates its metadata, once
  /// per process.
  package static func count(_ body: () -> Void) -> Int {
    body()
    let before = allocation_counter_value()
    body()
    return Int(allocation_counter_value() - before)
  }

  /// Uses a value in a way that the optimiser cannot analyse, so that the value must be created.
  @inline(never)
  @_optimize(none)
  package static func keep<Value>(_ value: borrowing Value) {}
}

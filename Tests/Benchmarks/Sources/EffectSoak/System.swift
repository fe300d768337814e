// This source file is part of swift-effects. License: Apache-2.0.

internal import Foundation
internal import HeapSize
internal import Synchronization

/// Nanoseconds of a clock that does not stop while the machine sleeps.
func now() -> UInt64 {
  clock_gettime_nsec()
}

private func clock_gettime_nsec() -> UInt64 {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Megabytes of the heap that are allocated now.
func heapInUse() -> Double {
  Double(heap_size_in_use()) / 1_048_576
}

/// Threads that use one core each, as other programs do, until they are stopped.
final class BusyThreads: Sendable {
  private let isOver = Atomic(false)

  init(_ count: Int) {
    for _ in 0..<count {
      Thread { [self] in
        var number: UInt64 = 1
        while !isOver.load(ordering: .relaxed) {
          for _ in 0..<100_000 { number = number &* 6_364_136_223_846_793_005 &+ 1 }
        }
        if number == 0 { print("never") }
      }.start()
    }
  }

  func end() {
    isOver.store(true, ordering: .relaxed)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The duration of work, divided by its number of units.
func nanoseconds(per count: Int, _ work: () async -> Void) async -> Double {
  nanoseconds(await ContinuousClock().measure { await work() }) / Double(count)
}

func nanoseconds(_ duration: Duration) -> Double {
  let (seconds, attoseconds) = duration.components
  return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
}

/// Keeps the thread busy for the given time.
func beBusy(for duration: Duration) {
  let end = ContinuousClock.now + duration
  while ContinuousClock.now < end {}
}

/// How long all processors together were busy with work, divided by its number of units.
///
/// Other programs hardly affect it, but it does not include waiting either. So it is only for comparing a contestant
/// with itself.
func processorNanoseconds(per count: Int, _ work: () async -> Void) async -> Double {
  let before = clock()
  await work()
  // POSIX: `clock` counts microseconds.
  return Double(clock() - before) * 1_000 / Double(count)
}

/// Signals once that all is done. It is the same for every contestant, so that none is faster because of a better way
/// to wait.
final class Signal: Sendable {
  private let flag = Flag()

  func give() { flag.give() }

  func wait() async { await flag.wait() }
}

/// The content of a signal, for objects that contain one without another allocation. One waiter is allowed.
struct Flag: ~Copyable, Sendable {
  enum Phase {
    case pending
    case awaited(CheckedContinuation<Void, Never>)
    case given
  }

  private let phase = Mutex<Phase>(.pending)

  borrowing func give() {
    let waiting: CheckedContinuation<Void, Never>? = phase.withLock { phase in
      defer { phase = .given }
      if case .awaited(let continuation) = phase { return continuation }
      return nil
    }
    waiting?.resume()
  }

  borrowing func wait() async {
    await withCheckedContinuation { continuation in
      let isGiven = phase.withLock { phase in
        if case .given = phase { return true }
        phase = .awaited(continuation)
        return false
      }
      if isGiven { continuation.resume() }
    }
  }
}

/// Work that the optimiser can neither analyse nor move: the work of a producer between two sends.
///
/// Without it the optimiser may merge the sends of a loop into one section under the lock. Then the contention would
/// disappear, which is the topic of a row with several producers. It takes a few nanoseconds, the same for all
/// contestants.
@inline(never)
func opaqueWork(_ seed: Int) -> Int {
  var value = UInt64(bitPattern: Int64(seed)) | 1
  value ^= value << 13
  value ^= value >> 7
  value ^= value << 17
  return Int(truncatingIfNeeded: value & 0xff)
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// How long work takes, divided by how many units of it there are.
func nanoseconds(per count: Int, _ work: () async -> Void) async -> Double {
  nanoseconds(await ContinuousClock().measure { await work() }) / Double(count)
}

func nanoseconds(_ duration: Duration) -> Double {
  let (seconds, attoseconds) = duration.components
  return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
}

/// Keeps the thread busy for so long.
func beBusy(for duration: Duration) {
  let end = ContinuousClock.now + duration
  while ContinuousClock.now < end {}
}

/// How long all processors together were busy with work, divided by how many units of it there are.
///
/// What other programs do hardly shows in it, but neither does waiting: for comparing a thing with itself.
func processorNanoseconds(per count: Int, _ work: () async -> Void) async -> Double {
  let before = clock()
  await work()
  // POSIX: `clock` counts microseconds.
  return Double(clock() - before) * 1_000 / Double(count)
}

/// Says once that all is done; the same for every contestant, so that none is timed by a better way of waiting.
final class Signal: Sendable {
  private let flag = Flag()

  func give() { flag.give() }

  func wait() async { await flag.wait() }
}

/// What a signal consists of, for objects that want one without another allocation. One may wait.
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

/// Work that the optimiser can neither see through nor move: what a producer does between two sends.
///
/// Without it the optimiser may merge the sends of a loop into one stretch under the lock, and the contention that a
/// row with several producers is about is gone. A few nanoseconds, the same for all contestants.
@inline(never)
func opaqueWork(_ seed: Int) -> Int {
  var value = UInt64(bitPattern: Int64(seed)) | 1
  value ^= value << 13
  value ^= value >> 7
  value ^= value << 17
  return Int(truncatingIfNeeded: value & 0xff)
}

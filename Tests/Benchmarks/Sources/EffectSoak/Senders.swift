// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Foundation
internal import Synchronization

/// One wave of load: it grows to a peak and shrinks again.
struct Wave: Sendable {
  var name: String
  /// The share of the store's capacity that is sent at the peak; `nil` for producers that wait for delivery.
  var peak: Double?

  /// The share of its work that has been sent after a share of its time: the integral of a triangle, 1 at the end.
  static func share(at time: Double) -> Double {
    time < 0.5 ? 2 * time * time : 1 - 2 * (1 - time) * (1 - time)
  }
}

/// Threads that send at their own rate, independent of the store.
struct Senders {
  let store: Store<Feature>
  let meter: Meter
  let count: Int

  /// Sends a wave with the given number of actions a second at its peak. Returns when all have been sent.
  func send(peak: Double, for seconds: Double, numbers: inout [UInt64]) async {
    let total = peak * seconds / 2 / Double(count)
    let begun = now()
    numbers = await withTaskGroup(of: (Int, UInt64).self) { group in
      for (sender, number) in numbers.prefix(count).enumerated() {
        group.addTask { await onThread { send(as: sender, total, for: seconds, from: begun, after: number) } }
      }
      return await group.reduce(into: numbers) { $0[$1.0] = $1.1 }
    }
  }

  private func send(
    as sender: Int, _ total: Double, for seconds: Double, from begun: UInt64, after number: UInt64
  ) -> (Int, UInt64) {
    var sent = 0
    while true {
      let time = Double(now() - begun) / 1e9 / seconds
      let due = Int(total * Wave.share(at: min(time, 1)))
      while sent < due {
        sent += 1
        let stamp = Feature.Stamp(sender: sender, number: number + UInt64(sent), sent: now())
        meter.sent.add(1, ordering: .relaxed)
        store.send(sent % 16 == 0 ? .look(stamp, id: sent / 16 % 1_000) : .work(stamp))
      }
      if time >= 1 { return (sender, number + UInt64(sent)) }
      usleep(1_000)
    }
  }

  /// How many actions a second the store reduces when there is always one waiting.
  func capacity(seconds: Double, numbers: inout [UInt64]) async -> Double {
    let until = now() + UInt64(seconds * 1e9)
    let (begun, before) = (now(), meter.done.load(ordering: .relaxed))
    let after = numbers[0]
    numbers[0] = await onThread {
      var number = after
      while now() < until {
        guard number - after < UInt64(meter.done.load(ordering: .relaxed) - before) + 10_000 else {
          usleep(100)
          continue
        }
        number += 1
        let stamp = Feature.Stamp(sender: 0, number: number, sent: now())
        meter.sent.add(1, ordering: .relaxed)
        store.send(number % 16 == 0 ? .look(stamp, id: Int(number / 16 % 1_000)) : .work(stamp))
      }
      return number
    }
    return Double(meter.done.load(ordering: .relaxed) - before) / (Double(now() - begun) / 1e9)
  }
}

/// Awaits work that is done on a separate thread, which may sleep and wait.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: body()) }.start()
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Rows about work with many other runs, or on one of many ids.
enum GrowingRuns {
  static let rows: [Growth] = [
    Growth(
      name: "growth-runs", title: "beside so many suspended runs", sizes: [10, 1_000, 100_000, 1_000_000],
      middle: 1_000, costs: ["reduce an action", "start a run, reduce its action", "cancel by id, until ended"]
    ) { size in
      let send = Store.sender()
      let others = Waits(runs: size)
      await eachInPortions(size, send) { send(.wait($0, others)) }
      await others.begun.wait()
      return Growth.Subject {
        [await reduced(send), await ran(send), await cancelled(send)]
      } end: {
        send(.cancelAll)
        await others.waitForEnds()
      }
    },
    Growth(
      name: "growth-ids", title: "one of so many ids, each with a suspended run", sizes: [1, 1_000, 10_000, 100_000],
      middle: 1_000, costs: ["restart a run, until the old one ended"]
    ) { size in
      let send = Store.sender()
      let waits = Waits(runs: size)
      await eachInPortions(size, send) { send(.start($0, waits)) }
      await waits.begun.wait()
      return Growth.Subject {
        [await restarted(send, waits, ids: size)]
      } end: {
        waits.expectEnds(size)
        send(.cancelAll)
        await waits.waitForEnds()
      }
    },
  ]

  /// The number of requests to the store before the code waits for them, so that its mailbox does not grow.
  private static let portion = 1_000

  private static func eachInPortions(_ size: Int, _ send: WaitSend, _ body: (Int) -> Void) async {
    for first in stride(from: 0, to: size, by: portion) {
      let signal = Signal()
      send(.expect(1, signal))
      for index in first..<min(first + portion, size) { body(index) }
      send(.tick)
      await signal.wait()
    }
  }

  private static func reduced(_ send: @escaping WaitSend) async -> Double {
    await ticked(200_000, send) { send(.tick) }
  }

  private static func ran(_ send: @escaping WaitSend) async -> Double {
    await ticked(10_000, send) { send(.run) }
  }

  /// From the first of the given number of sends until the same number of ticks has been reduced.
  private static func ticked(
    _ count: Int, _ send: @escaping WaitSend, _ body: @escaping @Sendable () -> Void
  ) async -> Double {
    let signal = Signal()
    send(.expect(count, signal))
    return await processorNanoseconds(per: count) {
      onThreads(1) {
        var value = 1
        for _ in 0..<count {
          value = opaqueWork(value)
          body()
        }
      }
      await signal.wait()
    }
  }

  private static func cancelled(_ send: WaitSend) async -> Double {
    let portions = 5
    var sum = 0.0
    for _ in 0..<portions {
      let waits = Waits(runs: portion)
      for id in 0..<portion { send(.start(id, waits)) }
      await waits.begun.wait()
      sum += await processorNanoseconds(per: portion) {
        for id in 0..<portion { send(.cancel(id)) }
        await waits.waitForEnds()
      }
    }
    return sum / Double(portions)
  }

  private static func restarted(_ send: WaitSend, _ waits: Waits, ids: Int) async -> Double {
    let portions = 5
    var id = 0
    return await processorNanoseconds(per: portions * portion) {
      for _ in 0..<portions {
        waits.expectEnds(portion)
        for _ in 0..<portion {
          // A prime, so that it reaches every id, and not in the order of the memory.
          id = (id + 7_919) % ids
          send(.start(id, waits))
        }
        await waits.waitForEnds()
      }
    }
  }
}

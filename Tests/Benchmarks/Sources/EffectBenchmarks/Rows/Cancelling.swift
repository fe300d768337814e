// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import HeapSize

/// Rows about runs that wait until they are cancelled.
enum Cancelling {
  static let rows: [Row] = [
    Row(
      name: "memory", title: "a suspended run without an id", unit: "bytes", rounds: 5,
      framework: Contestant("swift-effects") { await suspended(Store.sender(), WaitAction.wait) },
      rivals: [
        Rival("bare task", .atMost(1.15, stretch: 1.1)) { await suspendedTasks() },
        Rival("bare", .shown) { await suspended(Bare.sender(), WaitAction.wait) },
        Rival("stream", .shown) { await suspended(StreamStore.sender(), WaitAction.wait) },
      ]),
    Row(
      name: "memory-with-id", title: "a suspended run with an id of its own", unit: "bytes", rounds: 5,
      framework: Contestant("swift-effects") { await suspended(Store.sender(), WaitAction.start) },
      rivals: [
        Rival("bare task", .atMost(1.32, stretch: 1.2)) { await suspendedTasks() },
        Rival("bare", .shown) { await suspended(Bare.sender(), WaitAction.start) },
        Rival("stream", .shown) { await suspended(StreamStore.sender(), WaitAction.start) },
      ]),
    Row(
      name: "cancel", title: "cancel one of 100,000 by id, until ended", rounds: 5,
      framework: Contestant("swift-effects") { await cancelled(Store.sender()) },
      rivals: [
        Rival("bare", .atMost(2)) { await cancelled(Bare.sender()) },
        Rival("stream", .shown) { await cancelled(StreamStore.sender()) },
      ]),
    Row(
      name: "restart", title: "restart 100,000 times on one id", rounds: 5,
      framework: Contestant("swift-effects") { await restarted(Store.sender()) },
      rivals: [
        Rival("bare", .atMost(1.2)) { await restarted(Bare.sender()) },
        Rival("stream", .shown) { await restarted(StreamStore.sender()) },
      ]),
  ]

  private static let runs = 100_000

  /// The bytes of the heap that a waiting run takes.
  private static func suspended(_ send: WaitSend, _ start: (Int, Waits) -> WaitAction) async -> Double {
    await heapGrowth { id, waits in
      send(start(id, waits))
    } cancel: {
      send(.cancelAll)
    }
  }

  private static func suspendedTasks() async -> Double {
    var tasks: [Task<Void, Never>] = []
    return await heapGrowth { _, waits in
      tasks.append(Task { [member = waits.member()] in await member.waitForCancel() })
    } cancel: {
      for task in tasks { task.cancel() }
    }
  }

  private static func heapGrowth(_ start: (Int, Waits) -> Void, cancel: () -> Void) async -> Double {
    let portion = 1_000
    var all: [Waits] = []
    let before = await calmHeap()
    for first in stride(from: 0, to: runs, by: portion) {
      // In portions, because a hundred thousand waiting actions take memory too, which must not be measured here.
      let waits = Waits(runs: portion)
      all.append(waits)
      for id in first..<first + portion { start(id, waits) }
      await waits.begun.wait()
    }
    let after = heap_size_in_use()
    cancel()
    for waits in all { await waits.waitForEnds() }
    return (Double(after) - Double(before)) / Double(runs)
  }

  /// The size of the heap when all tasks of the round before are released. There is no event for that, so the function
  /// waits until the size has not changed for a while.
  private static func calmHeap() async -> UInt {
    var size = heap_size_in_use()
    while true {
      try? await Task.sleep(for: .milliseconds(20))
      let next = heap_size_in_use()
      if next == size { return size }
      size = next
    }
  }

  /// From the first cancel until the last closure has returned.
  private static func cancelled(_ send: WaitSend) async -> Double {
    let waits = Waits(runs: runs)
    for id in 0..<runs { send(.start(id, waits)) }
    await waits.begun.wait()
    return await nanoseconds(per: runs) {
      for id in 0..<runs { send(.cancel(id)) }
      await waits.waitForEnds()
    }
  }

  /// From the first start until the last closure has returned.
  private static func restarted(_ send: WaitSend) async -> Double {
    let waits = Waits(runs: runs)
    return await nanoseconds(per: runs) {
      for _ in 0..<runs { send(.start(0, waits)) }
      send(.cancel(0))
      await waits.waitForEnds()
    }
  }
}

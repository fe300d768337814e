// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import HeapSize
internal import Synchronization

/// Rows about runs that wait until they are cancelled.
enum Cancelling {
  static let rows: [Row] = [
    Row(
      name: "memory", title: "a suspended run", unit: "bytes", rounds: 5,
      framework: Contestant("swift-effects") { await suspended { Store(initialState: $0, reducer: Waiting()).asSend } },
      rivals: [
        Rival("bare task", .atMost(1.15)) { await suspendedTasks() },
        Rival("bare", .shown) { await suspended { Bare($0, PlainWaiting()).asSend } },
        Rival("stream", .shown) { await suspended { StreamStore($0, PlainWaiting()).asSend } },
      ]),
    Row(
      name: "cancel", title: "cancel one of 100,000 by id, until ended", rounds: 7,
      framework: Contestant("swift-effects") { await cancelled { Store(initialState: $0, reducer: Waiting()).asSend } },
      rivals: [
        Rival("bare", .atMost(1.5)) { await cancelled { Bare($0, PlainWaiting()).asSend } },
        Rival("stream", .shown) { await cancelled { StreamStore($0, PlainWaiting()).asSend } },
      ]),
    Row(
      name: "restart", title: "restart 100,000 times on one id", rounds: 7,
      framework: Contestant("swift-effects") { await restarted { Store(initialState: $0, reducer: Waiting()).asSend } },
      rivals: [
        Rival("bare", .atMost(1.5)) { await restarted { Bare($0, PlainWaiting()).asSend } },
        Rival("stream", .shown) { await restarted { StreamStore($0, PlainWaiting()).asSend } },
      ]),
  ]

  private static let runs = 100_000

  /// Bytes of the heap a waiting run takes.
  private static func suspended(_ make: (Waits) -> @Sendable (WaitAction) -> Void) async -> Double {
    let waits = Waits(runs: runs)
    let send = make(waits)
    let before = await calmHeap()
    for id in 0..<runs { send(.wait(id)) }
    await waits.begun.wait()
    let after = heap_size_in_use()
    send(.cancelAll)
    await waits.ended.wait()
    return (Double(after) - Double(before)) / Double(runs)
  }

  /// The size of the heap once all tasks of the round before have really gone, which nobody can wait for: when it has not
  /// changed for a while.
  private static func calmHeap() async -> UInt {
    var size = heap_size_in_use()
    while true {
      try? await Task.sleep(for: .milliseconds(20))
      let next = heap_size_in_use()
      if next == size { return size }
      size = next
    }
  }

  private static func suspendedTasks() async -> Double {
    let waits = Waits(runs: runs)
    var tasks: [Task<Void, Never>] = []
    let before = await calmHeap()
    for _ in 0..<runs { tasks.append(Task { await waits.waitForCancel() }) }
    await waits.begun.wait()
    let after = heap_size_in_use()
    for task in tasks { task.cancel() }
    await waits.ended.wait()
    return (Double(after) - Double(before)) / Double(runs)
  }

  /// From the first cancel until the last closure has returned.
  private static func cancelled(_ make: (Waits) -> @Sendable (WaitAction) -> Void) async -> Double {
    let waits = Waits(runs: runs)
    let send = make(waits)
    for id in 0..<runs { send(.start(id)) }
    await waits.begun.wait()
    return await nanoseconds(per: runs) {
      for id in 0..<runs { send(.cancel(id)) }
      await waits.ended.wait()
    }
  }

  /// From the first start until the last closure has returned.
  private static func restarted(_ make: (Waits) -> @Sendable (WaitAction) -> Void) async -> Double {
    let waits = Waits(runs: runs)
    let send = make(waits)
    return await nanoseconds(per: runs) {
      for _ in 0..<runs { send(.start(0)) }
      send(.cancel(0))
      await waits.ended.wait()
    }
  }
}

private enum WaitAction: Sendable {
  /// A run without an id; the number is where those who know no better keep its task.
  case wait(Int)
  case cancelAll
  case start(Int)
  case cancel(Int)
}

/// Counts the runs that wait, and those that have ended.
private final class Waits: Sendable {
  let begun = Signal()
  let ended = Signal()
  private let runs: Int
  private let beginnings = Atomic(0)
  private let ends = Atomic(0)

  init(runs: Int) {
    self.runs = runs
  }

  func waitForCancel() async {
    let signal = Signal()
    if beginnings.add(1, ordering: .relaxed).newValue == runs { begun.give() }
    await withTaskCancellationHandler {
      await signal.wait()
    } onCancel: {
      signal.give()
    }
    if ends.add(1, ordering: .relaxed).newValue == runs { ended.give() }
  }
}

private struct Waiting: Reducer {
  func reduce(into state: inout Waits, action: WaitAction) -> Effect<WaitAction> {
    switch action {
    case .wait: .run { [state] _ in await state.waitForCancel() }
    case .cancelAll: .cancel(.everything)
    case .start(let id): .run(id: id, overlap: .restart) { [state] _ in await state.waitForCancel() }
    case .cancel(let id): .cancel(id: id)
    }
  }
}

private struct PlainWaiting: PlainReducer {
  func reduce(into state: inout Waits, action: WaitAction) -> PlainEffect<WaitAction> {
    switch action {
    case .wait(let id), .start(let id): .restart(id) { [state] _ in await state.waitForCancel() }
    case .cancelAll: .cancelAll
    case .cancel(let id): .cancel(id)
    }
  }
}

// Each measured through the same closure.
extension Store where R == Waiting {
  fileprivate nonisolated var asSend: @Sendable (WaitAction) -> Void { { self.send($0) } }
}

extension Bare where R == PlainWaiting {
  fileprivate var asSend: @Sendable (WaitAction) -> Void { { self.send($0) } }
}

extension StreamStore where R == PlainWaiting {
  fileprivate nonisolated var asSend: @Sendable (WaitAction) -> Void { { self.send($0) } }
}

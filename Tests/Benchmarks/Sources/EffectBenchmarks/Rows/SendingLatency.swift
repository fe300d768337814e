// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Synchronization

/// The row about an action sent to an idle store: the time until its reducer is called.
enum SendingLatency {
  static let rows = [
    Latency(
      name: "latency-send", title: "from a send on another thread to the reducer of an idle store",
      // Many, because the sender and the thread that it wakes may share a processor for a whole round.
      rounds: 21,
      percentiles: [
        .init(percent: 50, goals: ["bare, on an actor": .atMost(1.1)]),
        .init(percent: 99, goals: ["stream": .atMost(1.2, stretch: 1)]),
      ],
      framework: .init("swift-effects") {
        let store = Store(initialState: 0, reducer: Arriving())
        return await delays { store.send($0) }
      },
      rivals: [
        .init("stream") {
          let store = StreamStore(0, PlainArriving())
          return await delays { store.send($0) }
        },
        .init("bare, on an actor") {
          let store = IsolatedBare(0, PlainArriving())
          return await delays { store.send($0) }
        },
      ])
  ]

  private static let sends = 1_000
  /// How long the sender is busy between a reduction and the next send. By then the drain has ended, and its thread
  /// waits.
  private static let pause = Duration.microseconds(100)

  private static func delays(_ send: @escaping @Sendable (Arrival) -> Void) async -> [Double] {
    let log = ArrivalLog()
    onThreads(1) {
      for number in 1...sends {
        send(Arrival(sent: .now, log: log))
        log.waitForArrivals(number)
        beBusy(for: pause)
      }
      log.done.give()
    }
    await log.done.wait()
    return log.delays
  }
}

/// An action that contains the time when it was sent.
private struct Arrival: Sendable {
  let sent: ContinuousClock.Instant
  let log: ArrivalLog

  func arrive() {
    log.append(sent.duration(to: .now))
  }
}

private final class ArrivalLog: Sendable {
  let done = Signal()
  private let all = Mutex<[Double]>([])
  private let count = Atomic(0)

  var delays: [Double] { all.withLock(\.self) }

  func append(_ delay: Duration) {
    all.withLock { $0.append(nanoseconds(delay)) }
    count.add(1, ordering: .releasing)
  }

  /// Keeps the thread busy: a thread that first has to be woken would be late for the next send.
  func waitForArrivals(_ expected: Int) {
    while count.load(ordering: .acquiring) < expected {}
  }
}

private struct Arriving: Reducer {
  func reduce(into state: inout Int, action: Arrival) -> Effect<Arrival> {
    action.arrive()
    state += 1
    return .none
  }
}

private struct PlainArriving: PlainReducer {
  func reduce(into state: inout Int, action: Arrival) -> PlainEffect<Arrival> {
    action.arrive()
    state += 1
    return .none
  }
}

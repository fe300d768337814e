// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import Synchronization

/// The feature of the soak: most actions are a microsecond of work, every sixteenth replaces a run.
struct Feature: Reducer {
  struct State: Sendable {
    /// The last number of each sender, which counts from 1.
    var last: [UInt64]
    /// Actions that were not the next of their sender: lost, duplicated or overtaken.
    var outOfOrder = 0
    var answered = 0

    init(senders: Int) {
      last = Array(repeating: 0, count: senders)
    }
  }

  enum Action: Sendable {
    case work(Stamp)
    case look(Stamp, id: Int)
    case answered(Int)
    /// Sends as fast as the store processes them, until the given time.
    case produce(sender: Int, until: UInt64)
  }

  /// The sender of the action, its number, and its time.
  struct Stamp: Sendable {
    var sender: Int
    var number: UInt64
    var sent: UInt64
  }

  let meter: Meter

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .work(let stamp):
      note(stamp, &state)
      return .none
    case .look(let stamp, let id):
      note(stamp, &state)
      return .run(id: id, overlap: .restart) { send in send(.answered(id)) }
    case .answered:
      state.answered += 1
      return .none
    case .produce(let sender, let until):
      return .run { [meter] send in
        var number: UInt64 = 0
        while now() < until {
          number += 1
          meter.sent.add(1, ordering: .relaxed)
          _ = await send.delivered(.work(Stamp(sender: sender, number: number, sent: now())))
        }
      }
    }
  }

  private func note(_ stamp: Stamp, _ state: inout State) {
    if stamp.number != state.last[stamp.sender] + 1 { state.outOfOrder += 1 }
    state.last[stamp.sender] = stamp.number
    let begun = now()
    // Simulates the work of a reducer: very little.
    while now() < begun + 1_000 {}
    meter.reduced(stamp)
  }
}

/// What is counted while the store works.
final class Meter: Sendable {
  let sent = Atomic<Int>(0)
  let done = Atomic<Int>(0)
  private let latencies = Mutex(Histogram())

  func reduced(_ stamp: Feature.Stamp) {
    let latency = now() - stamp.sent
    latencies.withLock { $0.add(latency) }
    done.add(1, ordering: .relaxed)
  }

  /// The latencies since the last call.
  func takeLatencies() -> Histogram {
    latencies.withLock { latencies in
      defer { latencies = Histogram() }
      return latencies
    }
  }
}

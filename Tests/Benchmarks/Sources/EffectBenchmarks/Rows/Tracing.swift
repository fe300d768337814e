// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime
internal import InspectorCore
internal import Synchronization

/// Rows about the cost of listening to a store: the work of `one-producer`, with a listener and without.
enum Tracing {
  // The limits allow that an event is a plain value, which is copied for its listeners. When the store wrote over the memory of its last
  // event instead, they were 100 and 175 ns, and needed unsafe code in four files.
  static let rows: [Row] = [
    Row(
      name: "trace-count", title: "reduce one sent action (an integer) while a listener counts the events",
      framework: Contestant("counting") {
        await Sending.traced { trace in
          let count = Count()
          trace.listen(timed: false) { _ in count.increment() }
          return count
        }
      },
      rivals: [Rival("no listener", .adds(atMost: 200, stretch: 100)) { await Sending.traced { _ in 0 } }]),
    Row(
      name: "trace-log", title: "the same while a log keeps the newest 10,000 events, with their times",
      framework: Contestant("log") { await Sending.traced { $0.log() } },
      rivals: [Rival("no listener", .adds(atMost: 350, stretch: 175)) { await Sending.traced { _ in 0 } }]),
    Row(
      name: "trace-ended", title: "the same when printing has ended before the first of these actions",
      framework: Contestant("ended") { await Sending.observed { $0.printChanges { _ in }.cancel() } },
      rivals: [Rival("no listener", .adds(atMost: 4, stretch: 3)) { await Sending.traced { _ in 0 } }]),
    Row(
      name: "print-changes", title: "the same while every change is printed, to nowhere", rounds: 7,
      framework: Contestant("printing") { await Sending.observed { $0.printChanges { _ in } } },
      rivals: [Rival("no listener", .shown) { await Sending.traced { _ in 0 } }]),
    Row(
      name: "inspect", title: "the same while an inspector keeps the newest 100,000 actions, with checkpoints",
      framework: Contestant("inspected") { await Sending.observed { await $0.recordHistory() } },
      rivals: [
        Rival("no listener", .shown) { await Sending.traced { _ in 0 } },
        Rival("trace-log", .atMost(2)) { await Sending.traced { $0.log() } },
      ]),
  ]

  private final class Count: Sendable {
    private let value = Atomic(0)

    /// A listener is called on the store's isolation only, so there is no write in between.
    func increment() { value.store(value.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// Rows about actions sent from outside: the time until all of them have been reduced, divided by their number.
///
/// The action is an integer, which is cheaper to copy than the actions of most features; see `Payloads`.
enum Sending {
  static let rows: [Row] = [
    row(
      "one-producer", "reduce one sent action (an integer), 1 producer", producers: 1, bare: .atMost(1.1, stretch: 1),
      .timesFaster(12)),
    row("four-producers", "the same, 4 producers", producers: 4, bare: .atMost(1), .shown),
    inline,
  ]

  private static let actions = 200_000

  private static func row(_ name: String, _ title: String, producers: Int, bare: Goal, _ stream: Goal) -> Row {
    Row(
      name: name, title: title, rounds: 15,
      framework: Contestant("swift-effects") { await framework(producers: producers) },
      rivals: [
        Rival("bare", bare) {
          let done = Signal()
          let store = Bare(Tally(expected: actions, done: done), PlainAdding())
          return await timed(producers: producers, done) { store.send(.add($0)) }
        },
        Rival("stream", stream) {
          let done = Signal()
          let store = StreamStore(Tally(expected: actions, done: done), PlainAdding())
          return await timed(producers: producers, done) { store.send(.add($0)) }
        },
      ])
  }

  /// The time of the framework for one action if the given number of threads send.
  static func framework(producers: Int) async -> Double {
    let done = Signal()
    let store = Store(initialState: Tally(expected: actions, done: done), reducer: Adding())
    return await timed(producers: producers, done) { store.send(.add($0)) }
  }

  /// The same from one thread, with a listener from before the first send until after the last reduction.
  static func traced(by listen: (Trace<AddAction>) -> some Sendable) async -> Double {
    await observed { listen($0.trace) }
  }

  /// The same with anything that observes the store.
  static func observed(by listen: (Store<Adding>) async -> some Sendable) async -> Double {
    let done = Signal()
    let store = Store(initialState: Tally(expected: actions, done: done), reducer: Adding())
    let listener = await listen(store)
    await store.send(.reset).finish()
    let each = await timed(producers: 1, done) { store.send(.add($0)) }
    withExtendedLifetime(listener) {}
    return each
  }

  /// On the isolation that the store shares, as a view and a store share the main actor: when a send returns, the
  /// action is reduced. It has no goal. The rivals have no isolation, and do the same as in the other rows.
  private static let inline = Row(
    name: "own-isolation", title: "the same, sent on the store's own isolation and reduced before it returns",
    framework: Contestant("swift-effects") {
      let done = Signal()
      return await Neighbour().sendAll(done)
    },
    rivals: [
      Rival("bare", .shown) {
        let done = Signal()
        let store = Bare(Tally(expected: actions, done: done), PlainAdding())
        return await timed(producers: 1, done) { store.send(.add($0)) }
      },
      Rival("stream", .shown) {
        let done = Signal()
        let store = StreamStore(Tally(expected: actions, done: done), PlainAdding())
        return await timed(producers: 1, done) { store.send(.add($0)) }
      },
    ])

  /// An actor that shares its isolation with a store.
  private actor Neighbour {
    func sendAll(_ done: Signal) async -> Double {
      let store = Store(initialState: Tally(expected: actions, done: done), reducer: Adding(), isolation: self)
      return await nanoseconds(per: actions) {
        var value = 1
        for _ in 0..<actions {
          value = opaqueWork(value)
          store.send(.add(value))
        }
        await done.wait()
      }
    }
  }

  /// From the first send to the last reduction.
  @inline(__always)
  private static func timed(
    producers: Int, _ done: Signal, _ send: @escaping @Sendable (Int) -> Void
  ) async -> Double {
    await nanoseconds(per: actions) {
      onThreads(producers) {
        var value = 1
        for _ in 0..<actions / producers {
          value = opaqueWork(value)
          send(value)
        }
      }
      await done.wait()
    }
  }
}

/// The state of these rows: detects when all actions have been reduced.
struct Tally: Sendable {
  let expected: Int
  let done: Signal
  var count = 0
  var sum = 0

  init(expected: Int, done: Signal) {
    self.expected = expected
    self.done = done
  }

  mutating func add(_ value: Int) {
    sum &+= value
    count += 1
    if count == expected { done.give() }
  }
}

enum AddAction: Sendable {
  case add(Int)
  case reset
}

struct Adding: Reducer, Sendable {
  func reduce(into state: inout Tally, action: AddAction) -> Effect<AddAction> {
    switch action {
    case .add(let value): state.add(value)
    case .reset: state.sum = 0
    }
    return .none
  }
}

private struct PlainAdding: PlainReducer {
  func reduce(into state: inout Tally, action: AddAction) -> PlainEffect<AddAction> {
    switch action {
    case .add(let value): state.add(value)
    case .reset: state.sum = 0
    }
    return .none
  }
}

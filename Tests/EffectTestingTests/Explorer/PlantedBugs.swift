// This source file is part of swift-effects. License: Apache-2.0.

@testable import EffectRuntime
@testable import EffectTesting

/// A feature with a bug, or without it, as one value.
struct Planted<State, Action: Sendable>: Reducer {
  let body: (inout State, Action) -> Effect<Action>

  init(_ body: @escaping (inout State, Action) -> Effect<Action>) {
    self.body = body
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { body(&state, action) }
}

/// A value that several runs read.
final class Shared<Value: Sendable>: Sendable {
  private let lock: Lock<Value>

  init(_ value: Value) {
    lock = Lock(value)
  }

  var value: Value {
    get { lock.withLock { $0 } }
    set { lock.withLock { $0 = newValue } }
  }
}

/// A number behind an actor.
actor Disk {
  private let number: Shared<Int>

  init(_ number: Shared<Int>) {
    self.number = number
  }

  func get() -> Int { number.value }
  func set(_ new: Int) { number.value = new }
  func increment() { number.value += 1 }
}

/// Admits one task at a time. When that task leaves, it admits the next task that waits.
final class Door: Sendable {
  private let keys: AsyncStream<Void>
  private let back: AsyncStream<Void>.Continuation

  init(isOpen: Bool = true) {
    (keys, back) = AsyncStream.makeStream()
    if isOpen { back.yield() }
  }

  func enter() async {
    for await _ in keys { return }
  }

  func leave() { back.yield() }
}

struct Outage: Error {}

enum Bugs {
  enum Save: Sendable { case save, saved(Int), retry, timedOut }

  /// Two runs add one to a number in an actor: in one call, or in two calls with a gap in between.
  static func update(_ disk: Disk, atOnce: Bool) -> Planted<Int, Save> {
    Planted { state, _ in
      state += 1
      let run = Effect<Save>.run { _ in
        if atOnce { await disk.increment() } else { await disk.set(disk.get() + 1) }
      }
      return .merge(run, run)
    }
  }

  struct Order { var isPending = false, isPlaced = false, orders = 0 }
  enum Submit: Sendable { case tap, placed }

  static func submit(isGuarded: Bool) -> Planted<Order, Submit> {
    Planted { state, action in
      switch action {
      case .tap:
        if isGuarded, state.isPending || state.isPlaced { return .none }
        state.isPending = true
        return .run(id: "submit", overlap: .concurrent) { send in send(.placed) }
      case .placed:
        state.isPending = false
        state.isPlaced = true
        state.orders += 1
        return .none
      }
    }
  }

  struct Loading { var request = 0, isLoading = false, hasFlickered = false }
  enum Load: Sendable { case load, loaded, failed }

  /// The first of two requests fails. A restart alone does not replace its `catch` (rule O1).
  static func load(cancels: Bool) -> Planted<Loading, Load> {
    Planted { state, action in
      switch action {
      case .load:
        state.request += 1
        state.isLoading = true
        let run = Effect<Load>.run(id: "load", overlap: .concurrent, input: state.request) { request, send in
          if request == 1 { throw Outage() }
          send(.loaded)
        } catch: { _, send in
          send(.failed)
        }
        return cancels ? .merge(.cancel(id: "load"), run) : run
      case .loaded:
        state.isLoading = false
        return .none
      case .failed:
        // The second request has not returned yet.
        if state.request == 2, state.isLoading { state.hasFlickered = true }
        state.isLoading = false
        return .none
      }
    }
  }

  enum Feed: Sendable { case refresh, more, refreshed([Int]), appended([Int]) }

  static func feed(cancels: Bool) -> Planted<[Int], Feed> {
    Planted { state, action in
      switch action {
      case .refresh:
        state = []
        let refresh = Effect<Feed>.run(id: "refresh", overlap: .restart) { send in send(.refreshed([1, 2])) }
        return cancels ? .merge(.cancel(id: "more"), refresh) : refresh
      case .more:
        if state.isEmpty { return .none }
        return .run(id: "more", overlap: .drop, input: state.count) { count, send in send(.appended([count + 1])) }
      case .refreshed(let items):
        state = items
        return .none
      case .appended(let items):
        state += items
        return .none
      }
    }
  }

  enum Screen: Sendable { case open, dismiss, loaded }

  static func screen(cancels: Bool) -> Planted<[String], Screen> {
    Planted { state, action in
      state.append("\(action)")
      switch action {
      case .open: return .run(id: "load", overlap: .concurrent) { send in send(.loaded) }
      case .dismiss: return cancels ? .cancel(id: "load") : .none
      case .loaded: return .none
      }
    }
  }

  struct Watch { var isStopped = false, lateTicks = 0 }
  enum Clockwork: Sendable { case start, stop, tick }

  static func watch(cancels: Bool) -> Planted<Watch, Clockwork> {
    Planted { state, action in
      switch action {
      case .start:
        state.isStopped = false
        return .run(id: "timer", overlap: .concurrent) { send in
          for _ in 1...3 {
            try await send.sleep(for: .seconds(1))
            send(.tick)
          }
        }
      case .stop:
        state.isStopped = true
        return cancels ? .cancel(id: "timer") : .none
      case .tick:
        if state.isStopped { state.lateTicks += 1 }
        return .none
      }
    }
  }

  static func retry(cancels: Bool) -> Planted<Int, Save> {
    Planted { state, action in
      let attempt = Effect<Save>.run(id: "save", overlap: .restart) { send in send(.saved(1)) }
      switch action {
      case .save:
        let again = Effect<Save>.run(id: "again", overlap: .concurrent) { send in
          try await send.sleep(for: .seconds(5))
          send(.retry)
        }
        return .merge(attempt, again)
      case .retry: return attempt
      case .saved:
        state += 1
        return cancels ? .cancel(id: "again") : .none
      case .timedOut: return .none
      }
    }
  }

  /// Two runs enter a door one after the other. The first one fails after it has entered.
  static func queue(_ door: Door, leavesAlways: Bool) -> Planted<Int, Save> {
    Planted { state, action in
      guard case .save = action else {
        state += 1
        return .none
      }
      return .merge(
        [true, false].map { fails in
          .run(name: fails ? "first" : "second") { send in
            await door.enter()
            if fails {
              if leavesAlways { door.leave() }
              throw Outage()
            }
            door.leave()
            send(.saved(1))
          } catch: { _, send in
            send(.timedOut)
          }
        })
    }
  }

  /// Two runs that each wait for the other, or signal the other first.
  static func handshake(_ left: Door, _ right: Door, tellsFirst: Bool) -> Planted<Int, Save> {
    Planted { state, action in
      guard case .save = action else {
        state += 1
        return .none
      }
      return .merge(
        [(left, right), (right, left)].enumerated().map { index, doors in
          .run(name: index == 0 ? "left" : "right") { send in
            if tellsFirst { doors.1.leave() }
            await doors.0.enter()
            if !tellsFirst { doors.1.leave() }
            send(.saved(1))
          }
        })
    }
  }

  /// An answer and a time limit that both resume the caller.
  static func request(_ isAnswered: Shared<Bool>, checks: Bool) -> Planted<Int, Save> {
    Planted { state, action in
      guard case .save = action else {
        state += 1
        return .none
      }
      let answer = Effect<Save>.run { send in
        if checks, isAnswered.value { return }
        isAnswered.value = true
        send(.saved(1))
      }
      let limit = Effect<Save>.run { send in
        try await send.sleep(for: .seconds(1))
        if checks, isAnswered.value { return }
        isAnswered.value = true
        send(.timedOut)
      }
      return .merge(answer, limit)
    }
  }

  struct Checked { var query = -1, isStale = false }

  /// A search over a registry that checks only when it sends whether a run is cancelled.
  ///
  /// The fixed version also checks when an action is taken, because an action that was sent before is stale as well.
  static func checkedAtSend(_ current: Shared<Int>, andWhenTaken: Bool = false) -> Planted<Checked, Queries.Action> {
    Planted { state, action in
      switch action {
      case .typed(let query):
        state.query = query
        current.value = query
        return .run { send in if current.value == query { send(.found(query)) } }
      case .found(let query):
        if andWhenTaken, current.value != query { return .none }
        if query != state.query { state.isStale = true }
        return .none
      }
    }
  }
}

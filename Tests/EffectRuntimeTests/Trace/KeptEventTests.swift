// This source file is part of swift-effects. License: Apache-2.0.

import Dispatch
import TestSupport
import Testing

@testable import EffectRuntime

/// A store reuses the memory of its last event, unless a listener or a log keeps the event: a kept event must never
/// change.
@Suite struct KeptEventTests {
  private enum Action: Sendable { case add(String), run(String), follow(String) }

  private struct Counter: Reducer {
    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      state += 1
      switch action {
      case .add: return .none
      case .follow(let text): return .send(.add("\(text) follows"))
      case .run(let text): return .run(id: "x", overlap: .restart, input: text) { $1(.add("done \($0)")) }
      }
    }
  }

  /// An event and its text when it was reported.
  private struct Kept: Sendable {
    let event: TraceEvent<Action>
    let text: String
    init(_ event: TraceEvent<Action>) {
      self.event = event
      text = "\(event)"
    }
    var hasChanged: Bool { "\(event)" != text }
  }

  /// Shared by the threads.
  private final class Hall: Sendable {
    let shelf = Lock<[Kept]>([])
    let newest = Lock<TraceEvent<Action>?>(nil)

    /// Whether any event has changed while it was read.
    func look(at log: TraceLog<Action>) -> Bool {
      var all = log.events.map(Kept.init)
      if let event = newest.withLock({ $0 }) { all.append(Kept(event)) }
      if let one = shelf.withLock({ $0.popLast() }) { all.append(one) }
      return all.contains(where: \.hasChanged)
    }
  }

  private func store(drainBudget: Int = 256) -> Store<Counter> {
    Store(initialState: 0, reducer: Counter(), onFailure: { _ in }, followUpLimit: 1_000, drainBudget: drainBudget)
  }

  /// Sends actions of all kinds, each unlike all others.
  private func send(to store: Store<Counter>, _ count: Int, _ name: String = "") async {
    for number in 0..<count {
      let text = "\(name)\(number)"
      switch number % 3 {
      case 0: store.send(.add(text), isolation: nil)
      case 1: store.send(.run(text), isolation: nil)
      default: store.send(.follow(text), isolation: nil)
      }
    }
    await store.send(.add("last")).finish()
  }

  @Test(arguments: 0..<8)
  func `An event that a listener keeps is never written over (V2)`(kept mask: Int) async {
    let store = store()
    let kept = Lock<[Kept]>([])
    let count = Lock(0)
    store.trace.listen { event in
      // Keeps some, in every rhythm: between two kept events the store may reuse the memory of the last one.
      let number = count.withLock { count in
        count += 1
        return count
      }
      if mask & (1 << (number % 3)) != 0 { kept.withLock { $0.append(Kept(event)) } }
    }
    await send(to: store, 300)
    await store.shutdown(.draining)
    #expect(kept.withLock { $0 }.allSatisfy { !$0.hasChanged })
    #expect(mask == 0 || !kept.withLock { $0 }.isEmpty)
  }

  @Test(arguments: [1, 2, 3, 5])
  func `What was read from a log stays as it was, however small the log (V2)`(limit: Int) async {
    let store = store(drainBudget: 2)
    let log = store.trace.log(newest: limit)
    let other = store.trace.log(newest: 10_000)
    let kept = Lock<[Kept]>([])
    // In the middle of turns too, where the newest is the event that the store reported last.
    store.trace.listen { _ in kept.withLock { $0 += log.events.map(Kept.init) } }
    await send(to: store, 120)
    // Cancelled runs are reported when they have returned, so both logs are read after all have returned.
    await store.shutdown(.draining)
    #expect(kept.withLock { $0 }.allSatisfy { !$0.hasChanged })
    #expect(log.events.count == limit + 1)
    let numbers = other.events.map(\.number)
    #expect(numbers == Array(1...UInt64(numbers.count)))
    // In a log that overwrites discarded events, each event still equals the one that all others received.
    let texts = Dictionary(other.events.map { ($0.number, "\($0)") }) { first, _ in first }
    for one in kept.withLock({ $0 }) {
      if case .lost = one.event.kind { continue }
      #expect(texts[one.event.number] == one.text)
    }
  }

  @Test func `The store does not overwrite an event that a log has discarded but that is kept elsewhere (V2)`() async {
    let store = store()
    let log = store.trace.log(newest: 2)
    var kept: [Kept] = []
    for number in 0..<200 {
      await store.send(.add("\(number)")).finish()
      if number % 7 < 3 { kept += log.events.map(Kept.init) }
      if number % 11 == 0 { log.clear() }
    }
    #expect(kept.allSatisfy { !$0.hasChanged })
  }

  /// Without other listeners, a full log is overwritten in place.
  @Test(arguments: [1, 2, 3, 5, 64])
  func `A full log without other listeners holds the newest of what happened (V2)`(limit: Int) async throws {
    var kinds: [[String]] = []
    for kept in [limit, 10_000] {
      let store = store(drainBudget: 3)
      let log = store.trace.log(newest: kept)
      for number in 0..<60 {
        await store.send([.add("\(number)"), .run("\(number)"), .follow("\(number)")][number % 3]).finish()
        // Now and then the store finds events that are kept.
        if number % 5 == 0 { withExtendedLifetime(log.events) {} }
      }
      await store.shutdown(.draining)
      let events = log.events.drop { $0.isOfLoss }
      let numbers = events.map(\.number)
      let last = try #require(numbers.last)
      #expect(numbers == Array(last + 1 - UInt64(min(kept, Int(last)))...last))
      if let loss = log.events.first, loss.isOfLoss {
        #expect("\(loss.kind)" == "\(last - UInt64(kept)) events lost")
      }
      // A status is reported at the end of a slice: a run that is quick enough is idle again by then.
      kinds.append(events.filter { !$0.isOfStatus }.map { "\($0.kind)" })
    }
    #expect(kinds[0].count <= limit)
    #expect(kinds[0] == kinds[1].suffix(kinds[0].count))
  }

  @Test func `An action that reads the log in its deinit finds the log open`() async {
    struct Visit: Sendable { let farewell: Farewell }
    let log = Lock<TraceLog<Visit>?>(nil)
    let visits = Recorder<Bool>()
    let store = Store(initialState: 0, reducer: Reduce<Int, Visit> { _, _ in .none })
    log.withLock { $0 = store.trace.log(newest: 4) }
    for _ in 0..<100 {
      let visit = Visit(farewell: Farewell { visits.record(log.withLock { $0 }.map { $0.events.count > 0 } ?? false) })
      await store.send(visit).finish()
    }
    #expect(visits.events.count >= 90)
    #expect(visits.events.allSatisfy { $0 })
    // The log keeps actions that keep the log.
    let last = log.withLock { log in
      defer { log = nil }
      return log
    }
    last?.clear()
  }

  @Test func `A log of one that is emptied by its own listener goes on`() async {
    let store = store()
    let log = store.trace.log(newest: 1)
    store.trace.listen { event in
      _ = log.events
      if event.number % 3 == 0 { log.clear() }
    }
    await send(to: store, 100)
    #expect(log.events.count <= 2)
    #expect(await store.state > 100)
  }

  @Test func `Events are read and released on other threads while the store goes on (V2)`() async {
    let store = store(drainBudget: 16)
    let hall = Hall()
    store.trace.listen { event in
      hall.newest.withLock { $0 = event }
      if event.number % 5 == 0 { hall.shelf.withLock { $0.append(Kept(event)) } }
    }
    let log = store.trace.log(newest: 3)
    let changed = Tally()
    await withTaskGroup { group in
      group.addTask { await send(to: store, 3_000, "a") }
      group.addTask { await send(to: store, 3_000, "b") }
      group.addTask {
        for await event in store.trace {
          let kept = Kept(event)
          if kept.hasChanged { changed.increment() }
          if event.number > 8_000 { break }
        }
      }
      for thread in 0..<3 {
        group.addTask {
          await withCheckedContinuation { continuation in
            DispatchQueue(label: "\(thread)").async {
              for _ in 0..<3_000 where hall.look(at: log) { changed.increment() }
              continuation.resume()
            }
          }
        }
      }
    }
    #expect(changed.value == 0)
    #expect(hall.shelf.withLock { $0 }.allSatisfy { !$0.hasChanged })
  }

  // MARK: - Listeners

  @Test func `A listener whose TraceListening is discarded is notified until the end, and then released`() async {
    final class Canary: Sendable {}
    weak var canary: Canary?
    let told = Tally()
    let store = store()
    do {
      let own = Canary()
      canary = own
      store.trace.listen { _ in withExtendedLifetime(own) { told.increment() } }
    }
    await store.send(.add("")).finish()
    #expect(told.value == 2)
    #expect(canary != nil)
    await store.shutdown(.draining)
    #expect(canary == nil)
  }

  @Test func `One closure that listens twice is notified twice, and ends each by itself`() async {
    let store = store()
    let told = Recorder<UInt64>()
    let closure: @Sendable (TraceEvent<Action>) -> Void = { told.record($0.number) }
    let first = store.trace.listen(closure)
    let second = store.trace.listen(closure)
    await store.send(.add("")).finish()
    first.cancel()
    first.cancel()
    await store.send(.add("")).finish()
    second.cancel()
    await store.send(.add("")).finish()
    #expect(told.events == [1, 1, 2, 2, 3, 4])
  }

  @Test func `A listener that comes after the end is not notified, and may leave`() async {
    let store = store()
    await store.shutdown(.draining)
    let told = Tally()
    let listening = store.trace.listen { _ in told.increment() }
    let log = store.trace.log()
    store.send(.add(""), isolation: nil)
    listening.cancel()
    #expect(told.value == 0)
    #expect(log.events.isEmpty)
    for await _ in store.trace { told.increment() }
    #expect(told.value == 0)
  }
}

extension TraceEvent {
  fileprivate var isOfLoss: Bool { if case .lost = kind { true } else { false } }
  fileprivate var isOfStatus: Bool { if case .status = kind { true } else { false } }
}

// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime
@testable import EffectTesting

/// Every overlap with every operator on time and every way to end, in a store and in a test store: both reduce, call, report and
/// settle in the same order. What a closure does while another is called is open, so each kind of event has its own order. When a
/// closure notices that it was cancelled is open as well.
@Suite struct `The same order in a store and in a test store` {
  @Test(arguments: OrderProgram.overlaps.indices)
  func `Actions, closures and failures come in the same order (E2, E8, O1, O2, C2, C3, C5)`(overlap: Int) {
    var compared = 0
    for program in OrderProgram.all(overlap: overlap) {
      let (store, test) = (OrderBook.ofStore(program), OrderBook.ofTestStore(program))
      for kind in OrderBook.Kind.allCases where kind != .cancelled {
        #expect(store[kind] == test[kind], "\(program.name): \(kind)")
      }
      #expect(store[.reduced].count > 6, "\(program.name)")
      compared += 1
    }
    #expect(compared >= 48)
  }

  @Test func `A catch is called before the run that gets the slot (E8, C5)`() {
    let program = OrderProgram(name: "two", overlap: .enqueue, time: { $0 }, end: .catches)
    for book in [OrderBook.ofStore(program), OrderBook.ofTestStore(program)] {
      #expect(book[.called].prefix(4) == ["0", "catch 0", "1", "catch 1"])
      #expect(book[.reduced].starts(with: ["go 0", "s0", "go 1", "go 2", "go 3", "c0", "s1"]))
    }
  }
}

/// A feature whose runs meet under one id.
struct OrderProgram: Sendable {
  let name: String
  let overlap: Overlap
  let time: @Sendable (Effect<OrderAction>) -> Effect<OrderAction>
  let end: End

  enum End: String, CaseIterable, Sendable {
    case returns, catches, throwing, cancelled, reconnects
    var throwsError: Bool { self == .catches || self == .throwing || self == .reconnects }
  }

  static let overlaps: [(name: String, overlap: Overlap)] = [
    ("concurrent", .concurrent), ("restart", .restart), ("restart 2", .restart(limit: 2)),
    ("restart exclusive", .restart(exclusive: true)), ("restart 2 exclusive", .restart(limit: 2, exclusive: true)),
    ("drop", .drop), ("drop 2", .drop(limit: 2)), ("drop exclusive", .drop(exclusive: true)), ("enqueue", .enqueue),
    ("enqueue 2 exclusive", .enqueue(limit: 2, exclusive: true)), ("enqueue capacity 1", .enqueue(capacity: 1)),
    ("enqueue 2 dropping the oldest", .enqueue(limit: 2, capacity: 1, whenFull: .dropOldest)),
    ("keepLatest", .keepLatest), ("keepLatest 2 exclusive", .keepLatest(limit: 2, exclusive: true)), ("join", .join),
    ("join 2", .join(limit: 2)),
  ]

  static let times: [(name: String, time: @Sendable (Effect<OrderAction>) -> Effect<OrderAction>)] = [
    ("plain", { $0 }), ("delay", { $0.delay(for: .milliseconds(17)) }),
    ("debounce", { $0.debounce(for: .milliseconds(13)) }),
    ("debounce at most", { $0.debounce(for: .milliseconds(13), maxWait: .milliseconds(19)) }),
    ("throttle", { $0.throttle(for: .milliseconds(29)) }), ("timeout", { $0.timeout(after: .milliseconds(25)) }),
    ("retry", { $0.retry(attempts: 2, backoff: .constant(.milliseconds(11))) }),
    ("retry at once", { $0.retry(attempts: 2, backoff: .constant(.zero)) }),
    (
      "timeout, retry",
      { $0.timeout(after: .milliseconds(25)).retry(attempts: 2, backoff: .constant(.milliseconds(11))) }
    ),
    (
      "retry, timeout",
      { $0.retry(attempts: 3, backoff: .constant(.milliseconds(11))).timeout(after: .milliseconds(65)) }
    ),
    (
      "timeout, retry, timeout",
      {
        $0.timeout(after: .milliseconds(25)).retry(attempts: 3, backoff: .constant(.milliseconds(11)))
          .timeout(after: .milliseconds(53))
      }
    ),
    (
      "throttle, delay, timeout",
      { $0.throttle(for: .milliseconds(29)).delay(for: .milliseconds(5)).timeout(after: .milliseconds(25)) }
    ),
  ]

  static func all(overlap: Int) -> [OrderProgram] {
    let (name, overlap) = overlaps[overlap]
    // Whether a closure that is out of time returns before its `catch` sends is open, and with `exclusive` it keeps the slot. With
    // `.concurrent` several closures send at one instant.
    let ends = End.allCases.filter { $0 != .reconnects || !overlap.exclusive && overlap != .concurrent }
    return times.flatMap { time in
      ends.map {
        OrderProgram(name: "\(name), \(time.name), \($0)", overlap: overlap, time: time.time, end: $0)
      }
    }
  }

  /// When each action is sent, in milliseconds. Two come at one instant.
  var script: [(at: Int, action: OrderAction)] {
    let sent: [(at: Int, action: OrderAction)] = [
      (0, .go(0)), (10, .go(1)), (22, .go(2)), (22, .go(3)), (60, .go(4)), (300, .note("end")),
    ]
    return end == .cancelled ? sent.prefix(4) + [(26, .cancel), (27, .go(5))] + sent.dropFirst(4) : sent
  }
}

enum OrderAction: Equatable, Sendable { case go(Int), note(String), cancel }

private struct Broken: Error {}

/// What happens, in its order.
final class OrderBook: Sendable {
  enum Kind: CaseIterable { case reduced, called, cancelled, failed, delivered, settled }

  private let lines = Lock<[Kind: [String]]>([:])

  subscript(kind: Kind) -> [String] { lines.withLock { $0[kind, default: []] } }

  private func note(_ kind: Kind, _ line: String) { lines.withLock { $0[kind, default: []].append(line) } }

  private func run(_ number: Int, _ program: OrderProgram) -> Effect<OrderAction> {
    let throwsError = program.end.throwsError && number < 3
    let body: @concurrent @Sendable (Int, Send<OrderAction>) async throws -> Void = { _, send in
      self.note(.called, "\(number)")
      send(.note("s\(number)"))
      try await withTaskCancellationHandler {
        try await send.sleep(for: .milliseconds(30))
      } onCancel: {
        self.note(.cancelled, "\(number)")
      }
      if throwsError { throw Broken() }
      self.note(.delivered, "\(number): \(await send.delivered(.note("e\(number)")))")
    }
    let recovery: @concurrent @Sendable (any Error, Send<OrderAction>) async -> Void = { _, send in
      self.note(.called, "catch \(number)")
      send(.note("c\(number)"))
      if program.end == .reconnects { send(.go(number + 10)) }
      try? await send.sleep(for: .milliseconds(7))
      send(.note("h\(number)"))
    }
    let catches = program.end != .throwing
    return program.time(
      .run(
        id: "x", overlap: program.overlap, input: number % 2, name: "\(number)", body, catch: catches ? recovery : nil))
  }

  private func reducer(_ program: OrderProgram) -> Reduce<Int, OrderAction> {
    Reduce { count, action in
      count += 1
      switch action {
      case .go(let number):
        self.note(.reduced, "go \(number)")
        return self.run(number, program)
      case .note(let text):
        self.note(.reduced, text)
        return .none
      case .cancel:
        self.note(.reduced, "stop")
        return .cancel(id: "x")
      }
    }
  }

  static func ofStore(_ program: OrderProgram) -> OrderBook {
    let book = OrderBook()
    CapturedJobs.with { jobs in
      let clock = TestClock()
      let store = Store(
        initialState: 0, reducer: book.reducer(program), clock: clock,
        onFailure: { book.note(.failed, $0.run.name ?? "") })
      for (number, step) in program.script.enumerated() {
        while clock.wakeNext(until: .milliseconds(step.at)) { jobs.runAll() }
        clock.advance(to: TestClock.Instant(offset: .milliseconds(step.at)))
        let task = store.send(step.action, isolation: nil)
        Task {
          await task.finish()
          book.note(.settled, "\(number)")
        }
        jobs.runAll()
      }
    }
    return book
  }

  static func ofTestStore(_ program: OrderProgram) -> OrderBook {
    let book = OrderBook()
    let diversion = Reporter.Diversion { text, _ in
      let name = text.split(separator: "name: \"").dropFirst().first?.split(separator: "\"").first.map(String.init)
      book.note(.failed, text.contains("and has no `catch`") ? name ?? "" : text)
      return true
    }
    CapturedJobs.with { jobs in
      Reporter.$diversion.withValue(diversion) {
        let store = TestStore(initialState: 0, reducer: book.reducer(program))
        store.externalWait = .zero
        store.exhaustivity = .off
        for (number, step) in program.script.enumerated() {
          store.advance(by: .milliseconds(step.at) - store.clock.now.offset)
          rest(store, jobs)
          store.send(step.action) { _ in }
          let waiter = Waiter()
          store.handle(.watch(store.engine.taken, waiter, from: .none))
          Task {
            _ = await waiter.wait()
            book.note(.settled, "\(number)")
          }
          rest(store, jobs)
        }
        store.isFinished = true
      }
    }
    return book
  }

  private static func rest(_ store: TestStore<Reduce<Int, OrderAction>>, _ jobs: CapturedJobs) {
    repeat {
      if store.held != nil { store.skipReceived() }
      store.goOn()
      jobs.runAll()
    } while store.held != nil
  }
}

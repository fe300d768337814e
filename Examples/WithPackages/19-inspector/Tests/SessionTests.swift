// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import InspectorCore

@Suite struct `A session of stores` {
  private let session = InspectorSession()

  private func attach(_ store: Store<Counter>, name: String = "counter", stub: Counter = Counter()) async throws -> Int
  {
    try await session.attach(
      store, name: name, reducer: stub, codec: Counter.codec,
      test: TestExpressions(reducer: "Counter()", codec: "Counter.codec", importing: ["Features"]))
  }

  @Test func `Shows what an action changed, and the state after it`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    for value in 1...3 { store.send(.add(value)) }
    _ = await store.state
    let moment = try session.store(id).moment(at: 2)
    #expect(moment.row?.action == "add(2)")
    #expect(moment.difference == ["sum:", "  - 1", "  + 3", "last:", "  - 1", "  + 2"])
    #expect(moment.state.contains("- sum: 3") && moment.encoded == #"{"add":{"_0":2}}"#)
    let first = try session.store(id).moment(at: 0)
    #expect(first.row == nil && first.difference.isEmpty && first.encoded == nil)
    #expect(throws: InspectorError.unknownPosition(4, oldest: 0, newest: 3)) { try session.store(id).moment(at: 4) }
  }

  @Test func `A jump runs no effect`() async throws {
    let (calls, stubbed) = (Calls(), Calls())
    let load: @Sendable (Int) -> Int = { value in
      calls.add()
      return value
    }
    let stub: @Sendable (Int) -> Int = { value in
      stubbed.add()
      return value
    }
    let store = Store(initialState: Counter.State(), reducer: Counter(load: load))
    let id = try await attach(store, stub: Counter(load: stub))
    await store.send(.load(1)).finish()
    for position in 0...2 { _ = try session.store(id).moment(at: position) }
    #expect(calls.count == 1 && stubbed.count == 0)
  }

  @Test func `Rows are searched and filtered, the newest first, some at a time`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    for value in 1...100 { store.send(.add(value)) }
    store.send(.chain(2))
    await store.send(.load(5)).finish()
    let inspected = try session.store(id)
    func rows(_ text: String = "", _ kind: String? = nil, limit: Int = 100, scan: Int = .max) -> RowPage {
      inspected.rows(in: 0..<1_000, limit: limit, scan: scan, filter: RowFilter(text: text, kind: kind))
    }
    #expect(rows("ADD(9").rows.map(\.position) == [99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 9])
    #expect(rows("", "followUp").rows.map(\.action) == ["chain(0)", "chain(1)"])
    #expect(rows("", "run").rows.map(\.action) == ["loaded(5)"])
    #expect(rows("registered").rows.map(\.action) == ["load(5)"])
    #expect(rows(limit: 2).rows.map(\.position) == [105, 104] && rows(limit: 2).searched == 103)
    // Each action counts 100 bytes and those of its description.
    let part = rows("add(1)", scan: 5_000)
    #expect(part.rows == [] && (55..<65).contains(part.searched))
    #expect(
      inspected.rows(in: 0..<part.searched + 1, limit: 5, scan: .max, filter: RowFilter(text: "add(1)"))
        .rows.map(\.position) == [1])
    #expect(rows().searched == 5 && rows("nothing").searched == 0)
  }

  @Test func `A search ends behind a long action, and a description is cut by its bytes`() async throws {
    let store = Store(initialState: Note.State(), reducer: Note())
    let id = try await session.attach(store, name: "note", reducer: Note(), codec: Note.codec, test: nil)
    // One character of 60,000 bytes.
    let letter = "e" + String(repeating: "\u{301}", count: 30_000)
    for _ in 1...20 { store.send(.write(letter)) }
    _ = await store.state
    let page = try session.store(id).rows(in: 0..<100, limit: 100, scan: 200_000, filter: RowFilter(text: "none"))
    #expect(page == RowPage(rows: [], searched: 16))
    let rows = try session.store(id).rows(in: 0..<100, limit: 100, scan: .max, filter: RowFilter()).rows
    #expect(rows.count == 20 && rows.allSatisfy { $0.action.utf8.count < 4_100 })
  }

  @Test func `A fork begins with the state of its position and runs no effect; the store is left alone`() async throws {
    let stubbed = Calls()
    let stub: @Sendable (Int) -> Int = { value in
      stubbed.add()
      return value
    }
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store, stub: Counter(load: stub))
    for value in 1...4 { store.send(.add(value)) }
    _ = await store.state
    let fork = try await session.fork(id, at: 2)
    try session.store(fork).send(Counter.codec.encodeAction(.add(10)))
    try session.store(fork).send(Counter.codec.encodeAction(.load(1)))
    // A fork of the fork is made behind what was sent to it.
    let continued = try await session.continueFork(fork)
    #expect(try session.store(continued).moment(at: 0).state.contains("- sum: 13"))
    #expect(stubbed.count == 0)
    #expect(await store.state.sum == 10)
    #expect(session.stores.map { $0.summary().kind } == ["attached", "continued"])
    #expect(throws: InspectorError.unknownStore(fork)) { try session.store(fork) }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A fork that is continued runs the effects of the stub; when it is dropped, they are cancelled`() async throws {
    let (began, ended) = (AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Void.self))
    let stub: @Sendable (Int) async throws -> Int = { value in
      defer { ended.continuation.yield() }
      began.continuation.yield()
      try await Task.sleep(for: .seconds(3_600))
      return value
    }
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store, stub: Counter(load: stub))
    let continued = try await session.continueFork(session.fork(id, at: 0))
    try session.store(continued).send(Counter.codec.encodeAction(.load(1)))
    for await _ in began.stream { break }
    #expect(try session.store(continued).summary().active.map(\.phase) == ["runs"])
    try session.drop(continued)
    for await _ in ended.stream { break }
    #expect(session.stores.map(\.id) == [id])
  }

  @Test func `There is a limit of forks, and only forks can be continued and dropped`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    var forks: [Int] = []
    for _ in 0..<InspectorSession.mostForks { forks.append(try await session.fork(id, at: 0)) }
    await #expect(throws: InspectorError.tooManyForks(8)) { try await session.fork(id, at: 0) }
    // It replaces one.
    _ = try await session.continueFork(forks[0])
    #expect(session.stores.count == 9)
    await #expect(throws: InspectorError.notAFork("counter")) { try await session.continueFork(id) }
    #expect(throws: InspectorError.notAFork("counter")) { try session.drop(id) }
    #expect(session.stores.count == 9)
  }

  @Test func `What the codec cannot read is refused with its reason, and nothing is sent`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    for text in ["", "{", #"{"subtract":{"_0":1}}"#, "\0"] {
      let error = #expect(throws: InspectorError.self) { try session.store(id).send(Array(text.utf8)) }
      #expect(error?.description.hasPrefix("The codec cannot read this action: ") == true)
    }
    _ = await store.state
    #expect(try session.store(id).summary().count == 0)
    try session.store(id).send(Counter.codec.encodeAction(.add(2)))
    #expect(await store.state.sum == 2)
  }

  @Test func `A refusal lists the cases, with the newest action of each, or one that the codec reads`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    store.send(.add(7))
    await store.send(.load(3)).finish()
    let fork = try await session.fork(id, at: 1)
    for store in [id, fork] {
      let error = #expect(throws: InspectorError.self) {
        try session.store(store).send(Array(#"{"subtract":{"_0":1}}"#.utf8))
      }
      let lines = try #require(error).description.split(separator: "\n").dropFirst(2)
      #expect(
        lines == [
          #"add: {"add":{"_0":7}}"#, #"load: {"load":{"_0":3}}"#, #"loaded: {"loaded":{"_0":3}}"#,
          #"chain: {"chain":{"_0":0}}"#,
        ])
    }
  }

  @Test func `An action that is sent by hand says so, in the list and in a recording`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    store.send(.add(1))
    let inspected = try session.store(id)
    try inspected.send(Counter.codec.encodeAction(.add(2)))
    _ = await store.state
    let rows = inspected.rows(in: 0..<9, limit: 9, scan: .max, filter: RowFilter()).rows
    #expect(rows.map(\.kind) == ["hand", "user"])
    #expect(rows.first?.source == "sent here by hand" && rows.last?.source.contains("SessionTests.swift") == true)
    let byHand = inspected.rows(in: 0..<9, limit: 9, scan: .max, filter: RowFilter(kind: "hand")).rows
    #expect(byHand.map(\.position) == [2])
    #expect(inspected.events(in: 0..<9).count { $0.contains(#""site":"by hand""#) } == 1)
    let steps = try inspected.recording(newest: nil, upTo: nil, mostBytes: .max).steps
    #expect(steps.last?.cause == .user("by hand"))
  }

  @Test func `A fork says where it comes from, also when it is continued`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    for value in 1...3 { store.send(.add(value)) }
    _ = await store.state
    let fork = try await session.fork(id, at: 2)
    try session.store(fork).send(Counter.codec.encodeAction(.add(10)))
    let second = try await session.fork(fork, at: 0)
    let continued = try await session.continueFork(fork)
    func origin(_ id: Int) throws -> String? {
      try session.store(id).summary().origin.map { "\($0.name) \($0.store) \($0.position) \($0.actions)" }
    }
    #expect(try origin(id) == nil)
    #expect(try origin(second) == "counter @ 2 \(fork) 0 0")
    #expect(try origin(continued) == "counter \(id) 2 1")
  }

  @Test func `A name is used once, and a store that has ended takes no action`() async throws {
    var store: Store<Counter>? = Store(initialState: Counter.State(), reducer: Counter())
    let attached = try #require(store)
    let id = try await attach(attached)
    await #expect(throws: InspectorError.nameInUse("counter")) { try await attach(attached) }
    await attached.shutdown(.cancelling)
    #expect(try session.store(id).summary().hasEnded)
    #expect(throws: InspectorError.storeEnded("counter")) {
      try session.store(id).send(Counter.codec.encodeAction(.add(1)))
    }
    store = nil
    // What it did can still be read.
    #expect(try session.store(id).moment(at: 0).state.contains("- sum: 0"))
  }

  @Test func `A recording and a test of the newest actions lead to the same state`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    for value in 1...20 { store.send(.add(value)) }
    await store.send(.load(3)).finish()
    let inspected = try session.store(id)
    for (newest, position) in [(nil, nil), (5, nil), (5, 10), (0, 4), (100, 3)] as [(Int?, Int?)] {
      let recording = try inspected.recording(newest: newest, upTo: position, mostBytes: 10_000)
      let parsed = try Recording(parsing: recording.bytes)
      #expect(parsed == recording)
      var replay = try Replay(parsed, reducer: Counter(), codec: Counter.codec)
      if replay.count > 0 { #expect(try replay.firstDivergence() == nil) }
      try replay.jump(to: replay.count)
      let last = position ?? 22
      #expect(replay.count == min(newest ?? last, last))
      #expect(replay.state.sum == (1...min(last, 20)).reduce(0, +))
    }
    let whole = try inspected.recording(newest: nil, upTo: nil, mostBytes: 10_000)
    #expect(whole.notes.map(\.text).last == "run 1 finished" && whole.steps.last?.cause == .run(1))
    let source = try inspected.testSource(newest: 2, upTo: nil, mostBytes: 10_000)
    #expect(source.contains("@testable import Features") && source.contains("A recorded session: 2 actions."))
    #expect(throws: InspectorError.unknownPosition(23, oldest: 0, newest: 22)) {
      try inspected.recording(newest: nil, upTo: 23, mostBytes: 10_000)
    }
  }
  @Test func `An export that would be too large is refused`() async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    for value in 1...20 { store.send(.add(value)) }
    _ = await store.state
    let inspected = try session.store(id)
    let bytes = try inspected.recording(newest: nil, upTo: nil, mostBytes: .max).steps.map(\.action.count).reduce(0, +)
    #expect(try inspected.recording(newest: nil, upTo: nil, mostBytes: bytes).steps.count == 20)
    #expect(throws: InspectorError.tooLarge(bytes - 1)) {
      try inspected.recording(newest: nil, upTo: nil, mostBytes: bytes - 1)
    }
    #expect(try inspected.recording(newest: 5, upTo: nil, mostBytes: bytes - 1).steps.count == 5)
  }

  @Test(arguments: [Int.min, Int.min + 1, -1, 3, Int.max - 16, Int.max])
  func `Positions that are not kept are refused, whatever they are`(position: Int) async throws {
    let store = Store(initialState: Counter.State(), reducer: Counter())
    let id = try await attach(store)
    store.send(.add(1))
    _ = await store.state
    let inspected = try session.store(id)
    let error = InspectorError.unknownPosition(position, oldest: 0, newest: 1)
    #expect(throws: error) { try inspected.moment(at: position) }
    #expect(throws: error) { try inspected.recording(newest: .max, upTo: position, mostBytes: 100) }
    #expect(throws: error) { try inspected.recording(newest: .min, upTo: position, mostBytes: 100) }
    await #expect(throws: error) { try await session.fork(id, at: position) }
    #expect(throws: InspectorError.unknownStore(position)) { try session.store(position) }
    #expect(inspected.events(in: min(position, 0)..<max(position, 0)).count == (position > 1 ? 1 : 0))
    let rows = inspected.rows(in: min(position, 0)..<max(position, 0), limit: position, scan: .max, filter: RowFilter())
    #expect(rows.rows.count == (position > 1 ? 1 : 0))
  }
}

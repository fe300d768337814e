// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import race_lab

/// Sessions: how many, for how long, and that they are freed.
@Suite("Sessions of the lab") struct LabTests {
  static let quick = Settings(
    overlap: .restart, latency: Latency(kind: .fixed, range: 0...0), isDeaf: false)
  private static let endless = Settings(
    overlap: .enqueue, latency: Latency(kind: .fixed, range: 5000...5000), isDeaf: false)

  @Test func `A session that is closed frees its stores, and all that runs in them (E7)`() async throws {
    let lab = Lab()
    var session = await lab.open(Self.endless, replacing: nil)
    let id = try #require(session?.id)
    weak let naive = session?.naive
    weak let chosen = session?.chosen
    let traces = [try #require(session?.naive.trace.log()), try #require(session?.chosen.trace.log())]
    var (first, second) = (
      try #require(naive?.trace.makeAsyncIterator()), try #require(chosen?.trace.makeAsyncIterator())
    )
    #expect(await lab.type("s", in: id) == .done)
    #expect(await lab.type("sw", in: id) == .done)
    session = nil
    await lab.close(id)
    // A trace ends with its store.
    while await first.next(isolation: #isolation) != nil {}
    while await second.next(isolation: #isolation) != nil {}
    #expect(naive == nil && chosen == nil)
    #expect(traces.allSatisfy { !$0.events.isEmpty })
    #expect(await lab.type("swi", in: id) == .unknownSession)
    await lab.close(id)
  }

  @Test func `The number of sessions has a limit, until one is closed or replaced`() async {
    let lab = Lab()
    var sessions: [Session] = []
    for _ in 0..<Lab.mostSessions {
      if let session = await lab.open(Self.quick, replacing: nil) { sessions.append(session) }
    }
    #expect(sessions.count == Lab.mostSessions)
    #expect(Set(sessions.map(\.id)).count == Lab.mostSessions)
    #expect(await lab.open(Self.quick, replacing: nil) == nil)
    #expect(await lab.open(Self.quick, replacing: "unknown") == nil)
    #expect(await lab.open(Self.quick, replacing: sessions[0].id) != nil)
    // The reader of the session that was replaced gets its end.
    #expect(await sessions[0].outbox.take() == nil)
    await lab.close(sessions[1].id)
    #expect(await lab.open(Self.quick, replacing: nil) != nil)
  }

  @Test func `The number of texts of a session has a limit`() async throws {
    let lab = Lab()
    let session = try #require(await lab.open(Self.quick, replacing: nil))
    for number in 0..<Session.mostTexts { #expect(await lab.type("\(number)", in: session.id) == .done) }
    #expect(await lab.type("one more", in: session.id) == .tooManyTexts)
    await session.naive.shutdown(.draining)
    #expect(await session.naive.state.query == "\(Session.mostTexts - 1)")
  }

  @Test func `Without a reader, the stores go on, one text waits, and a later reader gets the newest one`() async throws
  {
    let lab = Lab(beat: .seconds(3600))
    let session = try #require(await lab.open(Self.quick, replacing: nil))
    for number in 1...300 { #expect(await lab.type("\(number)", in: session.id) == .done) }
    for await change in session.naive.changes where change.state.query == "300" && change.effects.isEmpty { break }

    var events = 0
    var shown: [String] = []
    while let text = await session.outbox.take() {
      if text.hasPrefix("event: naive\n") { events += 1 }
      if text.hasPrefix("event: naive-shown\n") { shown.append(text) }
      if shown.last?.contains("\"query\":\"300\"") == true, shown.last?.contains("\"isBusy\":false") == true { break }
    }
    // States in between are skipped, except those that were already being written.
    #expect(shown.count < 5)
    #expect(events <= 10_000)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import GatewayCore

/// The time limits of a connection, on a loop whose time stands still.
@Suite struct `The patience with a connection` {
  private let channel = EmbeddedChannel()

  init() throws {
    try channel.pipeline.syncOperations.addHandler(Patience(.seconds(10)) { _, _ in })
    channel.pipeline.fireChannelActive()
  }

  private func isOpen(after seconds: Int64) -> Bool {
    channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    return channel.isActive
  }

  private func head(_ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]) throws {
    try channel.writeInbound(
      HTTPRequestPart.head(
        HTTPRequest(method: method, scheme: "http", authority: "a", path: "/", headerFields: fields)))
  }

  private func end() throws { try channel.writeInbound(HTTPRequestPart.end(nil)) }

  private func answer() throws {
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
  }

  private func sent() throws -> [Int] {
    var statuses: [Int] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
      if case .head(let head) = part { statuses.append(head.status.code) }
    }
    return statuses
  }

  @Test func `A connection without a request is closed`() throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    #expect(isOpen(after: 9))
    #expect(!isOpen(after: 1))
  }

  @Test func `A request that comes slowly has no more time`() throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try head(.post)
    for _ in 0..<9 {
      try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
      #expect(isOpen(after: 1))
    }
    try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
    #expect(!isOpen(after: 1))
  }

  @Test func `A request that is being answered has all the time`() throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try head()
    try end()
    #expect(isOpen(after: 1_000))
    try answer()
    #expect(isOpen(after: 9))
    #expect(!isOpen(after: 1))
  }

  @Test func `A second request waits for the first`() throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    for _ in 0..<2 {
      try head()
      try end()
    }
    try answer()
    #expect(isOpen(after: 1_000))
    try answer()
    #expect(!isOpen(after: 10))
  }

  @Test func `The rest of a request that is answered already has a limit`() throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try head(.post)
    try answer()
    #expect(isOpen(after: 9))
    try end()
    #expect(!isOpen(after: 1))
  }

  @Test func `A client that does not take its answer is closed`() throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try head()
    try end()
    for _ in 0..<3 {
      channel.isWritable = false
      channel.pipeline.fireChannelWritabilityChanged()
      #expect(isOpen(after: 9))
      // It reads slowly.
      channel.isWritable = true
      channel.pipeline.fireChannelWritabilityChanged()
      #expect(isOpen(after: 9))
    }
    channel.isWritable = false
    channel.pipeline.fireChannelWritabilityChanged()
    #expect(!isOpen(after: 10))
  }

  @Test func `A client that asks may send its body`() throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try head(.post, [.expect: "100-Continue"])
    #expect(try sent() == [100])
    try end()
    try answer()
    #expect(try sent() == [200])
  }

  @Test func `A client that asks early may send its body after the answer before it`() throws {
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try head()
    try end()
    try head(.post, [.expect: "100-continue"])
    #expect(try sent() == [])
    try answer()
    #expect(try sent() == [200, 100])
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The event streams` {
  private let counts = AsyncStream.makeStream(of: Counts.self, bufferingPolicy: .bufferingNewest(1))

  private var gateway: Gateway {
    Gateway(get: { _ in .gone }, counts: { Counts() }, changes: { [counts] in counts.stream }, drain: { _ in })
  }

  private func active(_ count: Int) -> Counts {
    var counts = Counts()
    counts.active = count
    return counts
  }

  @Test func `All streams share one text for each change`() async throws {
    let events = EventStreams(gateway, most: 100)
    let streams = try (0..<100).map { _ in try #require(events.open()) }
    var readers = streams.map { $0.texts.makeAsyncIterator() }
    let running = Task { try await events.run() }
    for count in 1...3 {
      counts.continuation.yield(active(count))
      var places: Set<UInt> = []
      for index in readers.indices {
        let text = try #require(await readers[index].next())
        #expect(String(buffer: text) == "data: {\"active\":\(count),\"queued\":0,\"refused\":0}\n\n")
        places.insert(unsafe text.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) })
      }
      #expect(places.count == 1)
    }
    counts.continuation.finish()
    for index in readers.indices { #expect(await readers[index].next() == nil) }
    running.cancel()
    try await running.value
  }

  @Test func `Of changes in a pause the newest is sent`() async throws {
    let clock = TestClock()
    let events = EventStreams(gateway, most: 1, clock: clock)
    var reader = try #require(events.open()).texts.makeAsyncIterator()
    let running = Task { try await events.run() }
    counts.continuation.yield(active(1))
    #expect(String(buffer: try #require(await reader.next())).contains(#""active":1"#))
    await clock.sleepers(atLeast: 1)
    for count in 2...4 { counts.continuation.yield(active(count)) }
    clock.advance(by: .milliseconds(50))
    #expect(String(buffer: try #require(await reader.next())).contains(#""active":4"#))
    running.cancel()
    try await running.value
  }

  @Test func `A stream above the limit is refused, until one has ended`() async throws {
    let events = EventStreams(gateway, most: 2)
    var open = try (0..<2).map { _ in try #require(events.open()) }
    #expect(events.open() == nil)
    for _ in 0..<3 {
      open[0].end()
      open[0] = try #require(events.open())
      #expect(events.open() == nil)
    }
    // Streams that have no reader any more.
    open.removeAll()
    #expect(events.open() != nil)
  }

  @Test func `A stream begins with the counts of its moment`() async throws {
    let events = EventStreams(gateway, most: 2)
    var first = try #require(events.open()).texts.makeAsyncIterator()
    let running = Task { try await events.run() }
    counts.continuation.yield(active(7))
    let text = try #require(await first.next())
    var second = try #require(events.open()).texts.makeAsyncIterator()
    #expect(await second.next() == text)
    running.cancel()
    try await running.value
  }
}

@Suite struct DescriptorTests {
  @Test(arguments: [(64, 16), (256, 16), (1_024, 16), (1_024, 200), (20_000, 16)])
  func `Connections leave descriptors for all else`(all: Int, limit: Int) {
    var configuration = Configuration()
    configuration.limit = limit
    let connections = Descriptors.connections(configuration, all: all)
    #expect(connections <= 1_000)
    #expect(connections + 2 * (limit + 1) + 3 * System.coreCount < all)
  }
}

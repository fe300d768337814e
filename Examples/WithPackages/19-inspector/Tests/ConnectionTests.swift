// This source file is part of swift-effects. License: Apache-2.0.

import ConnectionLimit
import Foundation
import HTTPTypes
import HummingbirdCore
import LocalServer
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@Suite struct `The connections of a server` {
  private let connections = OpenConnections(most: 4)

  private func opened(_ count: Int) throws -> [EmbeddedChannel] {
    try (0..<count).map { _ in
      let channel = EmbeddedChannel()
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      connections.opened(channel)
      return channel
    }
  }

  /// The numbers of those that are still open.
  private func open(_ channels: [EmbeddedChannel]) -> [Int] {
    for channel in channels { channel.embeddedEventLoop.run() }
    return channels.indices.filter { channels[$0].isActive }
  }

  @Test func `Room for one more is kept: the one that has waited longest is closed`() throws {
    let channels = try opened(4)
    #expect(open(channels) == [1, 2, 3])
    // Now it has waited least.
    connections.works(channels[1])
    connections.waits(channels[1])
    let more = try opened(2)
    #expect(open(channels) == [1] && open(more) == [0, 1])
  }

  @Test func `A connection with a request is not closed, until it was answered and another one needs its place`() throws
  {
    let channels = try opened(3)
    for channel in channels { connections.works(channel) }
    let more = try opened(2)
    #expect(open(channels) == [0, 1, 2] && open(more) == [1])
    connections.waits(channels[2])
    #expect(open(channels) == [0, 1, 2] && open(more) == [])
    connections.waits(channels[0])
    #expect(open(channels) == [0, 1, 2])
    _ = try opened(1)
    #expect(open(channels) == [0, 1])
  }

  @Test func `At most so many have a request, and one that is closed makes room`() throws {
    let channels = try opened(3)
    #expect(channels.map { connections.works($0, most: 2) } == [true, true, false])
    channels[0].close(promise: nil)
    channels[0].embeddedEventLoop.run()
    #expect(connections.works(channels[2], most: 2))
  }

  @Test func `A connection that comes after the end is closed`() async throws {
    await connections.closeAll()
    #expect(open(try opened(1)) == [])
  }

  @Test(arguments: [(1_024, 20, 64), (64, 20, 22), (36, 20, 8)])
  func `A server leaves half of the free file descriptors`(all: Int, used: Int, connections: Int) throws {
    #expect(try Descriptors.connections(upTo: 64, all: all, used: used) == connections)
  }

  @Test(
    .timeLimit(.minutes(3)),
    arguments: ["", "GET / HTTP/1.1\r\nHost: ", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"])
  func `Connections with half a request do not keep out others from the server of the other examples`(half: String)
    async throws
  {
    let (arrived, arrival) = AsyncStream<Void>.makeStream()
    try await LocalServer.whileRunning { request in
      if request.uri.path == "/last" { arrival.yield() }
      return Response(.ok)
    } _: { server in
      let port = try #require(server.url.port)
      func connect(_ text: String) async throws -> any Channel {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
          .connect(host: "127.0.0.1", port: port).get()
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        return channel
      }
      var connections: [any Channel] = []
      for _ in 0..<300 { connections.append(try await connect(half)) }
      let began = ContinuousClock.now
      connections.append(try await connect("GET /last HTTP/1.1\r\nHost: a\r\n\r\n"))
      for await _ in arrived { break }
      // Idle connections are closed after a minute.
      #expect(ContinuousClock.now - began < .seconds(30))
      for connection in connections { connection.close(promise: nil) }
    }
  }

  @Test func `A server does not start with too few file descriptors`() {
    #expect(throws: IOError.self) { try Descriptors.connections(upTo: 64, all: 35, used: 20) }
    #expect((3...Descriptors.limit).contains(Descriptors.open))
  }
}

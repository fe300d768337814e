// This source file is part of swift-effects. License: Apache-2.0.

import ConnectionLimit
import Foundation
import NIOCore
import NIOPosix
import NIOWebSocket

/// A real server on its own port, which can be killed and started again.
actor ChatServer {
  nonisolated let room = Room()
  nonisolated let port: UInt16
  private var running: (listener: any Channel, connections: OpenConnections, task: Task<Void, Never>)?

  /// Outside the range of ports that the system gives to clients: while the server is down, no client gets its port.
  static var ports: [UInt16] { (20_000..<32_000).shuffled() }

  init(port: UInt16) {
    self.port = port
  }

  /// Starts a server on the first free port of these.
  static func start(on ports: [UInt16] = ports) async throws -> ChatServer {
    for port in ports {
      let server = ChatServer(port: port)
      do {
        try await server.start()
        return server
      } catch let error as CannotListen where error.isInUse {
        continue
      }
    }
    throw NoFreePort()
  }

  /// Returns when it listens.
  func start() async throws {
    let (opened, opening) = AsyncStream<(WebSocket, Int)>.makeStream()
    let listener: any Channel
    let connections: OpenConnections
    do {
      connections = OpenConnections(most: try Descriptors.connections(upTo: Limits.connections))
      let sockets = min(Limits.sockets, connections.most * 4 / 5)
      // All on one loop: a connection that makes room is closed before the next ones are accepted.
      listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
        // So that it can be started again on the same port.
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // The connections that are accepted inherit it.
        .serverChannelOption(.socketOption(.so_rcvbuf), value: Limits.unread)
        .childChannelOption(.maxMessagesPerRead, value: 1)
        .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Limits.read))
        .childChannelInitializer { [port, connections] channel in
          channel.eventLoop.makeCompletedFuture {
            connections.opened(channel)
            let handshake = Handshake(port: port, hasRoom: { connections.works(channel, most: sockets) }) {
              opening.yield(($0, $1))
            }
            try channel.pipeline.syncOperations.addHandler(handshake)
          }
        }
        .bind(host: "127.0.0.1", port: Int(port)).get()
    } catch let error as IOError {
      throw CannotListen(port: port, error: error)
    }
    let task = Task { [room] in
      await withDiscardingTaskGroup { group in
        for await (socket, number) in opened {
          group.addTask { await room.serve(socket, after: number) }
        }
      }
    }
    running = (listener, connections, task)
    // Nothing can be accepted any more when the listener is closed.
    listener.closeFuture.whenComplete { _ in opening.finish() }
  }

  /// Ends it at once: messages that are being sent are lost, without an error.
  func kill() async {
    guard let running else { return }
    self.running = nil
    try? await running.listener.close()
    await running.connections.closeAll()
    await running.task.value
  }
}

/// Why a server is not started.
struct CannotListen: Error, CustomStringConvertible {
  let port: UInt16
  let error: IOError

  var isInUse: Bool { error.errnoCode == EADDRINUSE }
  var description: String {
    isInUse ? "Port \(port) is in use by another program." : "It cannot listen on port \(port): \(error)."
  }
}

/// All ports are in use.
struct NoFreePort: Error, CustomStringConvertible {
  var description: String { "No port is free." }
}

extension Room {
  /// One connection: drafts come in, messages go out, one at a time and only as fast as the client reads them.
  nonisolated func serve(_ socket: WebSocket, after number: Int) async {
    let visit = await enter(after: number)
    await withDiscardingTaskGroup { group in
      group.addTask {
        while let message = await visit.next(), (try? await socket.write(JSONEncoder().encode(message))) != nil {}
      }
      do {
        while true {
          let text = try await socket.read()
          // The decoder would read UTF-16 as well, which contains zeros.
          guard !text.contains(0) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
          }
          await accept(try JSONDecoder().decode(Draft.self, from: text))
        }
      } catch is DecodingError {
        socket.end(.dataInconsistentWithMessage)
      } catch {}
      await leave(visit)
      await socket.hasClosed()
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import Inspector

/// Set to measure. The machine's other work is in such times, so the gate does not look at them.
private let isMeasuring = ProcessInfo.processInfo.environment["INSPECTOR_LOAD"] == "1"

/// Whether a store goes on while its inspector is attacked.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A store under an attack on its inspector` {
  private let store = Store(initialState: Counter.State(), reducer: Counter())

  /// Threads of their own for the clients, one for each core: the store must not wait for their tasks.
  private static let clients = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)

  @Test(arguments: [80_000, 1_000_000])
  func `Goes on while 100 connections send long lines, and all of them are closed`(length: Int) async throws {
    try await attack(length, rounds: 1) { _, attacked in
      // Each action and its run has ended, and all connections: `attack` waits for them.
      #expect(await store.state.last == attacked.count - 1)
    }
  }

  @Test(.enabled(if: isMeasuring), arguments: [80_000, 1_000_000])
  func `Takes at most twice as long while 100 connections send long lines`(length: Int) async throws {
    var slower = (median: Double.infinity, percentile: Double.infinity)
    try await attack(length, rounds: 10) { quiet, attacked in
      slower.median = min(slower.median, attacked[attacked.count / 2] / quiet[quiet.count / 2])
      slower.percentile = min(slower.percentile, attacked[attacked.count * 99 / 100] / quiet[quiet.count * 99 / 100])
    }
    print("\(length) bytes: median \(slower.median)x, 99th percentile \(slower.percentile)x")
    #expect(slower.median <= 2 && slower.percentile <= 2)
  }

  /// The times of actions without and with an attack.
  private func attack(
    _ length: Int, rounds: Int, _ body: (_ quiet: [Duration], _ attacked: [Duration]) async -> Void
  ) async throws {
    try await Inspector.whileRunning(store) { inspector, _ in
      let line = ByteBuffer(string: "GET \(inspector.url.path())" + String(repeating: "a", count: length))
      let port = try #require(inspector.url.port)
      for _ in 0..<rounds {
        let quiet = await times { false }
        let began = ContinuousClock.now
        let closed = Calls()
        for _ in 0..<100 { send(line, to: port, closed) }
        let attacked = await times { closed.count < 100 }
        // Those that are not refused at once are kept for the time of an idle connection.
        try #require(ContinuousClock.now - began < .seconds(Limits.idleSeconds))
        await body(quiet, attacked)
      }
    }
  }

  private func send(_ line: ByteBuffer, to port: Int, _ closed: Calls) {
    ClientBootstrap(group: Self.clients).connect(host: "127.0.0.1", port: port)
      .flatMap { channel in
        channel.writeAndFlush(line, promise: nil)
        return channel.closeFuture
      }
      .whenComplete { _ in closed.add() }
  }

  /// How long at least 200 actions take with their runs, the shortest time first.
  private func times(goOn: () -> Bool) async -> [Duration] {
    var times: [Duration] = []
    while times.count < 200 || goOn() {
      let began = ContinuousClock.now
      await store.send(.load(times.count)).finish()
      times.append(ContinuousClock.now - began)
    }
    return times.sorted()
  }
}

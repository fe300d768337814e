// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation

/// A worker until SIGTERM, or until its standard input ends, because then the program that has started it has ended. Then it
/// finishes what it has, and hands over the rest.
struct WorkerProcess {
  /// The folder with the socket of the server.
  var folder: String
  /// The file of the calls outside.
  var calls: String
  /// In seconds.
  var lease: Int
  /// How often it tries again while the server is away.
  var attempts: Int
  /// Whether it is the one without the framework.
  var isPlain = false
  /// Also unlike that of a process with the same number, in another container or on another machine.
  let name = "worker \(String(UInt64.random(in: .min ... .max), radix: 16)) \(getpid())"

  /// - Throws: why it gave up.
  func run() async throws {
    let outages = Outages { Main.report("\(name): \($0)") }
    let services = try Services.live(
      folder: folder, worker: name, calls: calls, lease: .seconds(lease), outages: outages)
    let (ends, end) = AsyncStream<Failure?>.makeStream()
    let giveUp = { @Sendable (problem: String) in _ = end.yield(Failure(description: "\(name) gave up: \(problem)")) }
    let sources = await whenSignalled([SIGTERM]) { _ in end.yield(nil) }
    defer { for source in sources { source.cancel() } }
    Thread.detachNewThread {
      while readLine() != nil {}
      end.yield(nil)
    }

    var problem: Failure?
    // Shorter than the lease, because the leases are not renewed any more.
    let limit = Duration.seconds(lease) / 2
    if isPlain {
      let worker = PlainWorker(services: services, lease: .seconds(lease), attempts: attempts) { giveUp("\($0)") }
      await worker.start()
      for await reason in ends { problem = reason; break }
      await worker.leave(within: limit)
    } else {
      let store = Store(
        initialState: Worker.State(),
        reducer: Worker(
          services: services, lease: .seconds(lease), attempts: attempts, seed: .random(in: .min ... .max)))
      let watching = Task { for await problem in store.values(\.gaveUp) { problem.map(giveUp) } }
      store.send(.started)
      for await reason in ends { problem = reason; break }
      store.send(.leave)
      await store.shutdown(.draining(cancelling: Worker.Work.endless, within: limit))
      watching.cancel()
    }
    do {
      try await Database.handOver(name, Connection(folder: folder, outages: outages))
    } catch is Outage {
      // The leases expire.
    }
    if let problem { throw problem }
  }
}

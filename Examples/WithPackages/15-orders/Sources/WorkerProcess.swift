// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation

/// `orders work FOLDER CALLS SECONDS`, or `orders work-plain ...`: a worker with leases of this length, until SIGTERM. Then it finishes what it has,
/// and hands over the rest.
enum WorkerProcess {
  static func run(folder: String, calls: String, lease: Duration) async throws {
    let name = "worker \(getpid())"
    let services = try Services.live(folder: folder, worker: name, calls: calls, lease: lease)
    let (signals, continuation) = AsyncStream<Void>.makeStream()
    let source = await whenTerminated { continuation.yield() }
    defer { source.cancel() }
    let store = Store(initialState: Worker.State(), reducer: Worker(services: services, lease: lease))
    store.send(.started)
    for await _ in signals { break }
    store.send(.leave)
    // Shorter than the lease, because the leases are not renewed any more.
    await store.shutdown(.draining(cancelling: Worker.Work.endless, within: lease / 2))
    try await Database.handOver(name, Connection(folder: folder))
  }

  /// The same with an actor and its tasks.
  static func runPlain(folder: String, calls: String, lease: Duration) async throws {
    let name = "worker \(getpid())"
    let services = try Services.live(folder: folder, worker: name, calls: calls, lease: lease)
    let (signals, continuation) = AsyncStream<Void>.makeStream()
    let source = await whenTerminated { continuation.yield() }
    defer { source.cancel() }
    let worker = PlainWorker(services: services, lease: lease)
    await worker.start()
    for await _ in signals { break }
    await worker.leave(within: lease / 2)
    try await Database.handOver(name, Connection(folder: folder))
  }

  /// After it returns, SIGTERM calls the closure. Before, it ends the process.
  private static func whenTerminated(_ body: @escaping @Sendable () -> Void) async -> any DispatchSourceSignal {
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    source.setEventHandler { body() }
    await withCheckedContinuation { continuation in
      source.setRegistrationHandler { continuation.resume() }
      source.activate()
    }
    #if !os(Linux)
      signal(SIGTERM, SIG_IGN)
    #endif
    return source
  }
}

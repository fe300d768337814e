// This source file is part of swift-effects. License: Apache-2.0.

import NIOCore
import ServiceLifecycle
import Synchronization

/// The streams of events. Each change has one text, which all streams share.
final class EventStreams: Service {
  private struct State {
    var counts: Counts?
    var streams: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
    var last = 0
    var isOver = false
  }

  private let gateway: Gateway
  private let most: Int
  private let pause: Duration
  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  /// - Parameters:
  ///   - most: how many streams may be open.
  ///   - pause: how long no stream is notified after a change. To notify a hundred takes longer than to answer a request.
  ///   - clock: measures the pause.
  init(
    _ gateway: Gateway, most: Int, pause: Duration = .milliseconds(50), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.gateway = gateway
    self.most = most
    self.pause = pause
    self.clock = clock
  }

  /// Notifies all streams of the newest counts, until the gateway is shut down.
  func run() async throws {
    for await counts in gateway.changes().cancelOnGracefulShutdown() {
      state.withLock { state in
        state.counts = counts
        guard !state.streams.isEmpty else { return }
        let text = Self.text(counts)
        for stream in state.streams.values { stream.yield(text) }
      }
      // Cancelled by a shutdown, which also ends the loop.
      try? await clock.sleep(for: pause)
    }
    let streams = state.withLock { state in
      state.isOver = true
      return Array(state.streams.values)
    }
    // Not under the lock: the end of a stream needs it.
    for stream in streams { stream.finish() }
    // The gateway is shut down before the server. A service that returns before its own shutdown is a failure.
    try? await gracefulShutdown()
  }

  /// A stream that begins with the counts of this moment, and what ends it; nil if too many are open. If it is read slowly, it
  /// has the newest counts only.
  func open() -> (texts: AsyncStream<ByteBuffer>, end: @Sendable () -> Void)? {
    let (texts, stream) = AsyncStream<ByteBuffer>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number: Int? = state.withLock { state in
      guard state.streams.count < most, !state.isOver else { return nil }
      state.last += 1
      state.streams[state.last] = stream
      if let counts = state.counts { stream.yield(Self.text(counts)) }
      return state.last
    }
    guard let number else { return nil }
    stream.onTermination = { [weak self] _ in self?.state.withLock { $0.streams[number] = nil } }
    return (texts, { stream.finish() })
  }

  private static func text(_ counts: Counts) -> ByteBuffer {
    ByteBuffer(
      string: #"data: {"active":\#(counts.active),"queued":\#(counts.queued),"refused":\#(counts.refused)}"# + "\n\n")
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import NIOCore
import Synchronization

/// The open connections of a server, up to the limit.
final class Connections: Sendable {
  private struct State {
    var open: [ObjectIdentifier: any Channel] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Returns whether there is room for one more.
  func add(_ channel: any Channel) -> Bool {
    let isAdded = state.withLock { state in
      guard !state.isClosed, state.open.count < Limits.connections else { return false }
      state.open[ObjectIdentifier(channel)] = channel
      return true
    }
    if isAdded {
      channel.closeFuture.whenComplete { _ in
        self.state.withLock { $0.open[ObjectIdentifier(channel)] = nil }
      }
    }
    return isAdded
  }

  /// Closes all at once, without a close frame, and lets no other in.
  func closeAll() async {
    let open = state.withLock { state in
      state.isClosed = true
      return Array(state.open.values)
    }
    for channel in open { channel.close(promise: nil) }
    for channel in open { try? await channel.closeFuture.get() }
  }
}

extension Channel {
  /// Writes the last bytes, and closes the connection when the other side has closed its own, or after a limited time.
  /// At once, the other side could lose what was written.
  func end(with last: some Sendable) {
    close(after: Limits.lingerSeconds)
    writeAndFlush(last).whenComplete { _ in self.close(mode: .output, promise: nil) }
  }

  @discardableResult
  func close(after seconds: Int64) -> Scheduled<Void> {
    let task = eventLoop.scheduleTask(in: .seconds(seconds)) { self.close(promise: nil) }
    closeFuture.whenComplete { _ in task.cancel() }
    return task
  }
}

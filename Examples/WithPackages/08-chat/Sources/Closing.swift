// This source file is part of swift-effects. License: Apache-2.0.

import NIOCore

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

// This source file is part of swift-effects. License: Apache-2.0.

public import NIOCore
import Synchronization

/// The connections of a server, each until it is closed.
///
/// Room for one more is kept: the connection that has waited longest for a request is closed. So connections without a request keep
/// out no other one.
public final class OpenConnections: Sendable {
  private struct State {
    var open: [ObjectIdentifier: any Channel] = [:]
    /// Those without a whole request, the one that has waited longest first.
    var waiting: [ObjectIdentifier] = []
    var isClosed = false

    mutating func takeSurplus(_ most: Int) -> (any Channel)? {
      guard open.count >= most, !waiting.isEmpty else { return nil }
      return open.removeValue(forKey: waiting.removeFirst())
    }
  }

  /// How many there can be.
  public let most: Int
  private let state = Mutex(State())

  /// Knows no connection yet.
  public init(most: Int) {
    self.most = most
  }

  /// A new connection waits for its request.
  public func opened(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let surplus: (any Channel)? = state.withLock { state in
      if state.isClosed { return channel }
      state.open[id] = channel
      let surplus = state.takeSurplus(most)
      state.waiting.append(id)
      return surplus
    }
    channel.closeFuture.whenComplete { _ in
      self.state.withLock { state in
        state.open[id] = nil
        state.waiting.removeAll { $0 == id }
      }
    }
    if let surplus { close(surplus) }
  }

  /// A connection has a request, and is not closed to make room.
  ///
  /// - Returns: false if so many others have one; then nothing has changed.
  @discardableResult
  public func works(_ channel: any Channel, most: Int = .max) -> Bool {
    state.withLock { state in
      guard state.open.count - state.waiting.count < most else { return false }
      state.waiting.removeAll { $0 == ObjectIdentifier(channel) }
      return true
    }
  }

  /// The request of a connection has been answered: it waits for the next one, or for its end.
  public func waits(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let surplus: (any Channel)? = state.withLock { state in
      guard state.open[id] != nil, !state.waiting.contains(id) else { return nil }
      state.waiting.append(id)
      return state.takeSurplus(most)
    }
    if let surplus { close(surplus) }
  }

  /// Closes all at once, and each that is opened later.
  public func closeAll() async {
    let open = state.withLock { state in
      state.isClosed = true
      return Array(state.open.values)
    }
    for channel in open { channel.close(promise: nil) }
    for channel in open { try? await channel.closeFuture.get() }
  }

  /// Behind what is being done on its event loop: an answer that is being written is sent before.
  private func close(_ channel: any Channel) {
    channel.eventLoop.execute { channel.close(promise: nil) }
  }
}

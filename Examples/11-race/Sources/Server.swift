// This source file is part of swift-effects. License: Apache-2.0.

/// A server that answers when ``release(_:)`` is called, in any order. Like real servers, it ignores cancellation.
actor Server {
  private var requests: [String: CheckedContinuation<Void, Never>] = [:]
  private var released: Set<String> = []
  private var arrived: Set<String> = []
  private var watchers: [String: CheckedContinuation<Void, Never>] = [:]

  /// A request: waits until ``release(_:)`` is called.
  func answer(to query: String) async {
    arrived.insert(query)
    watchers.removeValue(forKey: query)?.resume()
    if released.contains(query) { return }
    await withCheckedContinuation { requests[query] = $0 }
  }

  /// Waits until the request has arrived.
  func hasArrived(_ query: String) async {
    if arrived.contains(query) { return }
    await withCheckedContinuation { watchers[query] = $0 }
  }

  /// Sends the answer to a query.
  func release(_ query: String) {
    released.insert(query)
    requests.removeValue(forKey: query)?.resume()
  }
}

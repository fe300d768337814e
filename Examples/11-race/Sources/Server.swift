// This source file is part of swift-effects. License: Apache-2.0.

/// A server that answers when it is told to, in any order; slow, and deaf to cancellation, as servers are.
actor Server {
  private var requests: [String: CheckedContinuation<Void, Never>] = [:]
  private var released: Set<String> = []
  private var arrived: Set<String> = []
  private var watchers: [String: CheckedContinuation<Void, Never>] = [:]

  /// A request: waits until somebody calls ``release(_:)``.
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

  /// Lets the answer to a query go.
  func release(_ query: String) {
    released.insert(query)
    requests.removeValue(forKey: query)?.resume()
  }
}

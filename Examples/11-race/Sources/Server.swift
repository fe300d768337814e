// This source file is part of swift-effects. License: Apache-2.0.

/// A server that answers when it is told to, in any order; slow, and deaf to cancellation, as servers are.
actor Server {
  private var requests: [String: CheckedContinuation<Void, Never>] = [:]
  private var released: Set<String> = []

  /// A request: waits until somebody calls ``release(_:)``.
  func answer(to query: String) async {
    if released.contains(query) { return }
    await withCheckedContinuation { requests[query] = $0 }
  }

  /// Lets the answer to a query go.
  func release(_ query: String) {
    released.insert(query)
    requests.removeValue(forKey: query)?.resume()
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// A server that answers when it is told to, in any order; slow, and deaf to cancellation, as servers are.
actor Server {
  /// What has happened to a request.
  enum Fate: Sendable { case asked, reduced, dropped }

  private var requests: [String: CheckedContinuation<Search.Answer, Never>] = [:]
  private var fates: [String: Fate] = [:]
  /// Requests that were cancelled and not asked about yet. A lock, because a cancellation handler cannot wait.
  private nonisolated let cancelled = Mutex<[String]>([])
  private var watchers: [(query: String, fate: Fate, CheckedContinuation<Void, Never>)] = []

  /// A request: waits until somebody calls ``release(_:)``.
  func answer(to query: String) async -> Search.Answer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { request in
        requests[query] = request
        note(query, .asked)
      }
    } onCancel: {
      cancelled.withLock { $0.append(query) }
    }
  }

  /// The requests that were cancelled since the last call.
  func takeCancelled() -> [String] {
    cancelled.withLock { cancelled in
      defer { cancelled = [] }
      return cancelled
    }
  }

  /// Lets the answer to a query go.
  func release(_ query: String) {
    requests.removeValue(forKey: query)?.resume(returning: Search.Answer(query: query))
  }

  /// Notes what became of a request or its answer.
  func note(_ query: String, _ fate: Fate) {
    fates[query] = fate
    watchers.removeAll { watcher in
      guard watcher.query == query, watcher.fate == fate || fate != .asked else { return false }
      watcher.2.resume()
      return true
    }
  }

  /// Waits until the request has arrived.
  func hasArrived(_ query: String) async {
    guard fates[query] == nil else { return }
    await withCheckedContinuation { watchers.append((query, .asked, $0)) }
  }

  /// Waits until the answer was reduced or dropped, and tells which.
  func fate(of query: String) async -> Fate {
    if fates[query] == .asked {
      await withCheckedContinuation { watchers.append((query, .reduced, $0)) }
    }
    return fates[query] ?? .dropped
  }
}

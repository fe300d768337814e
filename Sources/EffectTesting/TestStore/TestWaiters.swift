// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// The steps and requests that wait until everything that an action caused has settled.
struct TestWaiters<State> {
  private var steps: [Waiter] = []
  private var requests: [PendingRequest<State>] = []

  /// A step waits.
  mutating func add(_ waiter: Waiter) { steps.append(waiter) }

  /// A request waits.
  mutating func add(_ request: PendingRequest<State>) {
    requests.append(request)
    steps.append(request.waiter)
  }

  func contains(_ waiter: Waiter) -> Bool { steps.contains { $0 === waiter } }

  /// A step does not wait any more.
  mutating func remove(_ waiter: Waiter) { steps.removeAll { $0 === waiter } }

  /// What a waiter waits for has settled.
  ///
  /// - Returns: the request that waits, whose answer is made now; `nil` if it is a step.
  mutating func settled(_ waiter: Waiter) -> PendingRequest<State>? {
    remove(waiter)
    return requests.firstIndex { $0.waiter === waiter }.map { requests.remove(at: $0) }
  }

  /// A shutdown cancels a part of what a waiter waits for. The answer of a request is an error then.
  func cutShort(_ waiter: Waiter) {
    requests.first { $0.waiter === waiter }?.fail(RequestFailure.cutShort)
  }
}

/// A request of a test, and what its answer is made from.
final class PendingRequest<State> {
  let number: UInt64
  let waiter = Waiter()
  /// The first result that is set.
  private(set) var result: Result<(state: State, outcomes: RequestOutcomes), any Error>?
  private(set) var isSettled = false
  /// Whether the test has read the answer, or has cancelled the request.
  var isRead: Bool
  /// Reports that the test has not read the answer, and cannot do so any more.
  var reportUnread: () -> Void = {}

  init(number: UInt64, isRead: Bool = false) {
    self.number = number
    self.isRead = isRead
  }

  deinit {
    if !isRead { reportUnread() }
  }

  /// Makes the error the result, unless there is a result already.
  func fail(_ error: any Error) {
    if result == nil { result = .failure(error) }
  }

  func settle(_ result: Result<(state: State, outcomes: RequestOutcomes), any Error>) {
    if self.result == nil { self.result = result }
    isSettled = true
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// The same process without the framework: an actor and its tasks. It has all that ``Worker`` has, to compare the two.
actor PlainWorker {
  private let services: Services
  private let lease: Duration
  private let attempts: Int
  /// Is called with the reason if this process cannot go on.
  private let giveUp: @Sendable (any Error) -> Void
  private let limit = 64
  private let batch = 32

  /// Taken, and not finished, each with the task that works on it.
  private var held: [Int: (order: Order, task: Task<Void, Never>)] = [:]
  private var mayHaveMore = false
  private var isLeaving = false
  private var isOver = false
  private var taking: Task<Void, Never>?
  private var isRenewing = false
  private var endless: [Task<Void, Never>] = []
  private var drained: CheckedContinuation<Void, Never>?

  init(
    services: Services, lease: Duration, attempts: Int = 60, giveUp: @escaping @Sendable (any Error) -> Void
  ) {
    self.services = services
    self.lease = lease
    self.attempts = attempts
    self.giveUp = giveUp
  }

  func start() {
    // The tasks keep the actor alive until they are cancelled in `leave(within:)`.
    endless = [
      Task { await listen() },
      Task { await eachThirdOfALease { self.hearNews() } },
      Task { await eachThirdOfALease { await self.renew() } },
    ]
  }

  /// Takes nothing more, and finishes what it has, or cancels it after this time.
  func leave(within limit: Duration) async {
    isLeaving = true
    for task in endless { task.cancel() }
    let timeout = Task {
      try await Task.sleep(for: limit)
      cancelAll()
    }
    if isBusy { await withCheckedContinuation { drained = $0 } }
    timeout.cancel()
  }

  // MARK: - Taking

  private func listen() async {
    do {
      while !Task.isCancelled {
        let news = try await patiently(attempts) { try await services.news() }
        // Of orders that came before there was no news.
        hearNews()
        for await _ in news { hearNews() }
        // Processes that were cut together do not come back together.
        try await Task.sleep(for: .milliseconds(.random(in: 25...50)))
      }
    } catch {
      fail(error)
    }
  }

  private func hearNews() {
    mayHaveMore = true
    take()
  }

  /// One attempt at a time. `mayHaveMore` remembers news that come meanwhile.
  private func take() {
    guard mayHaveMore, taking == nil, !isLeaving, held.count + batch <= limit else { return }
    mayHaveMore = false
    taking = Task {
      do {
        let orders = try await patiently(attempts) { try await services.take(batch) }
        if !orders.isEmpty { mayHaveMore = true }
        for order in orders { work(on: order) }
      } catch {
        fail(error)
      }
      taking = nil
      take()
      resumeIfDrained()
    }
  }

  // MARK: - Working

  private func work(on order: Order) {
    // The answer has come after the end: others may have the order.
    if isOver { return }
    held[order.id]?.task.cancel()
    let task = Task {
      await workSteps(of: order)
      end(order)
    }
    held[order.id] = (order, task)
  }

  /// Only the step that fails is tried again.
  private func workSteps(of order: Order) async {
    do {
      do {
        try await patiently(attempts) { try await services.call(order.id) }
        _ = try await patiently(attempts) { try await services.finish(order) }
      } catch {
        if Task.isCancelled || error is Outage { throw error }
        try await patiently(attempts) { try await services.park(order, "\(error)") }
      }
    } catch {
      fail(error)
    }
  }

  private func end(_ order: Order) {
    // The order may have been taken again, by this process, since its lease expired.
    if held[order.id]?.order == order { held[order.id] = nil }
    take()
    resumeIfDrained()
  }

  private func cancelAll() {
    isOver = true
    taking?.cancel()
    for (_, task) in held.values { task.cancel() }
    held = [:]
    resumeIfDrained()
  }

  // MARK: - Leases

  private func renew() async {
    guard !held.isEmpty, !isRenewing else { return }
    isRenewing = true
    defer { isRenewing = false }
    let orders = held.values.map(\.order)
    do {
      let kept = try await patiently(attempts) { try await services.renew(orders) }
      for order in Set(orders).subtracting(kept) where held[order.id]?.order == order {
        held.removeValue(forKey: order.id)?.task.cancel()
      }
      resumeIfDrained()
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: any Error) {
    if Task.isCancelled { return }
    isLeaving = true
    giveUp(error)
  }

  private func eachThirdOfALease(_ body: () async -> Void) async {
    while (try? await Task.sleep(for: lease / 3)) != nil { await body() }
  }

  private var isBusy: Bool { !held.isEmpty || taking != nil }

  private func resumeIfDrained() {
    guard !isBusy, let drained else { return }
    self.drained = nil
    drained.resume()
  }
}

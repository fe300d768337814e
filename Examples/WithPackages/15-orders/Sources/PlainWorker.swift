// This source file is part of swift-effects. License: Apache-2.0.

/// The same process without the framework: an actor and its tasks. It has all that ``Worker`` has, to compare the two.
actor PlainWorker {
  private let services: Services
  private let lease: Duration
  private let limit = 64
  private let batch = 32

  /// Taken, and not finished, each with the task that works on it.
  private var held: [Int: (order: Order, task: Task<Void, Never>)] = [:]
  private var mayHaveMore = false
  private var isLeaving = false
  private var isOver = false
  private var isTaking = false
  private var isRenewing = false
  private var endless: [Task<Void, Never>] = []
  private var drained: CheckedContinuation<Void, Never>?
  private(set) var problem: String?

  init(services: Services, lease: Duration) {
    self.services = services
    self.lease = lease
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
      let news = try await services.news()
      // Of orders that came before there was no news.
      hearNews()
      for await _ in news { hearNews() }
    } catch {
      problem = "\(error)"
    }
  }

  private func hearNews() {
    mayHaveMore = true
    take()
  }

  /// One attempt at a time. `mayHaveMore` remembers news that come meanwhile.
  private func take() {
    guard mayHaveMore, !isTaking, !isLeaving, held.count + batch <= limit else { return }
    mayHaveMore = false
    isTaking = true
    Task {
      do {
        let orders = try await services.take(batch)
        if !orders.isEmpty { mayHaveMore = true }
        for order in orders { work(on: order) }
      } catch {
        problem = "\(error)"
      }
      isTaking = false
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
      do {
        try await services.call(order.id)
        _ = try await services.finish(order)
      } catch {
        if !Task.isCancelled { problem = "\(error)" }
      }
      end(order)
    }
    held[order.id] = (order, task)
  }

  private func end(_ order: Order) {
    // The order may have been taken again, by this process, since its lease expired.
    if held[order.id]?.order == order { held[order.id] = nil }
    take()
    resumeIfDrained()
  }

  private func cancelAll() {
    isOver = true
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
      let kept = try await services.renew(orders)
      for order in Set(orders).subtracting(kept) where held[order.id]?.order == order {
        held.removeValue(forKey: order.id)?.task.cancel()
      }
      resumeIfDrained()
    } catch {
      problem = "\(error)"
    }
  }

  private func eachThirdOfALease(_ body: () async -> Void) async {
    while (try? await Task.sleep(for: lease / 3)) != nil { await body() }
  }

  private var isBusy: Bool { !held.isEmpty || isTaking }

  private func resumeIfDrained() {
    guard !isBusy, let drained else { return }
    self.drained = nil
    drained.resume()
  }
}

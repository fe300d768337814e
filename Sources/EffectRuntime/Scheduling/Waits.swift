// This source file is part of swift-effects. License: Apache-2.0.

/// The waiters of dispatches, and which of them wait inside of runs.
struct Waits: Sendable {
  /// The waiters of a dispatch, by its slot.
  private var waiters: [Int32: [Waiter]] = [:]
  /// What runs wait for.
  private var waitsOf: [Token: [Wait]] = [:]
  /// The runs that wait for a dispatch, by its slot.
  private var runsFor: [Int32: [Token]] = [:]

  /// A run's wait for a dispatch.
  struct Wait: Sendable {
    let root: Token
    let waiter: Waiter
  }

  /// Whether there is no waiter.
  var isEmpty: Bool { waiters.isEmpty }

  /// How many dispatches are waited for.
  var count: Int { waiters.count }

  /// Whether any run waits.
  var hasRuns: Bool { !waitsOf.isEmpty }

  /// The runs that wait, in no order.
  var runs: [Token] { Array(waitsOf.keys) }

  /// What a run waits for, in the order in which it began to.
  func waits(of run: Token) -> [Wait] { waitsOf[run] ?? [] }

  /// The waiters of a dispatch, in the order in which they came.
  func waiters(of root: Int32) -> [Waiter] { waiters[root] ?? [] }

  /// A waiter waits for a dispatch from now on.
  mutating func add(_ waiter: Waiter, for root: Token) {
    waiters[root.slot, default: []].append(waiter)
  }

  /// A waiter that has been added waits inside of a run.
  mutating func mark(_ waiter: Waiter, for root: Token, inside run: Token) {
    waitsOf[run, default: []].append(Wait(root: root, waiter: waiter))
    runsFor[root.slot, default: []].append(run)
  }

  /// Ends a wait of a run before the dispatch has settled.
  mutating func end(_ wait: Wait, of run: Token) {
    waitsOf[run]?.removeAll { $0.waiter === wait.waiter }
    if waitsOf[run]?.isEmpty == true { waitsOf[run] = nil }
    // The list stays, though it may be empty: it also records that outcomes are collected for a waiter.
    waiters[wait.root.slot]?.removeAll { $0 === wait.waiter }
    guard let index = runsFor[wait.root.slot]?.firstIndex(of: run) else { return }
    runsFor[wait.root.slot]?.remove(at: index)
    if runsFor[wait.root.slot]?.isEmpty == true { runsFor[wait.root.slot] = nil }
  }

  /// A dispatch has settled: so have all waits for it.
  ///
  /// - Returns: its waiters, in the order in which they came; `nil` if it never had any.
  mutating func settled(_ root: Token) -> [Waiter]? {
    for run in runsFor.isEmpty ? [] : runsFor.removeValue(forKey: root.slot) ?? [] {
      waitsOf[run]?.removeAll { $0.root == root }
      if waitsOf[run]?.isEmpty == true { waitsOf[run] = nil }
    }
    return waiters.removeValue(forKey: root.slot)
  }
}

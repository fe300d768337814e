// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The outcomes of all that some dispatches cause, by their numbers, for requests that collect them (rule L7).
struct CollectedOutcomes: Sendable {
  private var outcomes: [UInt64: RequestOutcomes] = [:]
  /// While there are none, no lookup is needed.
  private var isCollecting = false

  /// Whether outcomes are collected for no dispatch.
  var isEmpty: Bool { !isCollecting }

  /// Whether outcomes are collected for a dispatch.
  func contains(_ number: UInt64) -> Bool { isCollecting && outcomes[number] != nil }

  /// What has been collected for a dispatch; `nil` if nothing is collected for it.
  subscript(number: UInt64) -> RequestOutcomes? { outcomes[number] }

  /// What has been collected, in no order.
  var all: [RequestOutcomes] { Array(outcomes.values) }

  /// Collects for a dispatch from now on, until ``remove(_:)``.
  mutating func start(_ number: UInt64) {
    outcomes[number] = RequestOutcomes()
    isCollecting = true
  }

  /// Work has settled that belongs to a dispatch. Ignored where nothing is collected for it.
  mutating func add(_ run: EffectRun, _ outcome: EffectOutcome, to number: UInt64) {
    outcomes[number]?.add(run, outcome)
  }

  /// Collects no more for a dispatch.
  ///
  /// - Returns: what was collected; `nil` if nothing was collected for it.
  mutating func remove(_ number: UInt64) -> RequestOutcomes? {
    guard isCollecting else { return nil }
    defer { isCollecting = !outcomes.isEmpty }
    return outcomes.removeValue(forKey: number)
  }
}

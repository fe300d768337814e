// This source file is part of swift-effects. License: Apache-2.0.

public import EffectRuntime

extension Exploration {
  /// What few explorations need to say.
  public struct Options: Sendable {
    let upTo: Exploration.Level
    let seed: UInt64
    let steps: Int
    let deadlines: Int
    let carrying: [CarriedValue]
    /// For tests of the explorer: what is tried instead of all levels.
    var search: Search?

    /// The usual options, except those that are named.
    ///
    /// - Parameters:
    ///   - upTo: the highest level that is tried.
    ///   - seed: the seed of all random choices.
    ///   - steps: how many steps a schedule may have. A schedule with more is cut, and proves nothing.
    ///   - deadlines: how many deadlines may fire in a schedule. A schedule with more is cut, and proves nothing.
    ///   - carrying: the task-locals that runs have as the script had them where their action was sent; see
    ///     ``/EffectRuntime/CarriedValue``.
    public init(
      upTo: Exploration.Level = .steps, seed: UInt64 = 1, steps: Int = 1_000, deadlines: Int = 20,
      carrying: [CarriedValue] = []
    ) {
      self.upTo = upTo
      self.seed = seed
      self.steps = steps
      self.deadlines = deadlines
      self.carrying = carrying
    }
  }
}

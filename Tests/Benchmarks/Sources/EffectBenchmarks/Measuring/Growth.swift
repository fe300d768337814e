// This source file is part of swift-effects. License: Apache-2.0.

/// Rows about cost that must not grow: the framework compared with itself, for growing sizes.
struct Growth: Measurable {
  let name: String
  let title: String
  /// The sizes, from small to large.
  let sizes: [Int]
  /// The size that the last size is compared with: large enough that the costs per turn do not matter.
  let middle: Int
  /// The limit for the cost at the last size, as a multiple of the cost at the middle size.
  ///
  /// The limit is not 1, because the same steps through a hundred times the memory miss the caches, and a step that
  /// misses costs about twice one that does not. A step that is repeated for each of many costs a hundred times as
  /// much.
  var goal = Goal.atMost(2)
  var rounds = 5
  /// The costs that are measured at each size, each for one unit of something.
  let costs: [String]
  let prepare: @Sendable (_ size: Int) async -> Subject

  /// The code to measure at one size. All sizes are prepared before the first measurement, and stay until the end.
  struct Subject: Sendable {
    /// Returns the nanoseconds of each cost, in their order.
    let measure: @Sendable () async -> [Double]
    var end: @Sendable () async -> Void = {}
  }

  /// The result for one of the costs.
  struct Outcome {
    let cost: String
    /// One for each size.
    let medians: [Double]
    /// The ratio of the medians, the last size to the middle.
    let ratio: Double
    /// The quarter points of the ratios of single rounds.
    let spread: ClosedRange<Double>
    let isMet: Bool
  }

  func report(_ options: Options) async -> Report {
    let outcomes = await measured(rounds: options.rounds ?? rounds)
    return Report(
      text: outcomes.map { Table.lines(of: $0, in: self) }.joined(separator: "\n"), isMet: outcomes.allSatisfy(\.isMet))
  }

  private func measured(rounds: Int) async -> [Outcome] {
    var subjects: [Subject] = []
    for size in sizes { subjects.append(await prepare(size)) }
    let samples = await measuredInTurn(rounds: rounds, subjects.map(\.measure))
    for subject in subjects { await subject.end() }
    return costs.enumerated().map { index, cost in outcome(of: cost, samples.map { $0.map { $0[index] } }) }
  }

  private func outcome(of cost: String, _ samples: [[Double]]) -> Outcome {
    guard let last = samples.last, let middle = sizes.firstIndex(of: middle) else {
      preconditionFailure("Growth: \(name) needs sizes, and the middle among them")
    }
    let ratios = zip(last, samples[middle]).map { $0 / $1 }
    let ratio = last.median / samples[middle].median
    return Outcome(
      cost: cost, medians: samples.map(\.median), ratio: ratio, spread: ratios.quarters, isMet: goal.isMet(by: ratio))
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// Rows about cost that must not grow: the framework against itself, with more and more of something.
struct Growth: Measurable {
  let name: String
  let title: String
  /// How much of it, from few to many.
  let sizes: [Int]
  /// The size whose cost that of the last one is compared with: large enough to have paid for what happens once.
  let middle: Int
  /// How many times the cost at the middle the last size may cost.
  ///
  /// Not once: the same steps through a hundred times the memory miss the caches, and a step that does costs about twice
  /// one that does not. A step that is repeated for each of many costs a hundred times as much.
  var goal = Goal.atMost(2)
  var rounds = 5
  /// What is measured at each size: a unit of what.
  let costs: [String]
  let prepare: @Sendable (_ size: Int) async -> Subject

  /// What is measured at one size. All sizes are prepared before anything is measured, and stay until the end.
  struct Subject: Sendable {
    /// Answers with the nanoseconds of each cost, in their order.
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

// This source file is part of swift-effects. License: Apache-2.0.

/// A row about single delays: some percentiles of many delays, each with a separate goal.
struct Latency: Measurable {
  let name: String
  let title: String
  var rounds = 7
  let percentiles: [Percentile]
  /// The framework, measured against each rival.
  let framework: Sampler
  let rivals: [Sampler]

  /// One implementation of the work of a row.
  struct Sampler: Sendable {
    let name: String
    /// Returns the delays of one round, in nanoseconds.
    let measure: @Sendable () async -> [Double]

    init(_ name: String, measure: @escaping @Sendable () async -> [Double]) {
      self.name = name
      self.measure = measure
    }
  }

  /// A percentile of the delays of one round. The table shows the median of the rounds.
  struct Percentile: Sendable {
    let percent: Int
    /// The limit for the delay, if the goal is not a ratio.
    var limit: Limit?
    /// The goals compared with rivals, by the names of the rivals.
    var goals: [String: Goal] = [:]
  }

  func report(_ options: Options) async -> Report {
    let samplers = [framework] + (options.isAlone ? [] : rivals)
    let samples = await measuredInTurn(rounds: options.rounds ?? rounds, samplers.map(\.measure))
    let outcomes = percentiles.map { percentile in
      let series = zip(samplers, samples).map { sampler, rounds in
        Series(contestant: sampler.name, values: rounds.map { $0.quantile(Double(percentile.percent) / 100) })
      }
      return Outcome(
        name: name, title: "p\(percentile.percent) \(title)", unit: "ns", limit: percentile.limit, framework: series[0],
        rivals: series.dropFirst().map { ($0, percentile.goals[$0.contestant] ?? .shown) })
    }
    return Report(text: outcomes.map(Table.lines).joined(separator: "\n"), isMet: outcomes.allSatisfy(\.isMet))
  }
}

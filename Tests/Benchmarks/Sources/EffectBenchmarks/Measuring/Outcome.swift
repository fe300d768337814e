// This source file is part of swift-effects. License: Apache-2.0.

/// The times of one contestant, one for each round.
struct Series {
  let contestant: String
  let values: [Double]
}

/// The result of a row, or of one percentile of a row: the framework, and each rival.
struct Outcome {
  let name: String
  let title: String
  let unit: String
  let limit: Limit?
  /// The contestant that is measured against the rivals.
  let contestant: String
  /// The median of the rounds.
  let framework: Double
  /// The quarter points of the times of the framework.
  let spread: ClosedRange<Double>
  let comparisons: [Comparison]

  struct Comparison {
    let rival: String
    let goal: Goal
    let median: Double
    /// The ratio of the two medians, or their difference, as the goal counts it.
    let ratio: Double
    /// The quarter points of the ratios of single rounds.
    let spread: ClosedRange<Double>

    var isMet: Bool { goal.isMet(by: ratio) }
  }

  init(
    name: String, title: String, unit: String, limit: Limit?, framework: Series, rivals: [(series: Series, goal: Goal)]
  ) {
    let median = framework.values.median
    self.name = name
    self.title = title
    self.unit = unit
    self.limit = limit
    contestant = framework.contestant
    self.framework = median
    spread = framework.values.quarters
    comparisons = rivals.map { series, goal in
      let ratios = zip(framework.values, series.values).map { goal.ratio(framework: $0, rival: $1) }
      return Comparison(
        rival: series.contestant, goal: goal, median: series.values.median,
        ratio: goal.ratio(framework: median, rival: series.values.median), spread: ratios.quarters)
    }
  }

  var isWithinLimit: Bool { limit.map { framework <= $0.most } ?? true }
  var isMet: Bool { isWithinLimit && comparisons.allSatisfy(\.isMet) }
}

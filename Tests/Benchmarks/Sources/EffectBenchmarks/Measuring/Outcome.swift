// This source file is part of swift-effects. License: Apache-2.0.

/// What came of measuring a row.
struct Outcome {
  let row: Row
  let framework: Double
  /// The quarter points of what the framework took.
  let spread: ClosedRange<Double>
  let comparisons: [Comparison]

  struct Comparison {
    let rival: Rival
    let median: Double
    /// The median of the rounds' own ratios: what disturbs a round disturbs both sides of it.
    let ratio: Double
    /// The quarter points of those ratios.
    let spread: ClosedRange<Double>

    var isMet: Bool { rival.goal.isMet(by: ratio) }
  }

  var isWithinLimit: Bool { row.limit.map { framework <= $0.most } ?? true }
  var isMet: Bool { isWithinLimit && comparisons.allSatisfy(\.isMet) }
}

extension Row: Measurable {
  func report(_ options: Options) async -> Report {
    var row = self
    if options.isAlone { row.rivals = [] }
    let outcome = await row.measured(rounds: options.rounds)
    return Report(text: Table.lines(of: outcome), isMet: outcome.isMet)
  }

  /// Measures every contestant once a round, taking turns, so that a slow minute of the machine is everybody's.
  func measured(rounds: Int?) async -> Outcome {
    let rounds = rounds ?? self.rounds
    let contestants = [framework] + rivals.map(\.contestant)
    var samples: [[Double]] = contestants.map { _ in [] }
    for round in 0...rounds {
      // Who goes first changes too: a contestant may leave the caches, or the machine's temperature, to the next.
      for offset in contestants.indices {
        let index = (round + offset) % contestants.count
        let sample = await contestants[index].measure()
        if round > 0 { samples[index].append(sample) }
      }
    }
    let comparisons = rivals.indices.map { index in
      let goal = rivals[index].goal
      let ratios = zip(samples[0], samples[index + 1]).map { goal.ratio(framework: $0, rival: $1) }
      return Outcome.Comparison(
        rival: rivals[index], median: samples[index + 1].quantile(0.5), ratio: ratios.quantile(0.5),
        spread: ratios.quarters)
    }
    return Outcome(
      row: self, framework: samples[0].quantile(0.5), spread: samples[0].quarters, comparisons: comparisons)
  }
}

extension [Double] {
  /// The points between which half of all lie.
  var quarters: ClosedRange<Double> { quantile(0.25)...quantile(0.75) }

  /// The value below which a fraction of all lie, between the two nearest ones.
  func quantile(_ fraction: Double) -> Double {
    precondition(!isEmpty, "quantile: there are no samples; measure at least one round")
    let sorted = sorted()
    let position = fraction * Double(count - 1)
    let low = Int(position)
    let high = Swift.min(low + 1, count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (position - Double(low))
  }
}

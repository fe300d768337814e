// This source file is part of swift-effects. License: Apache-2.0.

/// Measures all subjects once in each round, one after another, so that a slow minute of the machine affects each of
/// them.
///
/// One more round before the others warms up and does not count. The first subject changes from round to round, because
/// a subject may affect the caches, or the temperature of the machine, for the next one.
///
/// - Returns: for each subject, the samples of the rounds.
func measuredInTurn<Sample: Sendable>(
  rounds: Int, _ subjects: [@Sendable () async -> Sample]
) async -> [[Sample]] {
  var samples: [[Sample]] = subjects.map { _ in [] }
  for round in 0...rounds {
    for offset in subjects.indices {
      let index = (round + offset) % subjects.count
      let sample = await subjects[index]()
      if round > 0 { samples[index].append(sample) }
    }
  }
  return samples
}

extension [Double] {
  /// The points that half of all values are between.
  var quarters: ClosedRange<Double> { quantile(0.25)...quantile(0.75) }

  var median: Double { quantile(0.5) }

  /// The value below which the given fraction of all values is, interpolated between the two nearest values.
  func quantile(_ fraction: Double) -> Double {
    precondition(!isEmpty, "quantile: there are no samples; measure at least one round")
    let sorted = sorted()
    let position = fraction * Double(count - 1)
    let low = Int(position)
    let high = Swift.min(low + 1, count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (position - Double(low))
  }
}

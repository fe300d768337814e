// This source file is part of swift-effects. License: Apache-2.0.

/// A row of the table: the same work done by several contestants, and the goals of the framework.
struct Row: Sendable {
  /// The name for `--only`.
  let name: String
  /// What is measured, as text for the reader.
  let title: String
  var unit = "ns"
  /// The number of measurements of each contestant; one more round before these warms up and does not count.
  var rounds = 11
  /// The limit for one unit of work, if the goal is not a ratio.
  var limit: Limit?
  /// The framework, measured against each rival.
  let framework: Contestant
  var rivals: [Rival]
}

extension Row: Measurable {
  func report(_ options: Options) async -> Report {
    let rivals = options.isAlone ? [] : self.rivals
    let contestants = [framework] + rivals.map(\.contestant)
    let samples = await measuredInTurn(rounds: options.rounds ?? rounds, contestants.map(\.measure))
    let series = zip(contestants, samples).map { Series(contestant: $0.name, values: $1) }
    let outcome = Outcome(
      name: name, title: title, unit: unit, limit: limit, framework: series[0],
      rivals: zip(series.dropFirst(), rivals).map { ($0, $1.goal) })
    return Report(text: Table.lines(of: outcome), isMet: outcome.isMet)
  }
}

/// The limit for one unit of work. The stretch is a goal for later; missing it is no failure.
struct Limit: Sendable, CustomStringConvertible {
  let most: Double
  var stretch: Double?

  var description: String {
    "<= \(Table.grouped(most))" + (stretch.map { " (\(Table.grouped($0)))" } ?? "")
  }
}

/// One implementation of the work of a row.
struct Contestant: Sendable {
  let name: String
  /// Does the work once, from the beginning, and returns the cost of one unit of it.
  let measure: @Sendable () async -> Double

  init(_ name: String, measure: @escaping @Sendable () async -> Double) {
    self.name = name
    self.measure = measure
  }
}

/// A contestant that the framework is compared with.
struct Rival: Sendable {
  let contestant: Contestant
  let goal: Goal

  init(_ name: String, _ goal: Goal, measure: @escaping @Sendable () async -> Double) {
    contestant = Contestant(name, measure: measure)
    self.goal = goal
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// A row of the table: the same work done by several contestants, and the goals of the framework.
struct Row: Sendable {
  /// What `--only` takes.
  let name: String
  /// What is measured, for people.
  let title: String
  var unit = "ns"
  /// How often each contestant is measured; one more round before these warms up and does not count.
  var rounds = 11
  /// What one unit of work may take at most, where the goal is no ratio.
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

/// What one unit of work may take. The stretch is a goal for later; missing it is no failure.
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
  /// Does the work once, from scratch, and answers with what one unit of it took.
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

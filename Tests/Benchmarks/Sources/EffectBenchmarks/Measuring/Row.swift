// This source file is part of swift-effects. License: Apache-2.0.

/// One line of the table: the same work done by several contestants, and what the framework promises about it.
struct Row: Sendable {
  /// What `--only` takes.
  let name: String
  /// What is measured, for people.
  let title: String
  var unit = "ns"
  /// How often every contestant is measured; one more round before these warms up and does not count.
  var rounds = 11
  /// What one unit of work may take at most, where a promise is no ratio.
  var limit: Limit?
  /// The framework, measured against each rival.
  let framework: Contestant
  var rivals: [Rival]
}

/// What one unit of work may take. The stretch is what we would like; missing it is no failure.
struct Limit: Sendable, CustomStringConvertible {
  let most: Double
  let stretch: Double

  var description: String { "<= \(Table.grouped(most)) (\(Table.grouped(stretch)))" }
}

/// Somebody who can do the work of a row.
struct Contestant: Sendable {
  let name: String
  /// Does the work once, from scratch, and answers with what one unit of it took.
  let measure: @Sendable () async -> Double

  init(_ name: String, measure: @escaping @Sendable () async -> Double) {
    self.name = name
    self.measure = measure
  }
}

/// Somebody the framework is compared with.
struct Rival: Sendable {
  let contestant: Contestant
  let goal: Goal

  init(_ name: String, _ goal: Goal, measure: @escaping @Sendable () async -> Double) {
    contestant = Contestant(name, measure: measure)
    self.goal = goal
  }
}

/// How the framework is to compare with a rival.
enum Goal: Sendable {
  /// Takes at most so many times what the rival takes. The stretch is what we would like; missing it is no failure.
  case atMost(Double, stretch: Double? = nil)
  /// The rival takes at least so many times what the framework takes.
  case timesFaster(Double)
  /// Takes at most so much more than the rival takes.
  case adds(atMost: Double)
  /// Shown, and promised nothing about.
  case shown

  /// The ratio, or difference, as people quote it: how many times slower for `atMost`, how many times faster for the others.
  func ratio(framework: Double, rival: Double) -> Double {
    switch self {
    case .atMost: framework / rival
    case .adds: framework - rival
    case .timesFaster, .shown: rival / framework
    }
  }

  func isMet(by ratio: Double) -> Bool {
    switch self {
    case .atMost(let limit, _): ratio <= limit
    case .timesFaster(let factor): ratio >= factor
    case .adds(let most): ratio <= most
    case .shown: true
    }
  }
}

extension Goal: CustomStringConvertible {
  var description: String {
    switch self {
    case .atMost(let limit, nil): "<= \(Self.short(limit))x"
    case .atMost(let limit, let stretch?): "<= \(Self.short(limit))x (\(Self.short(stretch))x)"
    case .timesFaster(let factor): ">= \(Self.short(factor))x faster"
    case .adds(let most): "<= \(Self.short(most)) more"
    case .shown: "-"
    }
  }

  private static func short(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}

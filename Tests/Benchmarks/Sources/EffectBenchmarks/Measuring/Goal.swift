// This source file is part of swift-effects. License: Apache-2.0.

/// How the framework must compare with a rival.
enum Goal: Sendable {
  /// Takes at most this many times what the rival takes. The stretch is a goal for later; missing it is no failure.
  case atMost(Double, stretch: Double? = nil)
  /// The rival takes at least this many times what the framework takes.
  case timesFaster(Double)
  /// Takes at most this much more than the rival takes. The stretch is a goal for later.
  case adds(atMost: Double, stretch: Double? = nil)
  /// Shown, without a goal.
  case shown

  /// The ratio, or difference: how many times slower for `atMost`, how many times faster for the others.
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
    case .adds(let most, _): ratio <= most
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
    case .adds(let most, nil): "<= \(Self.short(most)) more"
    case .adds(let most, let stretch?): "<= \(Self.short(most)) more (\(Self.short(stretch)))"
    case .shown: "-"
    }
  }

  private static func short(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore
internal import EffectRuntime

extension Exploration {
  /// The faults that are injected into runs in some schedules.
  ///
  /// ```swift
  /// await explore(
  ///   initialState: .init(), reducer: Feed(load: load), faults: .anyOne(of: .fail("feed"), .hang("feed"))
  /// ) { script in ... } finally: { !$0.isLoading }
  /// ```
  public struct Faults: Sendable {
    let all: [Fault]
    /// How many may be injected in one schedule.
    var limit = 1
    /// Set if the faults are not choices of the search but follow from a seed.
    var chance: (seed: UInt64, oneIn: Int)?

    var isEmpty: Bool { all.isEmpty }

    /// Whether one of them cancels a run, at once and not as a message.
    var cancelsAtOnce: Bool { all.contains { if case .cancel = $0.kind { true } else { false } } }

    /// No fault.
    public static let none = Faults(all: [])

    /// At most one of these in a schedule. Which one, and into which run of its id, is a choice like any other.
    ///
    /// Each run of the id multiplies the schedules, up to the budget of the exploration.
    ///
    /// - Parameter faults: the faults to choose from. Without one it is the same as ``none``.
    /// - Returns: the faults.
    public static func anyOne(of faults: Fault...) -> Faults { Faults(all: faults) }

    /// At most `limit` of these in a schedule, each chosen as with `anyOne(of:)`: for bugs that show only if two things
    /// go wrong. A fault may be injected several times, but a run gets at most one.
    ///
    /// - Parameters:
    ///   - limit: how many faults a schedule may have. Less than 1 is a failure of the exploration.
    ///   - faults: the faults to choose from.
    /// - Returns: the faults.
    public static func any(_ limit: Int, of faults: Fault...) -> Faults { Faults(all: faults, limit: limit) }

    /// At random: the seed and the number of the run among those of its id decide which runs get a fault, and which
    /// one. So it is the same in every schedule and on every machine. This is no choice of the search, so there are no
    /// more schedules than without faults. Try another seed for other runs.
    ///
    /// - Parameter one: about one of so many runs gets a fault; with 1 each run does.
    /// - Parameter seed: the seed of the random choices.
    /// - Parameter faults: the faults that may be injected.
    /// - Returns: the faults.
    public static func seeded(_ seed: UInt64, oneIn one: Int = 2, of faults: Fault...) -> Faults {
      Faults(all: faults, limit: .max, chance: (seed, max(1, one)))
    }
  }

  /// One thing that goes wrong with a run because of the outside world, not because of the feature.
  public struct Fault: Sendable {
    enum Kind: Sendable {
      case fail(any Error & Sendable)
      case hang
      case delay(Duration)
      case duplicate
      case cancel(Int)
    }

    let id: EffectID
    let kind: Kind

    /// Its closure throws at once. A `catch` or a retry handles the error as usual; the fault may be injected into each
    /// attempt.
    ///
    /// - Parameters:
    ///   - id: the id of the runs that may get the fault.
    ///   - error: what the closure throws.
    /// - Returns: the fault.
    public static func fail(
      _ id: some Hashable & Sendable, with error: any Error & Sendable = InjectedFailure()
    ) -> Fault {
      Fault(id: EffectID(id), kind: .fail(error))
    }

    /// Its closure waits until it is cancelled, and does nothing else. It is no deadlock if it still waits at the end,
    /// and an exploration with it may be complete.
    ///
    /// - Parameter id: the id of the runs that may get the fault.
    /// - Returns: the fault.
    public static func hang(_ id: some Hashable & Sendable) -> Fault { Fault(id: EffectID(id), kind: .hang) }

    /// Its closure begins later, by this much virtual time.
    ///
    /// - Parameters:
    ///   - id: the id of the runs that may get the fault.
    ///   - duration: how much virtual time passes before the closure begins.
    /// - Returns: the fault.
    public static func delay(_ id: some Hashable & Sendable, by duration: Duration) -> Fault {
      Fault(id: EffectID(id), kind: .delay(duration))
    }

    /// The first action it sends comes twice, one after the other. Both are dropped if the run is cancelled before.
    ///
    /// - Parameter id: the id of the runs that may get the fault.
    /// - Returns: the fault.
    public static func duplicate(_ id: some Hashable & Sendable) -> Fault {
      Fault(id: EffectID(id), kind: .duplicate)
    }

    /// The work of the id is cancelled, as by a `.cancel` from elsewhere, when its run has given up its thread for the
    /// n-th time. It does so when it sleeps, calls an actor or waits for an answer. An `await` that goes on at once
    /// does not count.
    ///
    /// A run that returns, is cancelled or is replaced before that is not changed. Actions that the run has sent and
    /// that have not been taken are dropped (rule E1).
    ///
    /// - Parameters:
    ///   - id: the id of the runs that may get the fault.
    ///   - number: how often the run has given up its thread when it is cancelled. Less than 1 is a mistake, which
    ///     traps.
    ///   - fileID: the file that a trap names.
    ///   - line: likewise.
    /// - Returns: the fault.
    public static func cancel(
      _ id: some Hashable & Sendable, atSuspension number: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Fault {
      // Not `precondition`: optimised builds would trap without a message.
      if number < 1 {
        fatalError(
          "Exploration.Fault.cancel: suspensions are counted from 1, not from \(number)", file: fileID, line: line)
      }
      return Fault(id: EffectID(id), kind: .cancel(number))
    }
  }

  /// The error that a run throws because of a `.fail` fault.
  public struct InjectedFailure: Error, Equatable, Sendable {
    /// Makes one.
    @usableFromInline
    package init() {}
  }
}

// As in code, for the line that runs one schedule alone.
extension Exploration.Faults: CustomStringConvertible {
  /// As in code: `.anyOne(of: .hang("feed"))`.
  public var description: String {
    if isEmpty { return ".none" }
    let list = all.map(\.description).joined(separator: ", ")
    if let chance { return ".seeded(\(chance.seed), oneIn: \(chance.oneIn), of: \(list))" }
    return limit == 1 ? ".anyOne(of: \(list))" : ".any(\(limit), of: \(list))"
  }
}

extension Exploration.Fault: CustomStringConvertible {
  /// As in code: `.hang("feed")`.
  public var description: String {
    let id = FailureText.code(id) ?? "\(id)"
    return switch kind {
    case .fail(let error):
      error is Exploration.InjectedFailure ? ".fail(\(id))" : ".fail(\(id), with: \(text(of: error)))"
    case .hang: ".hang(\(id))"
    case .delay(let duration): ".delay(\(id), by: \(SwiftLiteral.duration(duration)))"
    case .duplicate: ".duplicate(\(id))"
    case .cancel(let number): ".cancel(\(id), atSuspension: \(number))"
    }
  }

  /// For an enum, the case alone is not enough: its type is not the type of the parameter.
  private func text(of error: any Error) -> String {
    let text = ValueText.of(error)
    return text.hasPrefix(".") ? "\(ValueText.name(of: error))\(text)" : text
  }
}

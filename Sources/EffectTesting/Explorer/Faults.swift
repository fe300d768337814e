// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
internal import EffectRuntime

extension Exploration {
  /// What goes wrong in some schedules, on purpose.
  ///
  /// ```swift
  /// await explore(
  ///   initialState: .init(), reducer: Feed(load: load), faults: .anyOne(of: .fail("feed"), .hang("feed"))
  /// ) { run in ... } finally: { !$0.isLoading }
  /// ```
  public struct Faults: Sendable {
    let all: [Fault]
    /// How many may strike in one schedule.
    var limit = 1
    /// Where they are not choices but follow from a seed.
    var chance: (seed: UInt64, oneIn: Int)?

    var isEmpty: Bool { all.isEmpty }

    /// Nothing.
    public static let none = Faults(all: [])

    /// At most one of these in a schedule: which, and to which run of the id, is a choice like any other.
    ///
    /// Each run of the id multiplies the schedules, up to the budget of the exploration.
    public static func anyOne(of faults: Fault...) -> Faults { Faults(all: faults) }

    /// At most so many of these in a schedule, each likewise: for what breaks only when two things go wrong. One may
    /// strike several times, but a run is struck by one at most.
    public static func any(_ limit: Int, of faults: Fault...) -> Faults { Faults(all: faults, limit: limit) }

    /// By chance: which runs, and by which of these, follows from the seed and the number of the run among those of its id,
    /// and so is the same in every schedule and on every machine. No choice, and so the schedules do not become more; try
    /// another seed for others.
    ///
    /// - Parameter one: one of how many runs is struck, about; with 1 each is.
    /// - Parameter seed: what decides by chance.
    /// - Parameter faults: what may strike.
    public static func seeded(_ seed: UInt64, oneIn one: Int = 2, of faults: Fault...) -> Faults {
      Faults(all: faults, limit: .max, chance: (seed, max(1, one)))
    }
  }

  /// One thing that goes wrong with a run, as the outside world does it and not the feature.
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

    /// Its closure throws at once; what catches errors or tries again does, and each attempt may be struck.
    public static func fail(_ id: EffectID, with error: any Error & Sendable = InjectedFailure()) -> Fault {
      Fault(id: id, kind: .fail(error))
    }

    /// Its closure waits until it is cancelled, and does nothing else. That it still waits at the end is no deadlock, and
    /// an exploration with it may be complete.
    public static func hang(_ id: EffectID) -> Fault { Fault(id: id, kind: .hang) }

    /// Its closure begins so much virtual time later.
    public static func delay(_ id: EffectID, by duration: Duration) -> Fault { Fault(id: id, kind: .delay(duration)) }

    /// The first action it sends comes twice, one behind the other. Both are dropped if the run is cancelled before.
    public static func duplicate(_ id: EffectID) -> Fault { Fault(id: id, kind: .duplicate) }

    /// The work of the id is cancelled, as by a `.cancel` of somebody else, at the moment its run has given up its thread for
    /// the n-th time: asleep, on its way to an actor, waiting for an answer. An `await` that goes on at once is none.
    ///
    /// A run that returns, is cancelled or is replaced before is left alone. What it has sent and nobody has taken is dropped
    /// (rule E1).
    public static func cancel(
      _ id: EffectID, atSuspension number: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Fault {
      // Not `precondition`: optimised builds would trap without a word.
      if number < 1 {
        fatalError(
          "Exploration.Fault.cancel: suspensions are counted from 1, not from \(number)", file: fileID, line: line)
      }
      return Fault(id: id, kind: .cancel(number))
    }
  }

  /// What a run throws that is made to fail.
  public struct InjectedFailure: Error, Equatable, Sendable {
    /// Makes one.
    public init() {}
  }
}

// The same for ids of the feature's own type: `.hang(Work.load)`.
extension Exploration.Fault {
  /// See `fail(_:with:)` for an `EffectID`.
  public static func fail(
    _ id: some Hashable & Sendable, with error: any Error & Sendable = Exploration.InjectedFailure()
  ) -> Exploration.Fault {
    fail(EffectID(id), with: error)
  }

  /// See `hang(_:)` for an `EffectID`.
  public static func hang(_ id: some Hashable & Sendable) -> Exploration.Fault { hang(EffectID(id)) }

  /// See `delay(_:by:)` for an `EffectID`.
  public static func delay(_ id: some Hashable & Sendable, by duration: Duration) -> Exploration.Fault {
    delay(EffectID(id), by: duration)
  }

  /// See `duplicate(_:)` for an `EffectID`.
  public static func duplicate(_ id: some Hashable & Sendable) -> Exploration.Fault { duplicate(EffectID(id)) }

  /// See `cancel(_:atSuspension:fileID:line:)` for an `EffectID`.
  public static func cancel(
    _ id: some Hashable & Sendable, atSuspension number: Int = 1, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Exploration.Fault {
    cancel(EffectID(id), atSuspension: number, fileID: fileID, line: line)
  }
}

// As in code, for the line that runs a schedule alone.
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
    switch kind {
    case .fail(let error):
      error is Exploration.InjectedFailure ? ".fail(\(id))" : ".fail(\(id), with: \(text(of: error)))"
    case .hang: ".hang(\(id))"
    case .delay(let duration): ".delay(\(id), by: \(FailureText.literal(duration) ?? "\(duration)"))"
    case .duplicate: ".duplicate(\(id))"
    case .cancel(let number): ".cancel(\(id), atSuspension: \(number))"
    }
  }

  /// Of an enum the case alone would not do: its type is not the parameter's.
  private func text(of error: any Error) -> String {
    let text = ValueText.of(error)
    return text.hasPrefix(".") ? "\(ValueText.name(of: error))\(text)" : text
  }
}

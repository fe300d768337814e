// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

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

    var isEmpty: Bool { all.isEmpty }

    /// Nothing.
    public static let none = Faults(all: [])

    /// At most one of these in a schedule: which, and to which run of the id, is a choice like any other.
    public static func anyOne(of faults: Fault...) -> Faults { Faults(all: faults) }
  }

  /// One thing that goes wrong with a run, as the world outside does it and not the feature.
  public struct Fault: Sendable {
    enum Kind: Sendable {
      case fail(any Error & Sendable)
      case hang
      case delay(Duration)
      case duplicate
    }

    let id: EffectID
    let kind: Kind

    /// Its closure throws at once; what catches errors or tries again does.
    public static func fail(_ id: EffectID, with error: any Error & Sendable = InjectedFailure()) -> Fault {
      Fault(id: id, kind: .fail(error))
    }

    /// Its closure waits until it is cancelled, and does nothing else.
    public static func hang(_ id: EffectID) -> Fault { Fault(id: id, kind: .hang) }

    /// Its closure begins so much virtual time later.
    public static func delay(_ id: EffectID, by duration: Duration) -> Fault { Fault(id: id, kind: .delay(duration)) }

    /// The first action it sends comes twice, one behind the other.
    public static func duplicate(_ id: EffectID) -> Fault { Fault(id: id, kind: .duplicate) }
  }

  /// What a run throws that is made to fail.
  public struct InjectedFailure: Error, Equatable, Sendable {
    /// Makes one.
    public init() {}
  }
}

// As in code, for the line that runs a schedule alone.
extension Exploration.Faults: CustomStringConvertible {
  /// As in code: `.anyOne(of: .hang("feed"))`.
  public var description: String {
    if isEmpty { return ".none" }
    return ".anyOne(of: \(all.map(\.description).joined(separator: ", ")))"
  }
}

extension Exploration.Fault: CustomStringConvertible {
  /// As in code: `.hang("feed")`.
  public var description: String {
    switch kind {
    case .fail(let error): error is Exploration.InjectedFailure ? ".fail(\(id))" : ".fail(\(id), with: \(error))"
    case .hang: ".hang(\(id))"
    case .delay(let duration): ".delay(\(id), by: \(duration))"
    case .duplicate: ".duplicate(\(id))"
    }
  }
}

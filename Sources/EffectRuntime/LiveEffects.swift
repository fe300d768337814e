// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// All work of a store at one moment, by id; made by ``Store/effects``.
///
/// Two are equal when the same ids have equal statuses and the same number of runs have none. Outcomes of the past are no
/// part of it, and source lines are carried, not compared: moving code must not break a test.
public struct LiveEffects: Equatable, Sendable {
  /// The work of one id.
  public struct Entry: Equatable, Sendable {
    /// How much of it runs, waits, or has yet to return; without a last outcome.
    public let status: EffectStatus
    /// The line that built the newest of it.
    public let site: CallSite

    /// Compares the statuses.
    public static func == (left: Entry, right: Entry) -> Bool { left.status == right.status }
  }

  /// The work of each id that has any.
  public let byID: [EffectID: Entry]
  /// How many runs without an id run. Cancelled ones are not counted.
  public let unnamed: Int

  /// Whether nothing lives and nothing has yet to return, as far as was asked.
  public var isEmpty: Bool { byID.isEmpty && unnamed == 0 }

  /// The status of an id; idle if it has no work.
  public subscript(id: EffectID) -> EffectStatus { byID[id]?.status ?? EffectStatus() }
}

extension LiveEffects: CustomStringConvertible {
  /// A line for each id, in the order of their texts: `"search": 1 running (Search/Search.swift:12)`.
  public var description: String {
    var lines = byID.map { id, entry in "\(id): \(entry.status) (\(entry.site))" }.sorted()
    if unnamed > 0 { lines.append("without an id: \(unnamed) running") }
    return lines.joined(separator: "\n")
  }
}

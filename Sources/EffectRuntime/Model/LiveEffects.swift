// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// All work of a store at one moment, by id; made by ``Store/effects``.
///
/// Two are equal when the same ids have equal statuses, and the numbers of running and of waiting runs without an id
/// are equal. Source lines, and which run waits for which, are shown by the text but not compared.
/// (Moving code must not break a test.)
///
/// - Isolation: a value; it shows the moment of the query. It keeps inputs, but no closures.
public struct LiveEffects: Equatable, Sendable {
  /// The work of one id.
  package struct Entry: Sendable {
    /// How much of it runs, waits, or has yet to return.
    package let status: EffectStatus
    /// The line that built its newest work.
    package let site: CallSite
  }

  package private(set) var entries: [EffectID: Entry]

  /// The work of each id that has any: how much of it runs, waits, or has yet to return.
  ///
  /// - Complexity: O(number of ids).
  public var byID: [EffectID: EffectStatus] { entries.mapValues(\.status) }
  /// How many runs without an id run. Those that wait or were cancelled are not counted.
  public var unnamed: Int
  /// How many runs without an id wait for their time (a delay).
  public var unnamedQueued: Int
  /// The runs that wait for other work of the same store, by `finish()` or `request`; for a query of everything.
  package internal(set) var waits: [Wait] = []

  /// A run that waits for other work of its store.
  package struct Wait: Equatable, Sendable {
    /// The run that waits.
    package let run: EffectRun
    /// The work it waits for: what the awaited actions have caused and what has not settled. The contents of sequences
    /// and trees are not listed, and neither are runs that the actions have joined.
    package let work: [EffectRun]
  }

  /// Compares the work by id, and the number of runs without one.
  public static func == (left: LiveEffects, right: LiveEffects) -> Bool {
    left.unnamed == right.unnamed && left.unnamedQueued == right.unnamedQueued && left.byID == right.byID
  }

  init(byID entries: [EffectID: Entry], unnamed: Int, unnamedQueued: Int = 0) {
    self.entries = entries
    self.unnamed = unnamed
    self.unnamedQueued = unnamedQueued
  }

  /// Makes a value without any work, to describe the expected work in a test.
  public init() {
    self.init(byID: [:], unnamed: 0)
  }

  /// Whether no work of the query's selection is active, waits or has yet to return. Cancelled runs without an id are
  /// not counted.
  public var isEmpty: Bool { entries.isEmpty && unnamed == 0 && unnamedQueued == 0 }

  /// The status of an id; idle if it has no work. You can set it to describe the expected work in a test. An optional id
  /// means the id in it; with `nil` there is no work, and setting it has no effect.
  ///
  /// - Parameter id: the id: of your own type, or an ``/EffectCore/EffectID`` with the scopes around it.
  /// - Complexity: O(1).
  public subscript(id: some Hashable & Sendable) -> EffectStatus {
    get { EffectID.unwrapping(id).flatMap { entries[$0]?.status } ?? EffectStatus() }
    set {
      guard let id = EffectID.unwrapping(id) else { return }
      entries[id] = newValue.isIdle ? nil : Entry(status: newValue, site: entries[id]?.site ?? Self.nowhere)
    }
  }

  private static let nowhere = CallSite(fileID: "expected", line: 0)
}

extension LiveEffects: CustomStringConvertible {
  /// A line for each id, in the order of their texts: `"search": 1 running (Search/Search.swift:12)`. Then a line for
  /// runs without an id, and one for each run that waits for others.
  public var description: String {
    var lines = entries.map { id, entry in "\(id): \(entry.status) (\(entry.site))" }.sorted()
    if let unnamedText { lines.append(unnamedText) }
    for wait in waits {
      let work = wait.work.map { "\($0) (\($0.site))" }.joined(separator: ", ")
      lines.append("\(wait.run) (\(wait.run.site)) waits for \(work.isEmpty ? "actions" : work)")
    }
    return lines.joined(separator: "\n")
  }

  private var unnamedText: String? {
    var parts: [String] = []
    if unnamed > 0 { parts.append("\(unnamed) running") }
    if unnamedQueued > 0 { parts.append("\(unnamedQueued) queued") }
    return parts.isEmpty ? nil : "without an id: \(parts.joined(separator: ", "))"
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Which misuse has been reported, and the lines of source of ids that are used with different overlaps (rule O1).
///
/// A misuse is reported once for each pair of lines. Lines are recorded only for ids whose work has met work with
/// another overlap; the caller keeps track of these ids.
struct MisuseLog: Sendable {
  private var reported: Set<String> = []
  /// The lines of the ids with different overlaps, by their places.
  private var lines: [Int32: OverlapLines] = [:]

  /// Whether nothing has been reported and no lines are recorded.
  var isEmpty: Bool { reported.isEmpty && lines.isEmpty }

  /// Whether lines of any id are recorded.
  var hasLines: Bool { !lines.isEmpty }

  /// Marks a misuse as reported.
  ///
  /// - Parameter key: what identifies the misuse: equal for reports about one pair of lines.
  /// - Returns: whether it is the first with this key.
  mutating func reportsFirst(_ key: String) -> Bool { reported.insert(key).inserted }

  /// Records lines of an id from now on.
  ///
  /// - Parameter present: the lines of the work that is active or waits.
  mutating func record(_ present: OverlapLines, at place: Int32) { lines[place] = present }

  /// Work of a recorded id has become active, or waits.
  mutating func arrived(_ site: CallSite, _ overlap: Overlap.Name, at place: Int32) {
    lines[place]?.arrived(site, overlap)
  }

  /// Work of a recorded id has settled.
  ///
  /// - Returns: whether no work of the id remains. Then its lines are removed.
  mutating func left(_ site: CallSite, _ overlap: Overlap.Name, at place: Int32) -> Bool {
    lines[place]?.left(site, overlap)
    guard lines[place]?.isEmpty == true else { return false }
    lines[place] = nil
    return true
  }

  /// The lines of present work with another overlap, in the order in which they came. Each pair of lines is returned once.
  mutating func differences(from site: CallSite, _ overlap: Overlap.Name, at place: Int32) -> [CallSite] {
    lines[place, default: OverlapLines()].differences(from: site, overlap)
  }
}

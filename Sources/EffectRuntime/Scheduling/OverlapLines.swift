// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The lines of source whose work is active, queued or waiting under an id that is used with different kinds of overlap.
///
/// It exists only for such ids, from the arrival of the first difference until no work of the id is present. So an arrival
/// costs nothing while all work of an id has one kind, and otherwise O(lines), however much work there is.
struct OverlapLines: Sendable {
  private var lines: [Line] = []
  private var present = 0
  private var compared: Set<Pair> = []

  /// A line may use several kinds, if it takes its overlap from a variable.
  private struct Line: Sendable {
    let site: CallSite
    let kind: Overlap.Kind
    /// How much work of the line is present.
    var count = 0
  }

  private struct Pair: Hashable, Sendable {
    let newer: Int
    let older: Int
  }

  /// Whether no work is present.
  var isEmpty: Bool { present == 0 }

  /// Work of a line has become active, or waits.
  mutating func arrived(_ site: CallSite, _ kind: Overlap.Kind) {
    lines[index(of: site, kind)].count += 1
    present += 1
  }

  /// Work of a line has settled.
  mutating func left(_ site: CallSite, _ kind: Overlap.Kind) {
    lines[index(of: site, kind)].count -= 1
    present -= 1
  }

  /// The lines with another kind whose work is present, in the order in which they came. Each is returned once.
  mutating func differences(from site: CallSite, _ kind: Overlap.Kind) -> [CallSite] {
    let newer = index(of: site, kind)
    var found: [CallSite] = []
    for older in lines.indices
    where lines[older].kind != kind && lines[older].count > 0
      && compared.insert(Pair(newer: newer, older: older)).inserted
    {
      found.append(lines[older].site)
    }
    return found
  }

  private mutating func index(of site: CallSite, _ kind: Overlap.Kind) -> Int {
    // There are few: these are lines of source. The numbers are compared first, because a file's name is text.
    let known = lines.firstIndex {
      $0.kind == kind && $0.site.line == site.line && "\($0.site.fileID)" == "\(site.fileID)"
    }
    if let known { return known }
    lines.append(Line(site: site, kind: kind))
    return lines.count - 1
  }
}

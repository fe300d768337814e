// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The lines of source whose work is active, queued or waiting under an id that is used with different overlaps.
///
/// It exists only for such ids, from the arrival of the first difference until no work of the id is present. So an arrival
/// costs nothing while all work of an id has one overlap, and otherwise O(lines), however much work there is.
struct OverlapLines: Sendable {
  private var lines: [Line] = []
  private var present = 0
  private var compared: Set<Pair> = []

  /// A line may use several overlaps, if it takes its overlap from a variable.
  private struct Line: Sendable {
    let site: CallSite
    let overlap: Overlap.Name
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
  mutating func arrived(_ site: CallSite, _ overlap: Overlap.Name) {
    lines[index(of: site, overlap)].count += 1
    present += 1
  }

  /// Work of a line has settled.
  mutating func left(_ site: CallSite, _ overlap: Overlap.Name) {
    lines[index(of: site, overlap)].count -= 1
    present -= 1
  }

  /// The lines with another overlap whose work is present, in the order in which they came. Each is returned once.
  mutating func differences(from site: CallSite, _ overlap: Overlap.Name) -> [CallSite] {
    let newer = index(of: site, overlap)
    var found: [CallSite] = []
    for older in lines.indices
    where lines[older].overlap != overlap && lines[older].count > 0
      && compared.insert(Pair(newer: newer, older: older)).inserted
    {
      found.append(lines[older].site)
    }
    return found
  }

  private mutating func index(of site: CallSite, _ overlap: Overlap.Name) -> Int {
    // There are few: these are lines of source. The numbers are compared first, because a file's name is text.
    let known = lines.firstIndex {
      $0.overlap == overlap && $0.site.line == site.line && "\($0.site.fileID)" == "\(site.fileID)"
    }
    if let known { return known }
    lines.append(Line(site: site, overlap: overlap))
    return lines.count - 1
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// Two lines use one id with different kinds of overlap, and their work has met (rule O1).
///
/// The overlap of the work that arrives last is applied. So the result depends on the order of arrival, which is usually
/// a mistake: a `.restart` cancels runs that another line lets run side by side. It is reported, once for each pair of
/// lines and store, as an ``EffectFailure`` whose `run` is the newer one. Nothing is cancelled because of it. In a
/// `TestStore` it is a test failure.
///
/// `.concurrent` is a kind like any other. Limits and the other arguments of an overlap are not compared.
///
/// - Isolation: a value; usable from any thread.
public struct OverlapConflict: Error {
  /// The work that arrived.
  public let newer: EffectRun
  /// Work of the same id that was active or waiting then, or the tree of the id that the newer work is inside (rule
  /// E6).
  public let older: EffectRun
}

extension OverlapConflict: CustomStringConvertible {
  /// Both lines, and what to do about it.
  public var description: String {
    "\(newer) met \(older) of \(older.site): two kinds of overlap under one id, \(newer.overlap) and "
      + "\(older.overlap). The overlap of the last to arrive is applied, so the result depends on their order. Use one kind "
      + "for an id, or two ids."
  }

  /// Equal for a pair of lines, whichever came first.
  var key: String { Self.key(newer.site, older.site) }

  /// The key of a pair of lines.
  static func key(_ one: CallSite, _ other: CallSite) -> String {
    let sites = [one.description, other.description].sorted()
    return "\(sites[0])|\(sites[1])"
  }
}

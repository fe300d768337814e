// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime

/// The choices on the page. They do not change during a race: another choice starts another race.
struct Settings: Equatable, Sendable {
  var overlap: Overlap
  var latency: Latency
  var isDeaf: Bool
}

extension Settings {
  /// Reads the query of a URL; `nil` unless all values are present and within their limits.
  init?(_ value: (_ name: String) -> String?) {
    guard let limit = value("limit").flatMap({ Int($0) }), (1...9).contains(limit),
      let overlap = value("overlap").flatMap({ Self.overlap($0, limit) }),
      let kind = value("latency").flatMap(Latency.Kind.init),
      let least = value("least").flatMap({ Int($0) }), let most = value("most").flatMap({ Int($0) }),
      0 <= least, least <= most, most <= 5000,
      let isDeaf = value("deaf").flatMap(Bool.init)
    else { return nil }
    self.init(overlap: overlap, latency: Latency(kind: kind, range: least...most), isDeaf: isDeaf)
  }

  private static func overlap(_ name: String, _ limit: Int) -> Overlap? {
    switch name {
    case "concurrent": .concurrent
    case "restart": .restart(limit: limit)
    case "drop": .drop(limit: limit)
    case "enqueue": .enqueue(limit: limit)
    case "keepLatest": .keepLatest(limit: limit)
    case "join": .join(limit: limit)
    default: nil
    }
  }
}

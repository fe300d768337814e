// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

/// The server is away, or has cut the connection, or cannot work now. The same statement may succeed later. Any other error
/// of a statement is a refusal.
struct Outage: Error, CustomStringConvertible {
  let description: String
}

/// Reports each outage once, whichever connection notices it, and its end once.
final class Outages: Sendable {
  private let isOutage = Mutex(false)
  private let report: @Sendable (String) -> Void

  init(report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  /// A connection was lost, or could not be made.
  func began(_ outage: Outage) {
    if !isOutage.withLock({ was in (was, was = true).0 }) { report("the database is away: \(outage)") }
  }

  /// A connection was made.
  func ended() {
    if isOutage.withLock({ was in (was, was = false).0 }) { report("the database is back") }
  }
}

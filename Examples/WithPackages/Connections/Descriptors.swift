// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
public import NIOCore

/// The file descriptors of this process. The dispatch library ends the process if there is none left.
public enum Descriptors {
  /// How many connections a server can have: half of the descriptors that are free when it starts. The others are for the rest of the
  /// process.
  ///
  /// - Parameters:
  ///   - most: how many it needs at most.
  ///   - all: how many descriptors the process can have.
  ///   - used: how many it has.
  /// - Returns: from 8 to `most`.
  /// - Throws: `EMFILE` if there are fewer than 8.
  public static func connections(
    upTo most: Int, all: Int = limit, used: Int = open
  ) throws(IOError) -> Int {
    let free = all - used
    guard free >= 16 else {
      throw IOError(errnoCode: EMFILE, reason: "\(free) free file descriptors are too few for a server")
    }
    return min(most, free / 2)
  }

  /// What `ulimit -n` says.
  public static var limit: Int {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    return limit < 0 ? Int(Int32.max) : limit
  }

  /// How many are open now.
  public static var open: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count) ?? 0
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import NIOCore

/// The file descriptors of this process. The dispatch library ends the process if there is none left.
public enum Descriptors {
  /// How many connections of clients there can be.
  ///
  /// - Parameters:
  ///   - configuration: what the gateway promises.
  ///   - all: how many descriptors the process can have.
  /// - Returns: at most the number in the configuration; zero or less if there are too few descriptors.
  public static func connections(_ configuration: Configuration, all: Int = limit) -> Int {
    // An event loop has three. The host of a call may have two addresses, which are tried at once. The others are for
    // files, signals, timers and listeners.
    let others = 3 * System.coreCount + 2 * (configuration.limit + 1) + 32
    return min(configuration.connections, all - others)
  }

  /// What `ulimit -n` says.
  public static var limit: Int {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    return limit < 0 ? Int(Int32.max) : limit
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// Makes a clock that begins at zero.
///
/// - Parameter clock: any clock.
/// - Returns: the time since now.
public func elapsed(on clock: some Clock<Duration>) -> @Sendable () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}

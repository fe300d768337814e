// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

/// A thread that executes one job at a time for the player, and can stop in the middle of it.
///
/// The two threads never proceed at once: the player waits until the job is over or has stopped, and the job waits until
/// the player goes on with it. So the order of everything they do is the player's choice.
// SAFETY: the properties are written by the player before it gives `go`, and by this thread before it gives `back`. Each
// reads them only after it has received the other's signal.
final class JobThread: @unchecked Sendable {
  private let go = PlatformSignal()
  private let back = PlatformSignal()
  private var job: (() -> Void)?
  private var hasStopped = false

  /// Starts the thread; `nil` if the system has none.
  init?() {
    guard PlatformThread.start({ [self] in work() }) else { return nil }
  }

  /// Executes a job. Returns whether it is over; otherwise it has stopped. For the player.
  func execute(_ job: @escaping () -> Void) -> Bool {
    self.job = job
    return proceed()
  }

  /// Goes on with a job that has stopped. Returns as ``execute(_:)``.
  func proceed() -> Bool {
    hasStopped = false
    go.give()
    back.wait()
    return !hasStopped
  }

  /// Ends the thread. For the player, while there is no job.
  func end() {
    job = nil
    go.give()
  }

  /// Stops in the middle of the job until the player goes on with it. For this thread.
  func stop() {
    hasStopped = true
    back.give()
    go.wait()
  }

  private func work() {
    while true {
      go.wait()
      guard let job else { return }
      job()
      self.job = nil
      back.give()
    }
  }
}

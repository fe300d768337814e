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
  private var isFree = false

  /// Starts the thread; `nil` if the system has none.
  init?() {
    guard PlatformThread.start({ [self] in work() }) else { return nil }
  }

  /// Begins to execute a job. For the player.
  func begin(_ job: @escaping () -> Void) {
    self.job = job
    goOn()
  }

  /// Goes on with a job that has stopped. For the player.
  func goOn() {
    hasStopped = false
    go.give()
  }

  /// Goes on with a job that has stopped, and that proceeds at the same time as others from now on. For the player.
  func letGo() {
    isFree = true
    goOn()
  }

  /// Waits until the job is over or has stopped. For the player.
  func wait() { back.wait() }

  /// The same, for a number of seconds. Returns whether it is over or has stopped.
  func wait(seconds: Int) -> Bool { back.wait(seconds: seconds) }

  /// Whether the job is over. For the player, after it has waited.
  var isOver: Bool { !hasStopped }

  /// Ends the thread. For the player, while there is no job.
  func end() {
    job = nil
    go.give()
  }

  /// Stops in the middle of the job until the player goes on with it. Returns whether only this thread proceeds then. For this
  /// thread.
  func stop() -> Bool {
    hasStopped = true
    back.give()
    go.wait()
    defer { isFree = false }
    return !isFree
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

/// The thread on which an exploration runs, and which other tasks of the process need as well.
///
/// A search runs schedule after schedule and may never suspend. The process has as many threads for tasks as it has
/// processors. Without `yield`, a few explorations at once would stop all other tasks: a server in the same test process
/// would not answer for seconds.
struct SharedThread {
  private var next = ContinuousClock.now

  /// Whether the search should yield now, between two schedules: every 10 ms.
  mutating func shouldYield() -> Bool {
    let now = ContinuousClock.now
    guard now >= next else { return false }
    next = now + .milliseconds(10)
    return true
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What a registry knows of time: who waits for which moment. Empty where no run has a time modifier.
struct Timing: Sendable {
  /// The time of the store's clock, asked for only when a run says something about time.
  let now: @Sendable () -> Duration
  private let nextNumber: (@Sendable () -> UInt64)?
  private var lastNumber: UInt64 = 0
  var alarms = Alarms<Purpose>()
  /// Windows that nobody waits for, by their ends; nothing happens then but that they are forgotten.
  var closings = Alarms<Int32>()
  /// The alarm of a slot; it has at most one at a time.
  var alarmOf: [Int32: UInt64] = [:]
  /// The windows that are open, by the place of their id.
  var windows: [Int32: Window] = [:]
  /// How far runs are that may be made again or have a time limit, by their slots.
  var attempts: [Int32: Attempt] = [:]
  /// The slots of attempts that ran out of time and have not returned, by the tokens they had.
  var abandoned: [Token: Int32] = [:]

  init(now: @escaping @Sendable () -> Duration, number: (@Sendable () -> UInt64)?) {
    self.now = now
    nextNumber = number
  }

  enum Purpose: Sendable {
    /// A run that waits starts, or goes on to its next stage.
    case start(Token)
    /// The window of a place ends, and somebody waits for that.
    case windowEnd(Int32)
    /// An attempt has taken too long.
    case limit(Token)
    /// The next attempt begins.
    case attempt(Token)
  }

  /// What lets runs of one id through.
  struct Window: Sendable {
    let id: EffectID
    var debounce: Debounce?
    /// Who waits for the burst to end, or -1.
    var debounced: Int32 = -1
    var throttle: Throttle?
    /// Who waits for the window to end, or -1.
    var throttled: Int32 = -1
    /// The alarm or closing of the window.
    var number: UInt64 = 0

    var isEmpty: Bool { debounce == nil && throttle == nil }
  }

  struct Attempt: Sendable {
    /// Counted from 1.
    var number = 0
    /// The last attempt has failed and `catch` has taken over.
    var isRecovering = false
    /// For a run that is exclusive: the slot of the attempt that ran out of time and has not returned, or -1.
    var abandoned: Int32 = -1
    /// The next attempt only waits for that one to return.
    var isDue = false
  }

  var isEmpty: Bool {
    alarms.isEmpty && closings.isEmpty && alarmOf.isEmpty && windows.isEmpty && attempts.isEmpty && abandoned.isEmpty
  }

  mutating func number() -> UInt64 {
    if let nextNumber { return nextNumber() }
    lastNumber += 1
    return lastNumber
  }
}

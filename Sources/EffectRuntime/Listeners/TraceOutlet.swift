// This source file is part of swift-effects. License: Apache-2.0.

/// The listeners that a store notifies, and what it knows of the times of events; used on its isolation only.
@usableFromInline
struct TraceOutlet<Action: Sendable> {
  @usableFromInline var listeners: [TraceListener<Action>] = []
  /// The version of the hub from which the listeners were taken.
  @usableFromInline var version = 0
  /// Whether there are listeners.
  @usableFromInline var isOn = false
  /// Whether one of them needs times.
  @usableFromInline var isTimed = false
  /// When the present turn began.
  @usableFromInline var now = Duration.zero
  /// The stamps of the messages that were taken out of the mailbox.
  @usableFromInline var stamps = TraceStamps()
}

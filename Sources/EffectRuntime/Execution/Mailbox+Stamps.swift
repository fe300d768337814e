// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore
public import Synchronization

/// What the listeners of a trace need.
@usableFromInline
enum Tracing: UInt8, AtomicRepresentable, Sendable {
  /// There is no listener.
  case off
  /// Only when a run sleeps.
  case sleeps
  /// What happens, but not when.
  case untimed
  /// What happens, and when.
  case timed
}

extension Mailbox.Queue {
  /// Adds a stamp for the message that came last.
  @inlinable
  mutating func stamp(_ stamp: TraceStamp) {
    stamps.add(stamp, of: messages.count - 1)
  }
}

extension Mailbox {
  /// Whether a trace has a listener. While it has, messages are stamped.
  @inlinable
  package var isTraced: Bool { tracing.load(ordering: .relaxed).rawValue > Tracing.sleeps.rawValue }

  /// From now on, a message is posted whenever a run sleeps on the store's clock. No message is stamped. For a shell
  /// that reports these sleeps without a trace.
  package func tellsSleeps() { tracing.store(.sleeps, ordering: .relaxed) }

  /// A run begins to sleep: posts a message, if a listener or a shell needs it.
  func tellSleep(of token: Token, for duration: Duration) {
    guard tracing.load(ordering: .relaxed) != .off else { return }
    post(.order(.slept(token, until: time.uncountedNow.adding(duration))))
  }

  /// A stamp for a message that is about to be posted.
  @inlinable
  func stamp(_ site: CallSite?) -> TraceStamp {
    TraceStamp(time: tracing.load(ordering: .relaxed) == .timed ? now : nil, site: site)
  }

  /// As ``post(_:inline:)``, with a stamp for listeners and with what the store carries.
  @inlinable
  func post(_ action: Action, inline: Bool, from site: CallSite) -> Receipt {
    let stamp = isTraced ? stamp(site) : nil
    let context = carried?.capture()
    return queue.withLock { queue in
      guard queue.isAccepting else { return Receipt(number: 0, mustSchedule: false) }
      queue.accepted += 1
      if let context { carried?.add(context, of: queue.accepted) }
      queue.messages.append(.action(action))
      if let stamp { queue.stamp(stamp) }
      return Receipt(number: queue.accepted, mustSchedule: !inline && queue.needsDrain())
    }
  }

  /// As ``take(into:)``, with the stamps, which are empty before.
  @inlinable
  func take(into batch: inout [Message<Action>], stamps: inout TraceStamps) -> Bool {
    queue.withLock { queue in
      if queue.isFoundEmpty() { return false }
      swap(&queue.messages, &batch)
      if !queue.stamps.isEmpty { swap(&queue.stamps, &stamps) }
      return true
    }
  }
}

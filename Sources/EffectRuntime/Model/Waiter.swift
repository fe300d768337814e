// This source file is part of swift-effects. License: Apache-2.0.

/// One wait of a task for one answer. Only the first answer counts: that of the store, that of a cancellation handler,
/// or that for the end of the store.
///
/// - Isolation: usable from any thread.
@usableFromInline
package final class Waiter: Sendable {
  private enum Phase {
    /// There is no answer, and no task waits.
    case pending
    /// A task waits.
    case parked(CheckedContinuation<Bool, Never>)
    case answered(Bool)
  }

  private let phase = Lock<Phase>(.pending)
  private let whenSettled: (@Sendable (RequestOutcomes) -> Void)?
  private let whenCut: (@Sendable () -> Void)?

  /// Makes a waiter without closures.
  package init() {
    whenSettled = nil
    whenCut = nil
  }

  /// A waiter whose closure is called on the store's isolation, at the moment the awaited work has settled, with the
  /// collected outcomes.
  ///
  /// - Parameters:
  ///   - whenSettled: called at most once, on the store's isolation.
  ///   - whenCut: called on the same isolation before that, if a shutdown cancels a part of the awaited work.
  init(whenSettled: @escaping @Sendable (RequestOutcomes) -> Void, whenCut: @escaping @Sendable () -> Void) {
    self.whenSettled = whenSettled
    self.whenCut = whenCut
  }

  /// Calls `whenCut`: a shutdown cancels a part of the awaited work. The wait continues until the rest has settled.
  func cutShort() {
    whenCut?()
  }

  /// Calls `whenSettled` and answers `true`: the awaited work has settled. Called on the store's isolation.
  ///
  /// - Parameter outcomes: the outcomes, if they were collected.
  @usableFromInline
  package func settle(_ outcomes: RequestOutcomes?) {
    whenSettled?(outcomes ?? RequestOutcomes())
    answer(true)
  }

  /// Suspends until it is answered, and returns the answer; at once if it has been answered. Call it at most once.
  package func wait() async -> Bool {
    await withCheckedContinuation { continuation in
      let early: Bool? = phase.withLock { phase in
        if case .answered(let answer) = phase { return answer }
        phase = .parked(continuation)
        return nil
      }
      if let early { continuation.resume(returning: early) }
    }
  }

  /// Answers, unless it has been answered before. The waiting task is resumed after the lock has been released.
  @usableFromInline
  package func answer(_ value: Bool) {
    let parked: CheckedContinuation<Bool, Never>? = phase.withLock { phase in
      defer { if case .answered = phase {} else { phase = .answered(value) } }
      if case .parked(let continuation) = phase { return continuation }
      return nil
    }
    parked?.resume(returning: value)
  }
}

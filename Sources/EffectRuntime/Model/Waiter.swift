// This source file is part of swift-effects. License: Apache-2.0.

/// Waits for one answer and gets exactly one, from the first that comes: the answer, a cancel, or the end of the store.
@usableFromInline
package final class Waiter: Sendable {
  private enum Phase {
    case pending
    case parked(CheckedContinuation<Bool, Never>)
    case answered(Bool)
  }

  private let phase = Lock<Phase>(.pending)
  private let whenSettled: (@Sendable (RequestOutcomes) -> Void)?
  private let whenCut: (@Sendable () -> Void)?

  package init() {
    whenSettled = nil
    whenCut = nil
  }

  /// A waiter whose closure is called on the store's isolation, at the moment the awaited work has settled, with the
  /// collected outcomes.
  ///
  /// - Parameters:
  ///   - whenSettled: called once, on the store's isolation.
  ///   - whenCut: called on the same isolation before that, if a shutdown cancels a part of the awaited work.
  init(whenSettled: @escaping @Sendable (RequestOutcomes) -> Void, whenCut: @escaping @Sendable () -> Void) {
    self.whenSettled = whenSettled
    self.whenCut = whenCut
  }

  /// A shutdown cancels a part of the awaited work. The wait continues until the rest has settled.
  func cutShort() {
    whenCut?()
  }

  /// The awaited work has settled.
  @usableFromInline
  package func settle(_ outcomes: RequestOutcomes?) {
    whenSettled?(outcomes ?? RequestOutcomes())
    answer(true)
  }

  /// Suspends until it is answered; returns at once if it has been answered.
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

  /// Answers, unless it has been answered before. Safe from any thread; resumes outside the lock.
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

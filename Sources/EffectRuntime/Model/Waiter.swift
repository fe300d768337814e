// This source file is part of swift-effects. License: Apache-2.0.

/// Somebody who waits for one answer and gets exactly one, whoever is faster: the answer, a cancel, the store's end.
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

  /// A waiter whose closure is called on the store's isolation, at the moment what it waits for has settled; with what was
  /// collected.
  ///
  /// - Parameters:
  ///   - whenSettled: called once, on the store's isolation.
  ///   - whenCut: called there before, if a shutdown cancels a part of what is waited for.
  init(whenSettled: @escaping @Sendable (RequestOutcomes) -> Void, whenCut: @escaping @Sendable () -> Void) {
    self.whenSettled = whenSettled
    self.whenCut = whenCut
  }

  /// A shutdown cancels a part of what is waited for. The wait goes on until the rest has settled.
  func cutShort() {
    whenCut?()
  }

  /// What one waits for has settled.
  @usableFromInline
  package func settle(_ outcomes: RequestOutcomes?) {
    whenSettled?(outcomes ?? RequestOutcomes())
    answer(true)
  }

  /// Suspends until somebody answers; returns at once if somebody has.
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

  /// Answers, unless somebody did before. Safe from any thread; resumes outside the lock.
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

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

  private struct State {
    var phase = Phase.pending
    /// Whether the store will answer soon, so that the wait cannot be given up.
    var isHeld = false
  }

  private let state = Lock(State())
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
      let early: Bool? = state.withLock { state in
        if case .answered(let answer) = state.phase { return answer }
        state.phase = .parked(continuation)
        return nil
      }
      if let early { continuation.resume(returning: early) }
    }
  }

  /// Answers, unless it has been answered before. The waiting task is resumed after the lock has been released.
  @usableFromInline
  package func answer(_ value: Bool) { answer(value, unlessHeld: false) }

  /// What is waited for is happening now: only ``answer(_:)`` ends the wait from now on.
  ///
  /// - Returns: `false` if the wait has ended before.
  @usableFromInline
  package func hold() -> Bool {
    state.withLock { state in
      if case .answered = state.phase { return false }
      state.isHeld = true
      return true
    }
  }

  /// The waiting task was cancelled: answers `false`, unless ``hold()`` came before.
  package func giveUp() { answer(false, unlessHeld: true) }

  /// Whether it has been answered.
  package var isAnswered: Bool {
    state.withLock { if case .answered = $0.phase { true } else { false } }
  }

  private func answer(_ value: Bool, unlessHeld: Bool) {
    let parked: CheckedContinuation<Bool, Never>? = state.withLock { state in
      if unlessHeld, state.isHeld { return nil }
      defer { if case .answered = state.phase {} else { state.phase = .answered(value) } }
      if case .parked(let continuation) = state.phase { return continuation }
      return nil
    }
    parked?.resume(returning: value)
  }
}

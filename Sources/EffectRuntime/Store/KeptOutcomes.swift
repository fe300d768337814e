// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Keeps how the work of some ids ended, as long as this object exists; made by ``Store/keepOutcomes(of:isolation:)``.
///
/// ```swift
/// let outcomes = store.keepOutcomes(of: ["save"])
/// await store.send(.saveTapped).finish()
/// if case .ended(.failed(let error)) = await store.status("save").lastOutcome { ... }
/// outcomes.cancel()                                        // or release it
/// ```
///
/// The outcome of an id is kept while any of these objects, or any observer of the id's status, exists (rule S1).
///
/// - Lifetime: ends with ``cancel()`` or with its release, whichever comes first. It does not keep the store alive.
/// - Isolation: usable from any thread.
public final class KeptOutcomes: Sendable {
  private let release: Lock<(@Sendable () -> Void)?>

  init(_ release: @escaping @Sendable () -> Void) {
    self.release = Lock(release)
  }

  /// Stops keeping the outcomes. Called twice, or when the store has ended or was released, it does nothing.
  ///
  /// - Ordering: takes effect after what was sent before. The next query of the store sees it.
  /// - Isolation: usable from any thread.
  /// - Complexity: O(1) for each id.
  public func cancel() {
    let release = release.withLock { release in
      defer { release = nil }
      return release
    }
    release?()
  }

  deinit { cancel() }
}

extension Store {
  /// Keeps how the work of some ids ends, for ``EffectStatus/lastOutcome``, until the returned object is cancelled or
  /// released.
  ///
  /// ```swift
  /// let outcomes = store.keepOutcomes(of: ["save", "upload"])
  /// ```
  ///
  /// - Ordering: like a sent action: what was accepted before is handled first, and work that settles then is not kept.
  ///   The next query sees ``EffectStatus/LastOutcome/noneYet`` unless an outcome of the id was kept already. On the
  ///   store's own isolation it has taken effect when this returns, unless the store is reducing or notifying.
  /// - Parameters:
  ///   - ids: the ids, with the scopes around them. Write ids of several types as values of `EffectID`. A `nil` in the
  ///     sequence is not an id.
  ///   - caller: the isolation of the caller, filled in by the compiler.
  /// - Returns: the object that keeps the outcomes. If you discard it, they are no longer kept.
  /// - Isolation: usable from anywhere.
  /// - Complexity: O(1) for each id, in time and in memory. Nothing is kept of other ids, and each id is kept once,
  ///   however many objects keep it. When the store has ended, this call has no effect.
  public nonisolated func keepOutcomes(
    of ids: some Sequence<some Hashable & Sendable>, isolation caller: (any Actor)? = #isolation
  ) -> KeptOutcomes {
    let ids = ids.compactMap { EffectID.unwrapping($0) }
    mailbox.postOrder(.keepOutcomes(ids))
    drainInline(from: caller)
    return KeptOutcomes { [mailbox] in mailbox.postOrder(.releaseOutcomes(ids)) }
  }
}

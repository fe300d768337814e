// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// Keeps how the work of some ids ended, for as long as it exists; made by ``Store/keepOutcomes(of:isolation:)``.
///
/// ```swift
/// let outcomes = store.keepOutcomes(of: ["save"])
/// await store.send(.saveTapped).finish()
/// if case .ended(.failed(let error)) = await store.status("save").lastOutcome { ... }
/// outcomes.cancel()                                        // or release it
/// ```
///
/// An id's outcome is kept while any of these, or any observer of the id's status, exists (rule S1).
///
/// - Lifetime: ends with ``cancel()`` or with its release, whichever comes first. It does not keep the store alive.
/// - Isolation: usable from any thread.
public final class KeptOutcomes: Sendable {
  private let release: Lock<(@Sendable () -> Void)?>

  init(_ release: @escaping @Sendable () -> Void) {
    self.release = Lock(release)
  }

  /// Keeps the outcomes no longer. Called twice, or when the store has ended or was released, it does nothing.
  ///
  /// - Ordering: takes effect behind what was sent before. The next query of the store sees it.
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
  /// Keeps how the work of some ids ends, for ``EffectStatus/lastOutcome``, until what this returns is cancelled or released.
  ///
  /// ```swift
  /// let outcomes = store.keepOutcomes(of: ["save", "upload"])
  /// ```
  ///
  /// - Ordering: like a sent action: what was accepted before comes before, and what settles then is not kept. The next query
  ///   sees ``EffectStatus/LastOutcome/noneYet`` unless an outcome of the id was kept already. On the store's own isolation
  ///   it has taken effect when this returns.
  /// - Parameters:
  ///   - ids: the ids, with the scopes around them. Ids of several types are written as values of `EffectID`. A `nil` in there
  ///     is no id.
  ///   - caller: the isolation of the caller, filled in by the compiler.
  /// - Returns: what to hold on to. Thrown away, it ends at once.
  /// - Isolation: usable from anywhere.
  /// - Complexity: O(1) for each id, in time and in memory. Nothing is kept of other ids, and each id is kept once, however
  ///   many keep it. When the store has been shut down, nothing more is kept.
  public nonisolated func keepOutcomes(
    of ids: some Sequence<some Hashable & Sendable>, isolation caller: (any Actor)? = #isolation
  ) -> KeptOutcomes {
    let ids = ids.compactMap { EffectID.unwrapping($0) }
    mailbox.postOrder(.keepOutcomes(ids))
    drainInline(from: caller)
    return KeptOutcomes { [mailbox] in mailbox.postOrder(.releaseOutcomes(ids)) }
  }
}

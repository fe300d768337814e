// This source file is part of swift-effects. License: Apache-2.0.

/// The way from a run back into the store: sends actions, and gives the time of the store's clock.
///
/// A run's closure gets one. Call it like a function: `send(.found(results))`.
///
/// - Ordering: actions of one `Send` are reduced in the order they were sent, and all of them before the run counts
///   as ended.
/// - Cancellation: if the run was cancelled, was replaced or has ended, an action is dropped when its turn comes, even
///   if it was sent before (rule E1). What is sent after the closure has returned by itself, for example by a callback, is a
///   mistake that the store reports: wait in the closure until the last action has been sent.
/// - Isolation: usable from any thread, and from several at once. It does not keep the store alive.
public struct Send<Action: Sendable>: Sendable {
  @usableFromInline let sink: any ActionSink<Action>
  /// The token of the run that it sends for.
  @usableFromInline let token: Token

  @inlinable
  package init(_ sink: any ActionSink<Action>, token: Token = .none) {
    self.sink = sink
    self.token = token
  }

  /// Sends an action to the store. Never blocks and never reduces in place.
  ///
  /// - Parameter action: the action, which is reduced in its turn.
  /// - Returns: whether the store accepted it; `false` once the store is shut down or released. An accepted action can
  ///   still be dropped by rule E1; ``delivered(_:)`` reports that.
  /// - Complexity: O(1).
  @discardableResult
  @inlinable
  public func callAsFunction(_ action: Action) -> Bool {
    sink.send(action, by: token)
  }

  /// Sends an action and waits until it has been reduced: back pressure for streams that are faster than the store.
  ///
  /// - Parameter action: the action to send.
  /// - Returns: `true` once the action and its turn have been reduced; of a long turn, the part that comes before other
  ///   actions are handled (rule T5). Also if this turn has cancelled the run: `Task.isCancelled` says that. `false` if the
  ///   action was refused or dropped, and is never reduced. The call always returns: if the waiting task is cancelled before
  ///   the action's turn, the action is dropped.
  public func delivered(_ action: Action) async -> Bool {
    await sink.delivered(action, by: token)
  }

  /// Suspends for a duration of the store's clock, which is virtual in tests.
  ///
  /// - Parameter duration: how long to suspend.
  /// - Throws: `CancellationError` as soon as the run is cancelled, if its own task or a child task sleeps. Otherwise
  ///   only what the clock throws.
  public func sleep(for duration: Duration) async throws {
    try await sink.sleep(for: duration, by: token)
  }

  /// How much time of the store's clock has passed since the store was made.
  public var now: Duration { sink.now }

  /// The same, for the library itself: `explore` does not count it as a reading of the time.
  var uncountedNow: Duration { sink.uncountedNow }

  /// The store's clock, for code that takes a clock of its own.
  public var clock: any Clock<Duration> { sink.clock }

  /// A `Send` for another action type, whose actions are transformed on their way.
  package func contramap<Child: Sendable>(_ transform: @escaping @Sendable (Child) -> Action) -> Send<Child> {
    Send<Child>(MappedSink(base: sink, transform: transform), token: token)
  }
}

/// Where the actions of runs go. The runtime has one implementation, which a store and a test store share.
///
/// One sink serves all runs of a store. Each call passes the token of the run, so a run needs no sink of its own.
@usableFromInline
package protocol ActionSink<Action>: AnyObject, Sendable {
  associatedtype Action: Sendable
  func send(_ action: Action, by token: Token) -> Bool
  func delivered(_ action: Action, by token: Token) async -> Bool
  func sleep(for duration: Duration, by token: Token) async throws
  var now: Duration { get }
  var uncountedNow: Duration { get }
  var clock: any Clock<Duration> { get }
  /// Whether no run has read this sequence before; see ``ReadOnce``.
  func isFirstReader(of object: AnyObject) -> Bool
}

extension ActionSink {
  /// For sinks without runs.
  package func isFirstReader(of object: AnyObject) -> Bool { true }
}

private final class MappedSink<Action: Sendable, Base: Sendable>: ActionSink {
  let base: any ActionSink<Base>
  let transform: @Sendable (Action) -> Base

  init(base: any ActionSink<Base>, transform: @escaping @Sendable (Action) -> Base) {
    self.base = base
    self.transform = transform
  }

  func send(_ action: Action, by token: Token) -> Bool { base.send(transform(action), by: token) }
  func delivered(_ action: Action, by token: Token) async -> Bool { await base.delivered(transform(action), by: token) }
  func sleep(for duration: Duration, by token: Token) async throws {
    try await base.sleep(for: duration, by: token)
  }
  var now: Duration { base.now }
  var uncountedNow: Duration { base.uncountedNow }
  var clock: any Clock<Duration> { base.clock }
  func isFirstReader(of object: AnyObject) -> Bool { base.isFirstReader(of: object) }
}

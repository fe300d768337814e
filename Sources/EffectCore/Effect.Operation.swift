// This source file is part of swift-effects. License: Apache-2.0.

extension Effect {
  /// One run: a closure and everything that is known about it before it starts.
  ///
  /// Made by `Effect.run(id:overlap:name:priority:_:catch:)` and its variants. Immutable, so it can be
  /// shared between threads. What is known about it is read from ``Effect/runs``.
  public final class Operation: AnyOperation {
    @usableFromInline package typealias Body = @concurrent @Sendable (Send<Action>) async throws -> Void
    @usableFromInline package typealias Failure = @concurrent @Sendable (any Error, Send<Action>) async -> Void

    // In this order there is no padding between them: every active run keeps its operation.

    /// The id with the scopes around it; for a run without an id, the scopes alone.
    @usableFromInline let path: EffectID?
    @usableFromInline package let body: Body
    @usableFromInline let details: Details?
    /// The line that built the run.
    @usableFromInline package let site: CallSite
    /// What happens when the run starts while other runs of its id are active.
    @usableFromInline package let overlap: Overlap
    @usableFromInline let isNamed: Bool
    /// How urgent the task is; `nil` leaves it to the system.
    @usableFromInline package let priority: TaskPriority?

    @inlinable
    init(
      path: EffectID?, isNamed: Bool, overlap: Overlap, priority: TaskPriority?, site: CallSite, details: Details?,
      body: @escaping Body
    ) {
      self.path = path
      self.isNamed = isNamed
      self.overlap = overlap
      self.priority = priority
      self.site = site
      self.details = details
      self.body = body
    }

    @inlinable
    convenience init(
      id: EffectID?, overlap: Overlap, input: (any Hashable & Sendable)?, name: String?, priority: TaskPriority?,
      site: CallSite, body: @escaping Body, failure: Failure?, builtIn: BuiltInClosure? = nil
    ) {
      self.init(
        // Without an id there is nothing that an overlap could decide about.
        path: id, isNamed: id != nil, overlap: id == nil ? .concurrent : overlap, priority: priority, site: site,
        details: .make(input: input, name: name, failure: failure, timing: nil, builtIn: builtIn), body: body)
    }

    /// The run that replaces a `send` under a modifier that makes it wait (rule C4).
    convenience init(sending action: Action, _ timing: RunTiming, site: CallSite) {
      self.init(
        path: nil, isNamed: false, overlap: .concurrent, priority: nil, site: site,
        details: .make(input: nil, name: "send", failure: nil, timing: timing, builtIn: .send),
        body: { send in send(action) })
    }

    /// What most runs do not have. It is a separate object, so that those runs need no memory for it.
    @usableFromInline
    final class Details: Sendable {
      @usableFromInline let input: (any Hashable & Sendable)?
      @usableFromInline let name: String?
      @usableFromInline let failure: Failure?
      @usableFromInline let timing: RunTiming?
      @usableFromInline let builtIn: BuiltInClosure?

      // Not a failable initialiser: that would allocate first.
      @inlinable
      static func make(
        input: (any Hashable & Sendable)?, name: String?, failure: Failure?, timing: RunTiming?,
        builtIn: BuiltInClosure? = nil
      ) -> Details? {
        if input == nil, name == nil, failure == nil, timing == nil, builtIn == nil { return nil }
        return Details(input: input, name: name, failure: failure, timing: timing, builtIn: builtIn)
      }

      @inlinable
      init(
        input: (any Hashable & Sendable)?, name: String?, failure: Failure?, timing: RunTiming?,
        builtIn: BuiltInClosure?
      ) {
        self.input = input
        self.name = name
        self.failure = failure
        self.timing = timing
        self.builtIn = builtIn
      }
    }

    /// The name by which you cancel and query the run, with the scopes around it.
    @usableFromInline package var id: EffectID? { isNamed ? path : nil }

    /// The scopes around a run that has no id.
    @usableFromInline package var scope: EffectID? { isNamed ? nil : path }

    /// The request context: frozen when the effect was built, passed to the closure, shown in failures and traces.
    @usableFromInline package var input: (any Hashable & Sendable)? { details?.input }

    /// What failure texts and timelines call the run.
    @usableFromInline package var name: String? { details?.name }

    /// The `catch` closure, which handles an error of the body.
    @usableFromInline package var failure: Failure? { details?.failure }

    /// Whether there is a `catch` closure.
    @usableFromInline package var isCatching: Bool { failure != nil }

    /// When it starts and how long it may take; `nil` without a time modifier.
    @usableFromInline package var timing: RunTiming? { details?.timing }

    /// What it executes, if that is no asynchronous closure of a user.
    @usableFromInline package var builtIn: BuiltInClosure? { details?.builtIn }

    /// Whether the run was built with neither id nor scope. Then `cancellable` gives its id to the run itself: the
    /// meaning is the same.
    var isPlain: Bool { path == nil }

    func named(_ id: EffectID, overlap: Overlap) -> Operation {
      Operation(
        path: id, isNamed: true, overlap: overlap, priority: priority, site: site, details: details, body: body)
    }

    func timed(_ timing: RunTiming) -> Operation {
      let all = self.timing?.overridden(by: timing) ?? timing
      return Operation(
        path: path, isNamed: isNamed, overlap: overlap, priority: priority, site: site,
        details: .make(input: input, name: name, failure: failure, timing: all, builtIn: builtIn), body: body)
    }

    /// The same run, whose closures are called inside another function.
    ///
    /// - Parameter around: calls its argument once.
    package func called(
      inside around:
        @escaping @concurrent @Sendable (@escaping @concurrent @Sendable () async throws -> Void) async throws
        -> Void
    ) -> Operation {
      let body = body
      var wrapped: Failure?
      if let failure {
        wrapped = { error, send in
          // The function throws only what its argument throws.
          try? await around { await failure(error, send) }
        }
      }
      return Operation(
        path: path, isNamed: isNamed, overlap: overlap, priority: priority, site: site,
        details: .make(input: input, name: name, failure: wrapped, timing: timing, builtIn: builtIn),
        body: { send in try await around { try await body(send) } })
    }

    /// What is executed when the last attempt has thrown: the same run with the `catch` closure as its body.
    @usableFromInline package func recovery(from error: any Error) -> any AnyOperation {
      let failure = failure
      return Operation(
        path: path, isNamed: isNamed, overlap: overlap, priority: priority, site: site,
        details: .make(input: input, name: name, failure: nil, timing: timing),
        body: { send in await failure?(error, send) })
    }

    /// The same run for a parent feature: actions transformed on their way, names inside one more scope.
    func mapped<Parent: Sendable>(
      scope: EffectID?, _ transform: @escaping @Sendable (Action) -> Parent
    ) -> Effect<Parent>.Operation {
      let body = body
      let failure = failure
      let path = scope.map { scope in self.path?.inside(scope) ?? scope } ?? self.path
      let mappedBody: Effect<Parent>.Operation.Body = { send in try await body(send.contramap(transform)) }
      var mappedFailure: Effect<Parent>.Operation.Failure?
      if let failure {
        mappedFailure = { error, send in await failure(error, send.contramap(transform)) }
      }
      return Effect<Parent>.Operation(
        path: path, isNamed: isNamed, overlap: overlap, priority: priority, site: site,
        details: .make(input: input, name: name, failure: mappedFailure, timing: timing, builtIn: builtIn),
        body: mappedBody)
    }
  }
}

/// A run without the action type, for the scheduler, which is compiled once for all action types.
@usableFromInline
package protocol AnyOperation: AnyObject, Sendable {
  var id: EffectID? { get }
  var scope: EffectID? { get }
  var overlap: Overlap { get }
  var input: (any Hashable & Sendable)? { get }
  var name: String? { get }
  var priority: TaskPriority? { get }
  var site: CallSite { get }
  var isCatching: Bool { get }
  var timing: RunTiming? { get }
  var builtIn: BuiltInClosure? { get }
  func recovery(from error: any Error) -> any AnyOperation
}

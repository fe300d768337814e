// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// The content of a ``TraceEvent``, as an object.
///
/// Not an enum: to copy and destroy an enum of many shapes, twice for each action, would cost more than the rest of the
/// reporting. A store overwrites the content it last reported about an action, unless other code has kept it.
@usableFromInline
// SAFETY: it is written only before other code has it, or by the only owner when no other code has it any more. So no
// two accesses overlap, and to check that at run time would take half of the time of a report.
class TraceContent<Action: Sendable>: @unchecked Sendable {
  /// Read it by ``facts``.
  @exclusivity(unchecked) @usableFromInline final var stored: TraceFacts

  @inlinable
  init(_ facts: TraceFacts) {
    // SAFETY: no other code has the object yet.
    unsafe stored = facts
  }

  /// Makes the content of an event, as the subclass for its kind.
  static func make(
    _ kind: TraceEvent<Action>.Kind, _ number: UInt64, after cause: UInt64?, at time: Duration
  ) -> TraceContent {
    func facts(_ shape: TraceFacts.Shape) -> TraceFacts { TraceFacts(shape, number, after: cause, at: time) }
    return switch kind {
    case .accepted(let action, let source): TraceOfAction(facts(.accepted), action, TraceOrigin(source))
    case .reduced(let action, let source): TraceOfAction(facts(.reduced), action, TraceOrigin(source))
    case .dropped(let action, let source): TraceOfAction(facts(.dropped), action, TraceOrigin(source))
    default: TraceOfOther(kind, facts(.other))
    }
  }

  /// What all events have.
  // SAFETY: no code writes while other code has the object.
  @inlinable
  final var facts: TraceFacts { unsafe stored }

  /// What happened.
  @inlinable
  final var kind: TraceEvent<Action>.Kind {
    let shape = facts.shape
    guard shape != .other else {
      // SAFETY: only `TraceOfOther` has this shape.
      return unsafe unsafeDowncast(self, to: TraceOfOther<Action>.self).other
    }
    // SAFETY: all other shapes belong to `TraceOfAction`.
    return unsafe unsafeDowncast(self, to: TraceOfAction<Action>.self).result.kind(shape)
  }
}

/// What all events have.
@usableFromInline
struct TraceFacts: Sendable {
  @usableFromInline var number: UInt64
  /// When it happened; zero if no listener needs it.
  @usableFromInline var time: Duration
  /// The number of the event it follows from.
  @usableFromInline var cause: UInt64?
  @usableFromInline var shape: Shape

  /// What the content is about: the result of an action, or anything else.
  @usableFromInline
  enum Shape: UInt8, Sendable { case accepted, reduced, dropped, other }

  @inlinable
  init(_ shape: Shape, _ number: UInt64, after cause: UInt64?, at time: Duration) {
    self.number = number
    self.time = time
    self.cause = cause
    self.shape = shape
  }
}

/// The result of an action.
// Its action is not optional: to destroy an optional one would need a lookup of the metadata of the optional type.
@usableFromInline
// SAFETY: as for `TraceContent`: written only while no other code has it.
final class TraceOfAction<Action: Sendable>: TraceContent<Action>, @unchecked Sendable {
  /// The action and its origin.
  @exclusivity(unchecked) @usableFromInline var result: Result

  /// An action, and where it comes from.
  @usableFromInline
  struct Result {
    @usableFromInline var action: Action
    @usableFromInline var origin: TraceOrigin

    @inlinable
    init(_ action: Action, _ origin: TraceOrigin) {
      self.action = action
      self.origin = origin
    }

    /// What happened to the action.
    @inlinable
    func kind(_ shape: TraceFacts.Shape) -> TraceEvent<Action>.Kind {
      let source = origin.source
      return switch shape {
      case .accepted: .accepted(action, source)
      case .reduced: .reduced(action, source)
      case .dropped, .other: .dropped(action, source)
      }
    }

    /// Exchanges the content with other values, which are then the old content.
    @inlinable @inline(__always)
    mutating func swap(_ action: inout Action, _ origin: inout TraceOrigin) {
      Swift.swap(&self.action, &action)
      Swift.swap(&self.origin, &origin)
    }

    /// Replaces the content.
    @inlinable @inline(__always)
    mutating func set(_ action: Action, _ origin: borrowing TraceOrigin) {
      self.action = action
      self.origin.form = origin.form
      self.origin.dispatch = origin.dispatch
      self.origin.site = origin.site
      // Nearly always both are `nil`, and checking that is cheaper than releasing nothing.
      if origin.run != nil || self.origin.run != nil { self.origin.run = origin.run }
    }
  }

  @inlinable
  init(_ facts: TraceFacts, _ action: Action, _ origin: TraceOrigin) {
    // SAFETY: no other code has the object yet.
    unsafe result = Result(action, origin)
    super.init(facts)
  }

  /// The same object as its superclass.
  @inlinable @inline(__always)
  static func asContent(_ page: Unmanaged<TraceOfAction>) -> Unmanaged<TraceContent<Action>> {
    // SAFETY: an object of a class may be used as one of the superclass.
    unsafe Unmanaged.fromOpaque(page.toOpaque())
  }

  /// The same content as the content of an action; `nil` if it is not about an action.
  @inlinable @inline(__always)
  static func asAction(_ content: Unmanaged<TraceContent<Action>>) -> Unmanaged<TraceOfAction>? {
    // SAFETY: the caller keeps the object. Content with any shape but `.other` is a `TraceOfAction`.
    unsafe content._withUnsafeGuaranteedRef { $0.facts.shape } == .other
      ? nil : Unmanaged.fromOpaque(content.toOpaque())
  }

  /// Overwrites content that the caller keeps alive. The arguments are then the old action and origin.
  // For callers that hold a lock: the release of an action may run user code.
  @inlinable @inline(__always)
  static func swap(
    _ page: Unmanaged<TraceOfAction>, _ facts: TraceFacts, _ action: inout Action, _ origin: inout TraceOrigin
  ) {
    // SAFETY: the caller keeps the object, and no other code has it.
    unsafe page._withUnsafeGuaranteedRef { page in
      unsafe page.stored = facts
      unsafe page.result.swap(&action, &origin)
    }
  }

  /// Overwrites content that the caller keeps alive.
  // Not a closure of the store: each call of such a closure looks up its executor.
  @inlinable @inline(__always)
  static func set(
    _ page: Unmanaged<TraceOfAction>, _ facts: TraceFacts, _ action: Action, _ origin: borrowing TraceOrigin
  ) {
    // SAFETY: the caller keeps the object, and no other code has it.
    unsafe page._withUnsafeGuaranteedRef { page in
      unsafe page.stored = facts
      unsafe page.result.set(action, origin)
    }
  }
}

/// An event that is not about the result of an action.
@usableFromInline
// SAFETY: adds a constant of Sendable type to a class that is safe by itself.
final class TraceOfOther<Action: Sendable>: TraceContent<Action>, @unchecked Sendable {
  /// What happened.
  @usableFromInline let other: TraceEvent<Action>.Kind

  init(_ kind: TraceEvent<Action>.Kind, _ facts: TraceFacts) {
    other = kind
    super.init(facts)
  }
}

/// A ``TraceSource`` with its parts side by side, so that each part can be overwritten separately.
@usableFromInline
package struct TraceOrigin: Sendable {
  /// Which kind of source it is.
  @usableFromInline package var form: Form
  /// The number of the dispatch, for an action from outside; otherwise 0.
  @usableFromInline package var dispatch: UInt64
  /// The line of the sender, for an action from outside, if it is known.
  @usableFromInline package var site: CallSite?
  /// The run, for an action of a run, if it is known.
  @usableFromInline package var run: TraceRun?

  /// The kinds of sources, as in ``TraceSource``.
  @usableFromInline
  package enum Form: UInt8, Sendable { case user, run, followUp }

  /// Makes an origin. What does not belong to the form is left out.
  @inlinable
  package init(form: Form, dispatch: UInt64 = 0, _ site: CallSite? = nil, run: TraceRun? = nil) {
    self.form = form
    self.dispatch = dispatch
    self.site = site
    self.run = run
  }

  /// The origin of a `send` effect.
  @inlinable
  package static var followUp: TraceOrigin { TraceOrigin(form: .followUp) }

  /// The parts of a source.
  @inlinable
  package init(_ source: TraceSource) {
    switch source {
    case .user(let dispatch, let site): self.init(form: .user, dispatch: dispatch, site)
    case .run(let run): self.init(form: .run, run: run)
    case .followUp: self = .followUp
    }
  }

  /// The parts as a source.
  @inlinable
  package var source: TraceSource {
    switch form {
    case .user: .user(dispatch: dispatch, site)
    case .run: .run(run)
    case .followUp: .followUp
    }
  }
}

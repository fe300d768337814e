// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// The content of a ``TraceEvent``, as an object.
///
/// Not an enum: to copy and destroy an enum of many shapes, twice for each action, would cost more than the rest of the
/// reporting. A store overwrites the content it last reported about an action, unless other code has kept it.
@usableFromInline
// SAFETY: only its maker writes to it, before other code has it or when no other code has it any more. So no two
// accesses overlap, and to check that at run time would take half of the time of a report.
class TraceContent<Action: Sendable>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var stored: TraceFacts

  @inlinable
  init(_ facts: TraceFacts) {
    unsafe stored = facts
  }

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

  @inlinable
  final var facts: TraceFacts { unsafe stored }

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
  @usableFromInline var time: Duration
  @usableFromInline var cause: UInt64?
  @usableFromInline var shape: Shape

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
// SAFETY: as above.
final class TraceOfAction<Action: Sendable>: TraceContent<Action>, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var result: Result

  @usableFromInline
  struct Result {
    @usableFromInline var action: Action
    @usableFromInline var origin: TraceOrigin

    @inlinable
    init(_ action: Action, _ origin: TraceOrigin) {
      self.action = action
      self.origin = origin
    }

    @inlinable
    func kind(_ shape: TraceFacts.Shape) -> TraceEvent<Action>.Kind {
      let source = origin.source
      return switch shape {
      case .accepted: .accepted(action, source)
      case .reduced: .reduced(action, source)
      case .dropped, .other: .dropped(action, source)
      }
    }

    @inlinable @inline(__always)
    mutating func swap(_ action: inout Action, _ origin: inout TraceOrigin) {
      Swift.swap(&self.action, &action)
      Swift.swap(&self.origin, &origin)
    }

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
    unsafe result = Result(action, origin)
    super.init(facts)
  }

  @inlinable @inline(__always)
  static func asContent(_ page: Unmanaged<TraceOfAction>) -> Unmanaged<TraceContent<Action>> {
    unsafe Unmanaged.fromOpaque(page.toOpaque())
  }

  /// The same content as the content of an action; `nil` if it is not about an action.
  @inlinable @inline(__always)
  static func asAction(_ content: Unmanaged<TraceContent<Action>>) -> Unmanaged<TraceOfAction>? {
    // SAFETY: only content of another shape has another type.
    unsafe content._withUnsafeGuaranteedRef { $0.facts.shape } == .other
      ? nil : Unmanaged.fromOpaque(content.toOpaque())
  }

  /// Overwrites content that other code keeps alive, and returns the old content.
  // For callers that hold a lock: the release of an action may run user code.
  @inlinable @inline(__always)
  static func swap(
    _ page: Unmanaged<TraceOfAction>, _ facts: TraceFacts, _ action: inout Action, _ origin: inout TraceOrigin
  ) {
    unsafe page._withUnsafeGuaranteedRef { page in
      unsafe page.stored = facts
      unsafe page.result.swap(&action, &origin)
    }
  }

  /// Overwrites content that other code keeps alive.
  // Not a closure of the store: each call of such a closure looks up its executor.
  @inlinable @inline(__always)
  static func set(
    _ page: Unmanaged<TraceOfAction>, _ facts: TraceFacts, _ action: Action, _ origin: borrowing TraceOrigin
  ) {
    unsafe page._withUnsafeGuaranteedRef { page in
      unsafe page.stored = facts
      unsafe page.result.set(action, origin)
    }
  }
}

/// An event that is not about the result of an action.
@usableFromInline
// SAFETY: as above.
final class TraceOfOther<Action: Sendable>: TraceContent<Action>, @unchecked Sendable {
  @usableFromInline let other: TraceEvent<Action>.Kind

  init(_ kind: TraceEvent<Action>.Kind, _ facts: TraceFacts) {
    other = kind
    super.init(facts)
  }
}

/// A ``TraceSource`` with its parts side by side, so that each part can be overwritten separately.
@usableFromInline
package struct TraceOrigin: Sendable {
  @usableFromInline package var form: Form
  @usableFromInline package var dispatch: UInt64
  @usableFromInline package var site: CallSite?
  @usableFromInline package var run: TraceRun?

  @usableFromInline
  package enum Form: UInt8, Sendable { case user, run, followUp }

  @inlinable
  package init(form: Form, dispatch: UInt64 = 0, _ site: CallSite? = nil, run: TraceRun? = nil) {
    self.form = form
    self.dispatch = dispatch
    self.site = site
    self.run = run
  }

  @inlinable
  package static var followUp: TraceOrigin { TraceOrigin(form: .followUp) }

  @inlinable
  package init(_ source: TraceSource) {
    switch source {
    case .user(let dispatch, let site): self.init(form: .user, dispatch: dispatch, site)
    case .run(let run): self.init(form: .run, run: run)
    case .followUp: self = .followUp
    }
  }

  @inlinable
  package var source: TraceSource {
    switch form {
    case .user: .user(dispatch: dispatch, site)
    case .run: .run(run)
    case .followUp: .followUp
    }
  }
}

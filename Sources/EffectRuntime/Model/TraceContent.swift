// This source file is part of swift-effects. License: Apache-2.0.

public import EffectCore

/// The content of a ``TraceEvent``, as an object.
///
/// Not an enum: to copy and destroy an enum of many shapes, twice an action, would cost more than the rest of the
/// reporting. A store overwrites the content it last reported about an action, unless other code has kept it.
@usableFromInline
// SAFETY: only its maker writes to it, before other code has it or when no other code has it any more. So no two
// accesses overlap, and to check that at run time would take half of the time of a report.
class TraceContent<Action: Sendable>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline final var number: UInt64
  @exclusivity(unchecked) @usableFromInline final var time: Duration
  @exclusivity(unchecked) @usableFromInline final var cause: UInt64?
  @exclusivity(unchecked) @usableFromInline final var shape: Shape

  @usableFromInline
  enum Shape: UInt8, Sendable { case accepted, reduced, dropped, other }

  @inlinable
  init(_ shape: Shape, _ number: UInt64, after cause: UInt64?, at time: Duration) {
    unsafe self.shape = shape
    unsafe self.number = number
    unsafe self.cause = cause
    unsafe self.time = time
  }

  static func make(
    _ kind: TraceEvent<Action>.Kind, _ number: UInt64, after cause: UInt64?, at time: Duration
  ) -> TraceContent {
    switch kind {
    case .accepted(let action, let source):
      TraceOfAction(.accepted, action, TraceOrigin(source), number, after: cause, at: time)
    case .reduced(let action, let source):
      TraceOfAction(.reduced, action, TraceOrigin(source), number, after: cause, at: time)
    case .dropped(let action, let source):
      TraceOfAction(.dropped, action, TraceOrigin(source), number, after: cause, at: time)
    default:
      TraceOfOther(kind, number, after: cause, at: time)
    }
  }

  @inlinable
  final var kind: TraceEvent<Action>.Kind {
    guard unsafe shape != .other else {
      // SAFETY: only `TraceOfOther` has this shape.
      return unsafe unsafeDowncast(self, to: TraceOfOther<Action>.self).other
    }
    // SAFETY: all other shapes belong to `TraceOfAction`.
    let content = unsafe unsafeDowncast(self, to: TraceOfAction<Action>.self)
    let source = unsafe content.origin.source
    return switch unsafe shape {
    case .accepted: unsafe .accepted(content.action, source)
    case .reduced: unsafe .reduced(content.action, source)
    case .dropped, .other: unsafe .dropped(content.action, source)
    }
  }
}

/// The result of an action.
// Its action is not optional: to destroy an optional one would need a lookup of the metadata of the optional type.
@usableFromInline
// SAFETY: as above.
final class TraceOfAction<Action: Sendable>: TraceContent<Action>, @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var action: Action
  @exclusivity(unchecked) @usableFromInline var origin: TraceOrigin

  @inlinable
  init(
    _ shape: Shape, _ action: Action, _ origin: TraceOrigin, _ number: UInt64, after cause: UInt64?, at time: Duration
  ) {
    unsafe self.action = action
    unsafe self.origin = origin
    super.init(shape, number, after: cause, at: time)
  }

  @inlinable @inline(__always)
  static func asContent(_ page: Unmanaged<TraceOfAction>) -> Unmanaged<TraceContent<Action>> {
    unsafe Unmanaged.fromOpaque(page.toOpaque())
  }

  /// The same content as the content of an action; `nil` if it is not about an action.
  @inlinable @inline(__always)
  static func asAction(_ content: Unmanaged<TraceContent<Action>>) -> Unmanaged<TraceOfAction>? {
    // SAFETY: only content of another shape has another type.
    unsafe content._withUnsafeGuaranteedRef { unsafe $0.shape } == .other
      ? nil : Unmanaged.fromOpaque(content.toOpaque())
  }

  /// Overwrites content that other code keeps alive, and returns the old content.
  // For callers that hold a lock: the release of an action may run user code.
  @inlinable @inline(__always)
  static func swap(
    _ page: Unmanaged<TraceOfAction>, _ shape: Shape, _ action: inout Action, _ origin: inout TraceOrigin,
    _ number: UInt64, after cause: UInt64?, at time: Duration
  ) {
    unsafe page._withUnsafeGuaranteedRef { page in
      unsafe page.number = number
      unsafe page.time = time
      unsafe page.cause = cause
      unsafe page.shape = shape
      unsafe Swift.swap(&page.action, &action)
      unsafe Swift.swap(&page.origin, &origin)
    }
  }

  /// Overwrites content that other code keeps alive.
  // Not a closure of the store: each call of such a closure looks up its executor.
  @inlinable @inline(__always)
  static func set(
    _ page: Unmanaged<TraceOfAction>, _ shape: Shape, _ action: Action, _ origin: borrowing TraceOrigin,
    _ number: UInt64,
    after cause: UInt64?, at time: Duration
  ) {
    unsafe page._withUnsafeGuaranteedRef { page in
      unsafe page.number = number
      unsafe page.time = time
      unsafe page.cause = cause
      unsafe page.shape = shape
      unsafe page.action = action
      unsafe page.origin.form = origin.form
      unsafe page.origin.dispatch = origin.dispatch
      unsafe page.origin.site = origin.site
      // Nearly always both are `nil`, and checking that is cheaper than releasing nothing.
      if unsafe origin.run != nil || page.origin.run != nil { unsafe page.origin.run = origin.run }
    }
  }
}

/// An event that is not about the result of an action.
@usableFromInline
// SAFETY: as above.
final class TraceOfOther<Action: Sendable>: TraceContent<Action>, @unchecked Sendable {
  @usableFromInline let other: TraceEvent<Action>.Kind

  init(_ kind: TraceEvent<Action>.Kind, _ number: UInt64, after cause: UInt64?, at time: Duration) {
    other = kind
    super.init(.other, number, after: cause, at: time)
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

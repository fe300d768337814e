// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The state at its address, for observers that read parts of it after every slice of work: nothing is copied for them.
///
/// The reader supplies the type. If all code in between passed the type, its metadata would be looked up after every
/// slice, which would cost more than everything else that is done there.
// SAFETY: made for the duration of a call, on the isolation that owns the state, while no code changes it; not kept. Each
// reader knows the type of the state that it observes, and uses offsets of this type only.
@safe
@usableFromInline
struct StateInPlace {
  private let address: UnsafeRawPointer

  @usableFromInline
  init(_ address: UnsafeRawPointer) {
    // SAFETY: the caller keeps the state at this address until the value is not used any more.
    unsafe self.address = address
  }

  /// The state itself, which has this type.
  func value<State>(as type: State.Type = State.self) -> State {
    value(at: 0)
  }

  /// A part of the state, which has this type.
  func part<State, Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    // SAFETY: the state is at this address and has this type.
    unsafe address.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]
  }

  /// Whether the field at this offset in bytes in the state, which has this type, is the same as a value. The offset is the one
  /// that `MemoryLayout` reports for its key path.
  func holds<Value: Equatable>(_ value: Value, at offset: Int) -> Bool {
    Sameness.areSame(self.value(at: offset), value)
  }

  /// The value of the field at this offset in bytes in the state, which has this type.
  func value<Value>(at offset: Int, as type: Value.Type = Value.self) -> Value {
    // SAFETY: `MemoryLayout` reports this offset for a stored field of this type.
    unsafe address.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
  }

  /// The part at this offset in bytes in the state.
  func part(at offset: Int) -> StateInPlace {
    // SAFETY: the part is inside the state, and so is valid as long as the state.
    unsafe StateInPlace(address.advanced(by: offset))
  }

  /// Calls a closure with a copy of a part, which has no offset in the state.
  static func temporary<Value>(_ value: Value, _ body: (StateInPlace) -> Void) {
    // SAFETY: the copy is valid during the closure, which does not keep its address.
    unsafe withUnsafePointer(to: value) { unsafe body(StateInPlace(UnsafeRawPointer($0))) }
  }
}

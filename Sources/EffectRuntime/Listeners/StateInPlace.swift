// This source file is part of swift-effects. License: Apache-2.0.

/// The state at its address, for observers that read parts of it after every slice of work: nothing is copied for them.
///
/// The reader supplies the type. To pass the type through all code in between would need a lookup of metadata after
/// every slice. It would cost more than everything else that is done there.
// SAFETY: made for the duration of a call, on the isolation that owns the state, while no code changes it; not kept.
@safe
@usableFromInline
struct StateInPlace {
  private let address: UnsafeRawPointer

  @usableFromInline
  init(_ address: UnsafeRawPointer) {
    unsafe self.address = address
  }

  /// The state itself, which has this type.
  func value<State>(as type: State.Type = State.self) -> State {
    value(at: 0)
  }

  /// A part of the state, which has this type.
  func part<State, Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    unsafe address.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]
  }

  /// Whether the field at this offset in bytes in the state, which has this type, equals a value. The offset is the one
  /// that `MemoryLayout` reports for its key path.
  func holds<Value: Equatable>(_ value: Value, at offset: Int) -> Bool {
    self.value(at: offset) == value
  }

  /// The value of the field at this offset in bytes in the state, which has this type.
  func value<Value>(at offset: Int, as type: Value.Type = Value.self) -> Value {
    unsafe address.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
  }

  /// The part at this offset in bytes in the state.
  func part(at offset: Int) -> StateInPlace {
    unsafe StateInPlace(address.advanced(by: offset))
  }

  /// A part that had to be copied out.
  static func temporary<Value>(_ value: Value, _ body: (StateInPlace) -> Void) {
    unsafe withUnsafePointer(to: value) { unsafe body(StateInPlace(UnsafeRawPointer($0))) }
  }
}

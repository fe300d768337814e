// This source file is part of swift-effects. License: Apache-2.0.

/// The state where it lies, for those who look at parts of it after every slice of work: nothing is copied for them.
///
/// Its type is known to whoever looks. To carry it through all that is in between would mean to look up metadata after every
/// slice, which costs more than everything else that is done there.
// SAFETY: made for the duration of a call, on the isolation that owns the state, while nobody changes it; not kept.
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
    unsafe address.assumingMemoryBound(to: State.self).pointee
  }

  /// A part of the state, which has this type.
  func part<State, Value>(_ keyPath: KeyPath<State, Value>) -> Value {
    unsafe address.assumingMemoryBound(to: State.self).pointee[keyPath: keyPath]
  }

  /// Whether the field that lies so many bytes into the state, and has this type, has a value; the offset is what
  /// `MemoryLayout` says of its key path.
  func holds<Value: Equatable>(_ value: Value, at offset: Int) -> Bool {
    unsafe address.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee == value
  }

  /// The value of the field that lies so many bytes into the state, and has this type.
  func value<Value>(at offset: Int, as type: Value.Type = Value.self) -> Value {
    unsafe address.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
  }

  /// The part that lies so many bytes into the state.
  func part(at offset: Int) -> StateInPlace {
    unsafe StateInPlace(address.advanced(by: offset))
  }

  /// A part that had to be taken out.
  static func temporary<Value>(_ value: Value, _ body: (StateInPlace) -> Void) {
    unsafe withUnsafePointer(to: value) { unsafe body(StateInPlace(UnsafeRawPointer($0))) }
  }
}

extension UncheckedCell {
  /// The state of a core; nobody may change it meanwhile.
  @inlinable
  func stateInPlace<R>() -> StateInPlace where Value == Core<R> {
    // SAFETY: the state is the first property of an engine, and that of a core; so it lies at its address; a test says so of several.
    unsafe StateInPlace(UnsafeRawPointer(address))
  }
}

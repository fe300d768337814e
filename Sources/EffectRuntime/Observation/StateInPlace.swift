// This source file is part of swift-effects. License: Apache-2.0.

/// The state where it lies, for those who look at parts of it after every slice of work: nothing is copied for them.
// SAFETY: made for the duration of a call, on the isolation that owns the state, while nobody changes it; not kept.
@safe
struct StateInPlace<State> {
  private let address: UnsafePointer<State>

  init(_ address: UnsafePointer<State>) {
    unsafe self.address = address
  }

  /// The state itself.
  var value: State { unsafe address.pointee }

  subscript<Value>(keyPath: KeyPath<State, Value>) -> Value { unsafe address.pointee[keyPath: keyPath] }

  /// Whether the field that lies so many bytes into the state has a value; the offset is what `MemoryLayout` says of its key
  /// path.
  func holds<Value: Equatable>(_ value: Value, at offset: Int) -> Bool {
    unsafe UnsafeRawPointer(address).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee == value
  }

  /// The part of the state that lies so many bytes into it.
  func part<Part>(_ type: Part.Type, at offset: Int) -> StateInPlace<Part> {
    unsafe StateInPlace<Part>(UnsafeRawPointer(address).advanced(by: offset).assumingMemoryBound(to: Part.self))
  }

  /// A part that had to be taken out.
  static func temporary<Result>(_ value: State, _ body: (StateInPlace) -> Result) -> Result {
    unsafe withUnsafePointer(to: value) { unsafe body(StateInPlace($0)) }
  }
}

extension Confined {
  /// The state of a core; nobody may change it meanwhile.
  func stateInPlace<R>() -> StateInPlace<R.State> where Value == Core<R> {
    // SAFETY: the state is the first property of a core, and so lies at its address; a test says so of several.
    unsafe StateInPlace(UnsafeRawPointer(address).assumingMemoryBound(to: R.State.self))
  }
}

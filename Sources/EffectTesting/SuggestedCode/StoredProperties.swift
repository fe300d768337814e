// This source file is part of swift-effects. License: Apache-2.0.

/// Finds whether the stored properties of a struct are variables. A mirror does not show that.
enum StoredProperties {
  /// For each stored property, in order, whether it is declared with `var`; `nil` if that is not known.
  ///
  /// Read from the description that the compiler emits for reflection. Its layout is a part of the ABI of Swift:
  /// docs/ABI/TypeMetadata.rst and include/swift/RemoteInspection/Records.h in the repository of the compiler.
  static func areVariables(of type: Any.Type) -> [Bool]? {
    // SAFETY: the metatype of a concrete type is the address of its metadata.
    let metadata = unsafe unsafeBitCast(type, to: Int.self)
    guard read(metadata, as: UInt.self) == structKind,
      let descriptor = read(metadata + MemoryLayout<Int>.size, as: Int.self)
    else { return nil }
    // Flags, parent, name and access function precede it, with four bytes each.
    let reference = descriptor + 16
    // A program can be built without this description.
    guard let distance = read(reference, as: Int32.self), distance != 0 else { return nil }
    let fields = reference + Int(distance)
    // The names of the type and its superclass, with four bytes each, and a kind of two bytes precede these.
    guard let recordSize = read(fields + 10, as: UInt16.self), recordSize >= 12,
      let count = read(fields + 12, as: UInt32.self)
    else { return nil }
    return (0..<Int(count)).map { index in
      read(fields + 16 + index * Int(recordSize), as: UInt32.self).map { $0 & variableFlag != 0 } ?? false
    }
  }

  /// Reads a number of the description.
  private static func read<Number: BitwiseCopyable>(_ address: Int, as type: Number.Type) -> Number? {
    // SAFETY: a description is never released. A struct is recognised by its kind before anything else is read. Offsets
    // are those of the ABI; only these records are read, and nothing is written.
    unsafe UnsafeRawPointer(bitPattern: address)?.load(as: type)
  }

  private static let structKind: UInt = 0x200
  private static let variableFlag: UInt32 = 0x2
}

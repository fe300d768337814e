// This source file is part of swift-effects. License: Apache-2.0.

/// Whether the stored properties of a struct are variables. A mirror does not say so.
enum StoredProperties {
  /// For each stored property, in order, whether it is declared with `var`; `nil` if that is not known.
  ///
  /// Read from the description that the compiler emits for reflection. Its layout is a part of the ABI of Swift:
  /// docs/ABI/TypeMetadata.rst and include/swift/RemoteInspection/Records.h in the repository of the compiler.
  static func areVariables(of type: Any.Type) -> [Bool]? {
    // SAFETY: the metatype of a concrete type is the address of its metadata, which is never released. A struct is
    // recognised by its kind. Offsets are those of the ABI; only these records are read, and nothing is written.
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard unsafe metadata.load(as: UInt.self) == structKind else { return nil }
    let descriptor = unsafe metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
    // Flags, parent, name and access function precede it, with four bytes each.
    let reference = unsafe descriptor + 16
    let distance = unsafe Int(reference.load(as: Int32.self))
    // A program can be built without this description.
    guard distance != 0 else { return nil }
    let fields = unsafe reference + distance
    // The names of the type and its superclass, with four bytes each, and a kind of two bytes precede these.
    let recordSize = unsafe Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = unsafe Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    guard recordSize >= 12 else { return nil }
    return (0..<count).map { index in
      unsafe fields.load(fromByteOffset: 16 + index * recordSize, as: UInt32.self) & variableFlag != 0
    }
  }

  private static let structKind: UInt = 0x200
  private static let variableFlag: UInt32 = 0x2
}

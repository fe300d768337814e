// This source file is part of swift-effects. License: Apache-2.0.

/// What a mirror does not show of a stored property of a struct, or of a case of an enum.
struct DeclaredField: Equatable {
  /// Its name; of a case, without labels.
  let name: String
  /// Whether it is declared with `var`.
  let isVariable: Bool
  /// Whether its type is `any P`, `(any P)?` or `Any`: then a value of it needs the name of its own type.
  let isErased: Bool

  /// The stored properties of a struct in order, or the cases of an enum in any order; `nil` if they are not known.
  ///
  /// Read from the description that the compiler emits for reflection. Its layout is a part of the ABI of Swift:
  /// docs/ABI/TypeMetadata.rst, docs/ABI/Mangling.rst and include/swift/RemoteInspection/Records.h in the repository of the
  /// compiler.
  static func all(of type: Any.Type) -> [DeclaredField]? {
    // SAFETY: the metatype of a concrete type is the address of its metadata.
    let metadata = unsafe unsafeBitCast(type, to: Int.self)
    guard let kind = read(metadata, as: UInt.self), kind == structKind || kind == enumKind,
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
      let record = fields + 16 + index * Int(recordSize)
      let flags = read(record, as: UInt32.self) ?? 0
      return DeclaredField(
        name: name(at: record + 8), isVariable: flags & variableFlag != 0, isErased: isErased(typeAt: record + 4))
    }
  }

  /// Whether a type is `any P` or `Any`.
  static func isExistential(_ type: Any.Type) -> Bool {
    // SAFETY: the metatype of a type is the address of its metadata.
    read(unsafe unsafeBitCast(type, to: Int.self), as: UInt.self) == existentialKind
  }

  /// The text to which this place refers.
  private static func name(at reference: Int) -> String {
    guard let distance = read(reference, as: Int32.self), distance != 0 else { return "" }
    let place = reference + Int(distance)
    var bytes: [UInt8] = []
    while let byte = read(place + bytes.count, as: UInt8.self), byte != 0 { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the mangled name of a type, to which this place refers, is that of an existential.
  private static func isErased(typeAt reference: Int) -> Bool {
    guard let distance = read(reference, as: Int32.self), distance != 0 else { return false }
    var (place, name) = (reference + Int(distance), "")
    while let byte = read(place, as: UInt8.self), byte != 0 {
      switch byte {
      // A reference to another description, instead of its name: four bytes behind this one, or those of an address.
      case 0x01...0x17: place += 5
      case 0x18...0x1F: place += 1 + MemoryLayout<Int>.size
      default:
        name.unicodeScalars.append(Unicode.Scalar(byte))
        place += 1
      }
    }
    if name.hasSuffix("Sg") { name.removeLast(2) }
    return name.hasSuffix("_p") || name == "yp"
  }

  /// Reads a number of the description.
  private static func read<Number: BitwiseCopyable>(_ address: Int, as type: Number.Type) -> Number? {
    // SAFETY: a description is never released. A struct or enum is recognised by its kind before anything else is read. Offsets
    // are those of the ABI; only these records and the names they refer to, which end with a zero, are read, and nothing is
    // written.
    unsafe UnsafeRawPointer(bitPattern: address)?.load(as: type)
  }

  private static let structKind: UInt = 0x200
  private static let enumKind: UInt = 0x201
  private static let existentialKind: UInt = 0x303
  private static let variableFlag: UInt32 = 0x2
}

// This source file is part of swift-effects. License: Apache-2.0.

/// The names of the cases of an enum, in their order; empty for other types, and for a program without reflection metadata.
///
/// A decoding error does not say which cases there are, and a type lists them only if it is `CaseIterable`.
enum CaseNames {
  static func of(_ type: Any.Type) -> [String] {
    // SAFETY: a type is a pointer to its metadata. The layout that is read here, up to the names of the fields, is part of
    // the stable ABI of Swift; it is read only behind the kind of an enum.
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard unsafe metadata.load(as: Int.self) == enumKind else { return [] }
    let description = unsafe metadata.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
    guard let fields = unsafe relative(description + 16) else { return [] }
    let size = unsafe Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = unsafe Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).compactMap { index in
      let name = unsafe relative(fields + 16 + index * size + 8)
      return unsafe name.map { unsafe String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }
  }

  private static let enumKind = 0x201

  /// Follows a pointer that is an offset from its own place; zero is none.
  private static func relative(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
    // SAFETY: the caller has found the place in the metadata of a type, which lives as long as the program.
    let offset = unsafe Int(place.load(as: Int32.self))
    return unsafe offset == 0 ? nil : place + offset
  }
}

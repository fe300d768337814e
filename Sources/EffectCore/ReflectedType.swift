// This source file is part of swift-effects. License: Apache-2.0.

/// What can be known of the type of a payload without reading the payload.
///
/// An enum keeps a function with another calling convention than an `Any`, and a concrete metatype, `Int.Type`, in no bytes at
/// all. Reflection does not convert them: it shows the `Int.Type` of whatever bytes are there, and to use it is a crash.
///
/// Read from the metadata of the type, whose layout is a part of the ABI of Swift: docs/ABI/TypeMetadata.rst in the repository
/// of the compiler.
package enum ReflectedType {
  /// Why a payload of this type cannot be read; `nil` if it can. In a generic type, such as an array, all can be read.
  package static func obstacle(in type: Any.Type) -> CaseFault? {
    switch word(0, of: type) {
    case functionKind: return .isFunction
    case metatypeKind: return .isMetatype
    case tupleKind: return (0..<(count(of: type) ?? 0)).lazy.compactMap { obstacle(in: element($0, of: type)) }.first
    default: return (type as? any OptionalType.Type).flatMap { obstacle(in: $0.wrapped) }
    }
  }

  /// The type with which a value is kept. `type(of:)` may have to read the value to find it.
  package static func stored(_ value: Any) -> Any.Type {
    // SAFETY: an `Any` ends with the address of the metadata of what it holds, and this address is a metatype.
    unsafe withUnsafeBytes(of: Held(value: value)) { bytes in
      unsafe unsafeBitCast(
        bytes.load(fromByteOffset: MemoryLayout<Any>.size - MemoryLayout<UInt>.size, as: UInt.self), to: Any.Type.self)
    }
  }

  /// An `Any` itself: as an argument of a generic function it would be replaced by what it holds.
  private struct Held { let value: Any }

  /// The number of elements of a tuple; `nil` for another type.
  static func count(of type: Any.Type) -> Int? { word(0, of: type) == tupleKind ? Int(word(1, of: type)) : nil }

  private static func element(_ index: Int, of tuple: Any.Type) -> Any.Type {
    // SAFETY: behind the kind, the number of elements and their labels, the metadata of a tuple has a type and an offset
    // for each element.
    unsafe unsafeBitCast(word(3 + 2 * index, of: tuple), to: Any.Type.self)
  }

  private static func word(_ index: Int, of type: Any.Type) -> UInt {
    // SAFETY: a metatype is the address of metadata, which is never released. All begin with the kind; callers read further
    // only where they know it.
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)[index]
  }

  private static let tupleKind: UInt = 0x301
  private static let functionKind: UInt = 0x302
  private static let metatypeKind: UInt = 0x304
}

/// An optional has a `customMirror`, which does show its cases.
protocol OptionalType { static var wrapped: Any.Type { get } }
extension Optional: OptionalType { static var wrapped: Any.Type { Wrapped.self } }

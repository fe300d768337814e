// This source file is part of swift-effects. License: Apache-2.0.

/// An array with gaps: memory is taken for blocks of neighbours of which at least one is used.
@usableFromInline
struct SparseArray<Element> {
  /// Where the block of an index begins, or -1.
  @usableFromInline var starts: [Int32] = []
  @usableFromInline var elements: [Element] = []
  @usableFromInline let none: Element

  /// Makes one where every element is the given one.
  @inlinable
  init(_ none: Element) {
    self.none = none
  }

  /// An element that ``use(_:)`` has been called for.
  @inlinable
  subscript(index: Int32) -> Element {
    _read { yield elements[position(of: index)] }
    _modify { yield &elements[position(of: index)] }
  }

  /// Puts the empty element in the place of one, and hands that out.
  @inlinable
  mutating func take(_ index: Int32) -> Element {
    var taken = none
    swap(&taken, &elements[position(of: index)])
    return taken
  }

  @inlinable
  func position(of index: Int32) -> Int {
    Int(starts[Int(index) / SparseBlock.size]) + Int(index) % SparseBlock.size
  }

  /// Sees to it that there is memory for an element.
  @inlinable
  mutating func use(_ index: Int32) {
    let block = Int(index) / SparseBlock.size
    while starts.count <= block { starts.append(-1) }
    guard starts[block] < 0 else { return }
    starts[block] = Int32(elements.count)
    for _ in 0..<SparseBlock.size { elements.appendSparingly(none) }
  }
}

extension SparseArray: Sendable where Element: Sendable {}

/// A block of a ``SparseArray``, and of the slab it stands beside.
@usableFromInline
enum SparseBlock {
  @inlinable
  static var size: Int { 64 }
}

extension Array {
  /// Appends, and makes room for a fifth more where there is none: twice as much would be a third too much on average,
  /// which counts where a hundred thousand runs live.
  @inlinable
  mutating func appendSparingly(_ element: Element) {
    if count == capacity, count >= 1_024 { reserveCapacity(count + count / 5) }
    append(element)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// An array with gaps: memory is allocated for blocks of neighbours of which at least one is used.
@usableFromInline
struct SparseArray<Element> {
  /// Where the block of an index begins, or -1.
  @usableFromInline var starts: [Int32] = []
  @usableFromInline var elements: [Element] = []
  @usableFromInline let none: Element

  /// Makes an array in which every element is the given one.
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

  /// Replaces an element by the empty element, and returns it.
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

  /// Makes sure that there is memory for an element.
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

/// A block of a ``SparseArray``, and of the slab that belongs to it.
@usableFromInline
enum SparseBlock {
  @inlinable
  static var size: Int { 64 }
}

extension Array {
  /// Appends. If there is no room, makes room for a fifth more: twice as much would be a third too much on average,
  /// which matters with a hundred thousand active runs.
  @inlinable
  mutating func appendSparingly(_ element: Element) {
    if count == capacity, count >= 1_024 { reserveCapacity(count + count / 5) }
    append(element)
  }
}

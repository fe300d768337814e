// This source file is part of swift-effects. License: Apache-2.0.

/// An array with gaps. Memory is allocated in blocks of neighbours, when the first of them is used.
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

  /// Replaces an element by the element of ``init(_:)``, and returns it. ``use(_:)`` must have been called for it.
  @inlinable
  mutating func take(_ index: Int32) -> Element {
    var taken = none
    swap(&taken, &elements[position(of: index)])
    return taken
  }

  /// Where an element is in `elements`. ``use(_:)`` must have been called for it.
  @inlinable
  func position(of index: Int32) -> Int {
    Int(starts[Int(index) / SparseBlock.size]) + Int(index) % SparseBlock.size
  }

  /// Allocates memory for an element and its neighbours, unless that was done before.
  @inlinable
  mutating func use(_ index: Int32) {
    let block = Int(index) / SparseBlock.size
    while starts.count <= block { starts.append(-1) }
    guard starts[block] < 0 else { return }
    starts[block] = Int32(elements.count)
    for _ in 0..<SparseBlock.size { elements.appendSparingly(none) }
  }

  /// Whether ``use(_:)`` has been called for an element or a neighbour, and its memory was not released.
  @inlinable
  func isUsed(_ index: Int32) -> Bool {
    let block = Int(index) / SparseBlock.size
    return block < starts.count && starts[block] >= 0
  }

  /// Releases the memory of the elements from the given one on, a multiple of ``SparseBlock/size``. O(count).
  mutating func shrink(to count: Int) {
    guard starts.count > count / SparseBlock.size else { return }
    var kept = SparseArray(none)
    for (block, start) in starts.prefix(count / SparseBlock.size).enumerated() where start >= 0 {
      let (first, former) = (Int32(block * SparseBlock.size), Int(start))
      kept.use(first)
      kept.elements.replaceSubrange(kept.position(of: first)..., with: elements[former..<former + SparseBlock.size])
    }
    self = kept
  }
}

extension SparseArray: Sendable where Element: Sendable {}

/// A block of a ``SparseArray``, and of the slab that belongs to it.
@usableFromInline
enum SparseBlock {
  /// How many neighbours are allocated together.
  @inlinable
  static var size: Int { 16 }
}

extension Array {
  /// Appends an element. From 1,024 elements on, the array grows by a fifth when it is full.
  ///
  /// `append` alone would double it. On average that is a third more memory than is used, which matters with a hundred
  /// thousand active runs.
  @inlinable
  mutating func appendSparingly(_ element: Element) {
    if count == capacity, count >= 1_024 { reserveCapacity(count + count / 5) }
    append(element)
  }
}

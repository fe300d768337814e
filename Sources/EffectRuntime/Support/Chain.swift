// This source file is part of swift-effects. License: Apache-2.0.

/// Doubly linked lists of slots, by index. Appending, removing and each step are O(1).
///
/// Memory is allocated for blocks of slots, and not for each member of a list.
///
/// A slot is in at most one list of a chain at a time. There is a chain for the members of branches, one for the lists
/// of the name directory, and one for the work that has joined runs.
struct Chain {
  private var links = SparseArray(Links())

  private struct Links {
    var previous: Int32 = -1
    var next: Int32 = -1
  }

  /// The two ends of a list. The owner of the list keeps them.
  struct List {
    var first: Int32 = -1
    var last: Int32 = -1
    var isEmpty: Bool { first < 0 }
  }

  /// The next index, or -1.
  func next(after index: Int32) -> Int32 {
    links[index].next
  }

  /// The previous index, or -1.
  func previous(before index: Int32) -> Int32 {
    links[index].previous
  }

  /// The members from first to last; O(count).
  func members(of list: List) -> [Int32] {
    var found: [Int32] = []
    var index = list.first
    while index >= 0 {
      found.append(index)
      index = links[index].next
    }
    return found
  }

  /// Appends a slot that is in no list of this chain.
  mutating func append(_ index: Int32, to list: inout List) {
    links.use(index)
    links[index] = Links(previous: list.last, next: -1)
    if list.last >= 0 { links[list.last].next = index } else { list.first = index }
    list.last = index
  }

  /// Releases the memory of the slots from the given one on, which are in no list.
  mutating func shrink(to count: Int) { links.shrink(to: count) }

  /// Removes a slot from the list that it is in.
  mutating func remove(_ index: Int32, from list: inout List) {
    let own = links[index]
    if own.previous >= 0 { links[own.previous].next = own.next } else { list.first = own.next }
    if own.next >= 0 { links[own.next].previous = own.previous } else { list.last = own.previous }
    links[index] = Links()
  }
}

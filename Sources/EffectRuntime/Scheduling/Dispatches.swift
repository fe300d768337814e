// This source file is part of swift-effects. License: Apache-2.0.

/// Finds the slot of a dispatch by its number.
///
/// Numbers grow, and an entry is added while its turn is open. So nearly always an entry is added at the end of the
/// sorted list. An exception is the turn of an event other than an action: its dispatch has the number `.max`, and
/// later entries are inserted before it. A dictionary would cost more for every run than this list costs for the few
/// numbers that are ever looked up.
///
/// - Complexity: O(1) amortised to remove, and nearly always to add; O(log *n*) to find.
struct Dispatches {
  private var entries: [(number: UInt64, token: Token)] = []
  private var live = 0

  /// Notes that a dispatch has a slot.
  mutating func add(_ number: UInt64, _ token: Token) {
    live += 1
    guard let last = entries.last, last.number > number else {
      entries.appendSparingly((number, token))
      return
    }
    entries.insert((number, token), at: index(of: number))
  }

  /// Notes that the slot of one dispatch was freed. Old entries are removed when they are more than half of all.
  mutating func removed(liveIn slots: borrowing Slots) {
    live -= 1
    guard entries.count > 32, entries.count > 2 * live else { return }
    var kept = 0
    // By index: an iterator would retain the array, and the first write would copy it.
    for index in entries.indices where slots.contains(entries[index].token) {
      entries[kept] = entries[index]
      kept += 1
    }
    entries.removeLast(entries.count - kept)
  }

  /// Releases the memory of entries that were removed. O(entries).
  mutating func shrink() { entries = Array(entries[...]) }

  /// The token noted for a number; the dispatch may have ended since.
  func find(_ number: UInt64) -> Token? {
    let index = index(of: number)
    guard index < entries.count, entries[index].number == number else { return nil }
    return entries[index].token
  }

  private func index(of number: UInt64) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

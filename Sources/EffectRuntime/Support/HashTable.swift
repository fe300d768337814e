// This source file is part of swift-effects. License: Apache-2.0.

/// A hash table of numbers, found by the hash of a name. The named objects are stored elsewhere.
///
/// An entry has eight bytes. Finding or removing an entry reads only the objects that have the same hash. This matters
/// with a hundred thousand names, because each object that is read is a cache miss. A dictionary would keep the keys,
/// hash them again, and compare each key that it passes.
///
/// Open addressing: an entry is at the position of its hash, or after it with no gap in between. Removing an entry closes
/// its gap.
///
/// - Complexity: O(1) on average for hashes that are well mixed.
struct HashTable {
  private var entries: [Entry] = []
  private(set) var count = 0

  private struct Entry {
    var hash: UInt32 = 0
    /// -1 for a gap.
    var number: Int32 = -1
  }

  private var mask: Int { entries.count - 1 }

  /// The number that has a hash and meets a condition, usually that the names are equal; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - hash: the hash with which the number was inserted.
  ///   - isMeant: the condition. Called for each number with this hash, until it returns `true`.
  @inline(__always)
  func find(_ hash: UInt32, where isMeant: (Int32) -> Bool) -> Int32? {
    guard count > 0 else { return nil }
    var position = Int(hash) & mask
    while entries[position].number >= 0 {
      if entries[position].hash == hash, isMeant(entries[position].number) { return entries[position].number }
      position = (position + 1) & mask
    }
    return nil
  }

  /// Adds a number that is not in the table.
  mutating func insert(_ number: Int32, _ hash: UInt32) {
    // At most three quarters of the positions are used.
    if (count + 1) * 4 > entries.count * 3 { grow() }
    count += 1
    place(Entry(hash: hash, number: number))
  }

  /// Removes a number. Traps if the table does not contain the number with this hash.
  mutating func remove(_ number: Int32, _ hash: UInt32) {
    var gap = Int(hash) & mask
    while entries[gap].number != number {
      if entries[gap].number < 0 {
        fatalError("HashTable: remove() of a number that is not in the table; bug in EffectRuntime, please report")
      }
      gap = (gap + 1) & mask
    }
    count -= 1
    // An entry that may be at the gap moves there, unless the gap is before the position of its hash.
    var next = (gap + 1) & mask
    while entries[next].number >= 0 {
      let home = Int(entries[next].hash) & mask
      if (next - home) & mask >= (next - gap) & mask {
        entries[gap] = entries[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    entries[gap] = Entry()
  }

  private mutating func place(_ entry: Entry) {
    var position = Int(entry.hash) & mask
    while entries[position].number >= 0 { position = (position + 1) & mask }
    entries[position] = entry
  }

  private mutating func grow() { setSize(max(16, entries.count * 2)) }

  /// Releases the memory of entries that were removed. O(memory).
  mutating func shrink() {
    var size = 16
    while count * 2 > size { size *= 2 }
    if size < entries.count { setSize(size) }
  }

  private mutating func setSize(_ size: Int) {
    let former = entries
    entries = Array(repeating: Entry(), count: size)
    for entry in former where entry.number >= 0 { place(entry) }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// What is due when: a heap ordered by deadline, and then by the order in which the alarms were set (rule C3).
///
/// - Complexity: O(log *n*) to set and to take out; O(log *n*) amortised to cancel.
struct Alarms<Purpose: Sendable>: Sendable {
  private var heap: [Alarm] = []
  /// What each alarm is for. An entry of the heap whose number is not in here was cancelled.
  private var purposes: [UInt64: Purpose] = [:]

  /// Whether no alarm is set.
  var isEmpty: Bool { purposes.isEmpty }
  /// How many alarms are set.
  var count: Int { purposes.count }
  /// How many entries are kept, with those that were cancelled; for tests that they are released.
  var entryCount: Int { heap.count }

  /// The alarm that comes first.
  var first: Alarm? { heap.first }

  /// What the first alarm is for.
  var firstPurpose: Purpose? { heap.first.flatMap { purposes[$0.number] } }

  /// Sets an alarm. Its number is new, or that of an alarm of the same moment that was cancelled.
  mutating func set(_ alarm: Alarm, for purpose: Purpose) {
    purposes[alarm.number] = purpose
    heap.append(alarm)
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out the first if it is due.
  mutating func takeFirst(dueBy now: Duration) -> Purpose? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    let purpose = purposes.removeValue(forKey: first.number)
    removeStale()
    return purpose
  }

  /// Cancels an alarm. Returns its purpose; `nil` if it has been taken out before.
  @discardableResult
  mutating func cancel(_ number: UInt64) -> Purpose? {
    guard let purpose = purposes.removeValue(forKey: number) else { return nil }
    // Its entry stays until it comes up, unless such entries are most of the heap.
    if heap.count > 64, heap.count > 2 * purposes.count {
      heap = heap.filter { purposes[$0.number] != nil }.sorted(by: <)
    } else {
      removeStale()
    }
    return purpose
  }

  /// All alarms, in no particular order.
  var all: [(alarm: Alarm, purpose: Purpose)] {
    // An alarm that was cancelled and set again may have two entries.
    var found: Set<UInt64> = []
    return heap.compactMap { alarm in
      guard let purpose = purposes[alarm.number], found.insert(alarm.number).inserted else { return nil }
      return (alarm, purpose)
    }
  }

  /// Removes cancelled entries from the front of the heap, so that the first alarm can be read without a change.
  private mutating func removeStale() {
    while let first = heap.first, purposes[first.number] == nil { removeFirst() }
  }

  private mutating func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

/// A moment at which something is to happen.
@usableFromInline
package struct Alarm: Equatable, Sendable {
  /// By the store's clock, since the store was made.
  package let deadline: Duration
  /// Orders alarms of one instant: the order in which they were set.
  package let number: UInt64

  /// Whether the left comes first.
  package static func < (left: Alarm, right: Alarm) -> Bool {
    left.deadline == right.deadline ? left.number < right.number : left.deadline < right.deadline
  }
}

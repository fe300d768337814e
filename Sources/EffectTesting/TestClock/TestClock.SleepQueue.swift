// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectRuntime

extension TestClock {
  /// The sleepers and their deadlines, as a value: a heap by deadline and number.
  struct SleepQueue {
    private(set) var now = Duration.zero
    private var heap: [Entry] = []
    /// The sleepers that still sleep. An entry of the heap whose number is not in here was cancelled, or woken by ``pop(_:)``.
    private var asleep: [UInt64: Waiter] = [:]
    /// The number of the sleeper that fell asleep last.
    private(set) var lastNumber: UInt64 = 0
    /// The tasks that wait until a number of tasks sleep.
    private var watchers: [(count: Int, waiter: Waiter)] = []

    private struct Entry {
      let deadline: Duration
      let number: UInt64
      let run: Token?

      static func < (left: Entry, right: Entry) -> Bool {
        left.deadline == right.deadline ? left.number < right.number : left.deadline < right.deadline
      }
    }

    var sleepers: [Sleeper] {
      heap.filter { asleep[$0.number] != nil }.sorted(by: <)
        .map { Sleeper(deadline: Instant(offset: $0.deadline), run: $0.run) }
    }

    /// In the order in which they fell asleep.
    var sleepersInOrder: [(number: UInt64, deadline: Duration, run: Token?)] {
      heap.filter { asleep[$0.number] != nil }.sorted { $0.number < $1.number }.map { ($0.number, $0.deadline, $0.run) }
    }

    var runsAsleep: [Token: Instant] {
      var found: [Token: Instant] = [:]
      for entry in heap {
        guard let run = entry.run, asleep[entry.number] != nil else { continue }
        let deadline = Instant(offset: entry.deadline)
        found[run] = min(found[run] ?? deadline, deadline)
      }
      return found
    }

    /// How many entries are kept, including cancelled ones. Tests prove by it that cancelled entries are removed.
    var entryCount: Int { heap.count }

    /// Adds a sleeper and returns its number. Returns `nil`, and adds nothing, if the deadline is now or has passed.
    mutating func add(deadline: Duration, run: Token?, _ waiter: Waiter) -> UInt64? {
      guard deadline > now else { return nil }
      let deadline = now.end(ofWaiting: deadline.subtracting(now))
      lastNumber += 1
      asleep[lastNumber] = waiter
      heap.append(Entry(deadline: deadline, number: lastNumber, run: run))
      var child = heap.count - 1
      while child > 0, heap[child] < heap[(child - 1) / 2] {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
      return lastNumber
    }

    /// Adds a task that waits until `count` tasks sleep; `false` if they do already.
    mutating func watch(_ count: Int, _ waiter: Waiter) -> Bool {
      guard asleep.count < count else { return false }
      watchers.append((count, waiter))
      return true
    }

    /// Takes out the waiters for which enough tasks sleep now.
    mutating func takeWatchers() -> [Waiter] {
      if watchers.isEmpty { return [] }
      let count = asleep.count
      defer { watchers.removeAll { $0.count <= count } }
      return watchers.filter { $0.count <= count }.map(\.waiter)
    }

    /// Takes out a waiter whose task was cancelled.
    mutating func removeWatcher(_ waiter: Waiter) {
      watchers.removeAll { $0.waiter === waiter }
    }

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    /// Takes out a sleeper that was cancelled.
    mutating func remove(_ number: UInt64) -> Waiter? {
      let waiter = asleep.removeValue(forKey: number)
      // Its entry stays until it is the first of the heap, unless the heap is large and most of its entries are cancelled.
      if heap.count > 64, heap.count > 2 * asleep.count {
        heap = heap.filter { asleep[$0.number] != nil }.sorted(by: <)
      }
      return waiter
    }

    /// Takes out the first sleeper whose deadline is not after `limit`, and moves the time to its deadline. A sleeper whose
    /// deadline is equal to `limit` is taken only if it fell asleep before `number` was issued.
    mutating func popFirst(until limit: Duration, before number: UInt64 = .max) -> Waiter? {
      while let first = heap.first {
        guard let waiter = asleep[first.number] else {
          removeFirst()
          continue
        }
        guard first.deadline < .never else { return nil }
        guard first.deadline < limit || (first.deadline == limit && first.number < number) else { return nil }
        asleep[first.number] = nil
        removeFirst()
        now = max(now, first.deadline)
        return waiter
      }
      return nil
    }

    /// When the first sleeper is due; `nil` if there is none, or if it sleeps without end (rule C1).
    var nextDeadline: Duration? {
      mutating get {
        while let first = heap.first, asleep[first.number] == nil { removeFirst() }
        return heap.first.flatMap { $0.deadline < .never ? $0.deadline : nil }
      }
    }

    /// Adds the numbers of the sleepers that are due first, in ascending order. Returns when they are due.
    mutating func due(into numbers: inout [UInt64]) -> Duration? {
      guard let next = nextDeadline else { return nil }
      for entry in heap where entry.deadline == next && asleep[entry.number] != nil { numbers.append(entry.number) }
      if numbers.count > 1 { numbers.sort() }
      return next
    }

    /// Takes out one of the sleepers that are due first, and moves the time to its deadline.
    mutating func pop(_ number: UInt64) -> Waiter? {
      guard let waiter = asleep.removeValue(forKey: number) else { return nil }
      if let entry = heap.first(where: { $0.number == number }) { now = max(now, entry.deadline) }
      return waiter
    }

    /// Sets the time and the numbers to zero, and removes the sleepers. Watchers stay.
    mutating func reset() {
      now = .zero
      lastNumber = 0
      heap.removeAll(keepingCapacity: true)
      asleep.removeAll(keepingCapacity: true)
    }

    /// Moves the time on. An instant that has passed changes nothing.
    mutating func move(to instant: Duration) {
      now = max(now, min(instant, .last))
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
}

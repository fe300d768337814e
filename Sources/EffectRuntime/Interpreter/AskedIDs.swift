// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The ids whose status somebody asked for, and how their work came to its end.
///
/// The newest ``limit`` that were asked for, and those that somebody observes: nothing is remembered for good. All in O(1).
struct AskedIDs: Sendable {
  static let limit = 1024

  private var entries: [Entry] = []
  private var indices: [EffectID: Int32] = [:]
  /// Those nobody observes, the one asked for longest ago first.
  private var unobserved = Chain.List()
  private var order = Chain()
  private var unobservedCount = 0
  private var free: [Int32] = []

  struct Entry {
    fileprivate(set) var id: EffectID?
    fileprivate(set) var outcome: EffectOutcome?
    fileprivate var isObserved = false
  }

  var isEmpty: Bool { indices.isEmpty }
  var count: Int { indices.count }

  func find(_ id: EffectID) -> Int32? { indices[id] }

  func outcome(of index: Int32) -> EffectOutcome? { entries[Int(index)].outcome }

  /// Notes how work of the id ended; hands back what that takes the place of.
  mutating func record(_ outcome: EffectOutcome, of index: Int32) -> EffectOutcome? {
    defer { entries[Int(index)].outcome = outcome }
    return entries[Int(index)].outcome
  }

  /// The id is asked for: it becomes the newest. Another may be forgotten for it, and is handed back, because its release
  /// may run user code.
  mutating func ask(_ id: EffectID) -> (index: Int32, forgotten: Entry?) {
    if let index = indices[id] {
      if !entries[Int(index)].isObserved {
        order.remove(index, from: &unobserved)
        order.append(index, to: &unobserved)
      }
      return (index, nil)
    }
    let index = add(id)
    order.append(index, to: &unobserved)
    unobservedCount += 1
    return (index, forgetOldest())
  }

  /// An id that somebody observes is not forgotten. Answers as ``ask(_:)`` does.
  mutating func setObserved(_ id: EffectID, _ isObserved: Bool) -> (index: Int32?, forgotten: Entry?) {
    guard isObserved else {
      guard let index = indices[id], entries[Int(index)].isObserved else { return (nil, nil) }
      entries[Int(index)].isObserved = false
      order.append(index, to: &unobserved)
      unobservedCount += 1
      return (index, forgetOldest())
    }
    let index: Int32
    if let known = indices[id] {
      index = known
      if !entries[Int(index)].isObserved {
        order.remove(index, from: &unobserved)
        unobservedCount -= 1
      }
    } else {
      index = add(id)
    }
    entries[Int(index)].isObserved = true
    return (index, nil)
  }

  private mutating func add(_ id: EffectID) -> Int32 {
    let index = free.popLast() ?? Int32(entries.count)
    if index == entries.count { entries.append(Entry()) }
    entries[Int(index)] = Entry(id: id)
    indices[id] = index
    return index
  }

  private mutating func forgetOldest() -> Entry? {
    guard unobservedCount > Self.limit else { return nil }
    let oldest = unobserved.first
    order.remove(oldest, from: &unobserved)
    unobservedCount -= 1
    let entry = entries[Int(oldest)]
    entries[Int(oldest)] = Entry()
    if let id = entry.id { indices[id] = nil }
    free.append(oldest)
    return entry
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The last outcome of each id whose outcomes are kept for a caller (rule S1).
///
/// Each id counts the callers that keep it, and is removed when the last of them releases it.
///
/// - Complexity: O(1) for each call.
struct OutcomeLog: Sendable {
  private var entries: [Entry] = []
  private var indices: [EffectID: Int32] = [:]
  private var free: [Int32] = []

  /// What is kept of one id.
  struct Entry {
    fileprivate(set) var id: EffectID?
    fileprivate(set) var outcome: EffectOutcome?
    fileprivate var keepers = 0
  }

  /// Whether no outcomes are kept.
  var isEmpty: Bool { indices.isEmpty }
  /// How many ids have outcomes that are kept.
  var count: Int { indices.count }

  /// Where an id is kept; `nil` if it is not.
  func find(_ id: EffectID) -> Int32? { indices[id] }

  /// The outcome of the work that settled last; `nil` if none has settled.
  func outcome(of index: Int32) -> EffectOutcome? { entries[Int(index)].outcome }

  /// Notes how work of the id ended; returns the outcome that this replaces, because its release may run user code.
  mutating func record(_ outcome: EffectOutcome, of index: Int32) -> EffectOutcome? {
    defer { entries[Int(index)].outcome = outcome }
    return entries[Int(index)].outcome
  }

  /// Keeps the outcomes of an id for one more caller; returns where they are kept.
  mutating func keep(_ id: EffectID) -> Int32 {
    if let index = indices[id] {
      entries[Int(index)].keepers += 1
      return index
    }
    let index = free.popLast() ?? Int32(entries.count)
    if index == entries.count { entries.append(Entry()) }
    entries[Int(index)] = Entry(id: id, keepers: 1)
    indices[id] = index
    return index
  }

  /// Keeps them for one caller less. If that was the last, returns what was kept, because its release may run user
  /// code.
  mutating func release(_ id: EffectID) -> Entry? {
    guard let index = indices[id] else { return nil }
    entries[Int(index)].keepers -= 1
    guard entries[Int(index)].keepers == 0 else { return nil }
    indices[id] = nil
    free.append(index)
    var entry = Entry()
    swap(&entry, &entries[Int(index)])
    return entry
  }
}

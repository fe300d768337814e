// This source file is part of swift-effects. License: Apache-2.0.

/// The active and queued runs that have declared `.join`, by their place and the hash of their input (rule O1).
///
/// A run that has left its slot is not among them: it cannot be shared any more.
///
/// - Complexity: O(1) for each call, if inputs that differ have different hashes.
struct RunsByInput: Sendable {
  private var lists: [Key: Chain.List] = [:]
  private var links = Chain()
  /// Kept, because an input need not have the same hash later: it may be an object that changes.
  private var keys: [Int32: Key] = [:]

  private struct Key: Hashable {
    let place: Int32
    let hash: Int

    init(_ place: Int32, _ input: (any Hashable & Sendable)?) {
      self.place = place
      var hasher = Hasher()
      input?.hash(into: &hasher)
      hash = hasher.finalize()
    }
  }

  /// Whether there is no such run.
  var isEmpty: Bool { keys.isEmpty }

  /// The newest run of a place for which a condition holds, among those whose inputs have the hash of this one.
  func newest(at place: Int32, input: (any Hashable & Sendable)?, where isMeant: (Int32) -> Bool) -> Int32? {
    guard !isEmpty else { return nil }
    var index = lists[Key(place, input)]?.last ?? -1
    while index >= 0 {
      if isMeant(index) { return index }
      index = links.previous(before: index)
    }
    return nil
  }

  /// A run becomes active or queued.
  mutating func add(_ run: Int32, at place: Int32, input: (any Hashable & Sendable)?) {
    let key = Key(place, input)
    keys[run] = key
    links.append(run, to: &lists[key, default: Chain.List()])
  }

  /// A run ends, is cancelled, or leaves its slot. Ignored if it is not among them.
  mutating func remove(_ run: Int32) {
    // Checked first, because an empty dictionary computes the hash all the same.
    guard !isEmpty, let key = keys.removeValue(forKey: run) else { return }
    links.remove(run, from: &lists[key, default: Chain.List()])
    if lists[key]?.isEmpty == true { lists[key] = nil }
  }

  /// Releases the memory of the slots from the given one on, in which there is no work.
  mutating func shrink(to count: Int) {
    if isEmpty { (lists, keys) = ([:], [:]) }
    links.shrink(to: count)
  }
}

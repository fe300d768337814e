// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// The slab of all work: runs, sequences, trees and dispatches, linked by index.
///
/// It has indices instead of references. So a link needs no allocation and no reference counting. A slot that is freed
/// is added to a list of free slots and gets a new generation. So old tokens are not valid any more.
///
/// Dispatches and shares, the roots of trees, are in blocks of their own. Nearly every run has a dispatch of its own,
/// but a ``SparseArray`` of data about runs then needs no memory for dispatches.
struct Slots: Sendable {
  private var storage: [Slot] = []
  private var vacant = [FreeSlots(), FreeSlots()]
  /// How many slots are taken.
  private(set) var count = 0
  /// The generation of new slots: no slot whose memory was released has had it.
  private var firstGeneration: UInt32 = 0
  /// How many calls of ``shrink(above:)`` do not search, because a search has found too little.
  private var callsWithoutSearch = 0

  /// Free slots of one sort.
  private struct FreeSlots {
    /// The first of those that were in use before, or -1.
    var head: Int32 = -1
    /// The rest of a block, which has not been in use yet.
    var unused: Range<Int32> = 0..<0
  }

  /// What is known of the work in one slot.
  struct Slot {
    /// Counts how often tokens of the slot have become invalid.
    var generation: UInt32 = 0
    var phase = Phase.free
    fileprivate var flags = Flags()
    /// The branch that waits until this has settled; `.none` for a dispatch or share, and for most cancelled work.
    var parent = Token.none
    /// The dispatch or share that this belongs to; -1 for cancelled work.
    var root: Int32 = -1
    /// Parts that have not settled yet (a branch), or whose closures have not returned (a cancelled tree).
    var outstanding: Int32 = 0
    /// The next part of a sequence.
    var position: Int32 = 0
    /// The place in the directory: an id's, or the scope's for work without one. In a free slot: the next free slot.
    var place: Int32 = -1
    var children = Chain.List()
    var work = Work.none
  }

  /// A byte for all of them: there may be a hundred thousand slots.
  fileprivate struct Flags: OptionSet {
    let rawValue: UInt8
    static let isNamed = Flags(rawValue: 1)
    static let keepsSlot = Flags(rawValue: 2)
    static let waitsForReturn = Flags(rawValue: 4)
    static let isRefusing = Flags(rawValue: 8)
    static let isTimed = Flags(rawValue: 16)
    /// Whether it is a dispatch or share, or a free slot for these.
    static let isRoot = Flags(rawValue: 32)
    static let isRecovering = Flags(rawValue: 64)

    mutating func set(_ flag: Flags, _ isSet: Bool) {
      if isSet { insert(flag) } else { remove(flag) }
    }
  }

  /// The work in a slot.
  enum Work {
    /// The slot is free.
    case none
    case run(any AnyOperation)
    case sequence(EffectNode)
    /// A tree under an id.
    case tree(EffectNode, TreeLabel)
    /// What an action from outside has caused, with the number of the action.
    case dispatch(UInt64)
    /// What the actions of a shared run cause; otherwise like a dispatch.
    case share
    /// Settles with a run or share of another branch. The value is the slot of that run or share.
    case joined(Int32)
  }

  /// What the work in a slot is doing.
  enum Phase: UInt8 {
    case free
    /// Waits for its time.
    case waiting
    /// Waits for a slot of its id.
    case queued
    /// A run whose task is requested and not made yet, or that waits for its next attempt.
    case starting
    /// A run with a task; a branch with parts.
    case running
    /// Cancelled; its closure, or one of its closures, has not returned.
    case cancelling
  }

  /// The slot with an index, changed in place.
  subscript(index: Int32) -> Slot {
    _read { yield storage[Int(index)] }
    _modify { yield &storage[Int(index)] }
  }

  /// The slots that are taken, found by a check of all slots.
  var taken: [Int32] { storage.indices.compactMap { storage[$0].phase == .free ? nil : Int32($0) } }

  /// The token of the work in a slot.
  func token(_ index: Int32) -> Token {
    Token(slot: index, generation: storage[Int(index)].generation)
  }

  /// Whether the token's work is still in its slot, cancelled or not.
  func contains(_ token: Token) -> Bool {
    // A slot that a token refers to may have been released with others.
    token.slot >= 0 && Int(token.slot) < storage.count
      && storage[Int(token.slot)].generation == token.generation && storage[Int(token.slot)].phase != .free
  }

  /// Takes a free slot for work that is not a dispatch or a share.
  mutating func allocate(_ work: Work, phase: Phase, parent: Token, root: Int32) -> Int32 {
    let index = takeFree(0)
    storage[Int(index)].phase = phase
    storage[Int(index)].parent = parent
    storage[Int(index)].root = root
    storage[Int(index)].work = work
    return index
  }

  /// A slot for a dispatch or a share, which is inside nothing.
  mutating func allocateRoot(_ work: Work) -> Int32 {
    let index = takeFree(1)
    storage[Int(index)].phase = .running
    storage[Int(index)].flags = .isRoot
    storage[Int(index)].root = index
    storage[Int(index)].work = work
    return index
  }

  private mutating func takeFree(_ sort: Int) -> Int32 {
    count += 1
    let head = vacant[sort].head
    if head >= 0 {
      // A free slot has no place: the property holds the next free slot.
      vacant[sort].head = storage[Int(head)].place
      storage[Int(head)].place = -1
      return head
    }
    if vacant[sort].unused.isEmpty {
      let first = Int32(storage.count)
      let slot = Slot(generation: firstGeneration, flags: sort == 1 ? .isRoot : [])
      for _ in 0..<SparseBlock.size { storage.appendSparingly(slot) }
      vacant[sort].unused = first..<Int32(storage.count)
    }
    return vacant[sort].unused.removeFirst()
  }

  /// Frees a slot and returns its work, whose release may run user code and so must come last (rule E8).
  mutating func free(_ index: Int32) -> Work {
    count -= 1
    let sort = storage[Int(index)].flags.contains(.isRoot) ? 1 : 0
    var slot = Slot()
    slot.generation = storage[Int(index)].generation &+ 1
    if sort == 1 { slot.flags = .isRoot }
    slot.place = vacant[sort].head
    // Swapped, because a copy of the work would be retained and then released.
    swap(&slot, &storage[Int(index)])
    vacant[sort].head = index
    return slot.work
  }

  /// Releases the memory of a peak: the slots behind the last one that is taken, in whole blocks. It does nothing unless
  /// there are many slots, little work remains, and an eighth of the slots or more can be released.
  ///
  /// - Parameter minimum: how many slots there may be without that any is released.
  /// - Returns: how many slots remain; `nil` if none were released.
  /// - Complexity: O(1) amortised. What is released was once appended, and is an eighth of what is visited. A search without a
  ///   result is paid for by as many later calls that do not search.
  mutating func shrink(above minimum: Int) -> Int? {
    guard storage.count > minimum, count <= 64 else { return nil }
    if callsWithoutSearch > 0, count > 0 {
      callsWithoutSearch -= 1
      return nil
    }
    callsWithoutSearch = 0
    let last = storage.lastIndex { $0.phase != .free } ?? -1
    let size = (last + SparseBlock.size) / SparseBlock.size * SparseBlock.size
    guard storage.count - size > storage.count / 8 else {
      callsWithoutSearch = storage.count - last
      return nil
    }
    for slot in storage[size...] { firstGeneration = max(firstGeneration, slot.generation &+ 1) }
    // A copy, because an array keeps its memory when elements are removed.
    storage = Array(storage[..<size])
    vacant = [FreeSlots(), FreeSlots()]
    // The lowest first: work that comes takes low slots, so that the high ones can be released next.
    for index in storage.indices.reversed() where storage[index].phase == .free {
      let sort = storage[index].flags.contains(.isRoot) ? 1 : 0
      storage[index].place = vacant[sort].head
      vacant[sort].head = Int32(index)
    }
    return size
  }

  /// Makes the token of the work in a slot invalid, and keeps the work: another attempt or a `catch` closure follows.
  mutating func renew(_ index: Int32) {
    storage[Int(index)].generation &+= 1
  }
}

extension Slots.Slot {
  /// Whether it has an id, and so is counted in its place.
  var isNamed: Bool {
    get { flags.contains(.isNamed) }
    set { flags.set(.isNamed, newValue) }
  }

  /// Whether it keeps its slot under the id, once cancelled, until its closure has returned.
  var keepsSlot: Bool {
    get { flags.contains(.keepsSlot) }
    set { flags.set(.keepsSlot, newValue) }
  }

  /// Whether a sequence or tree around it waits for the closure to return; inherited from an exclusive tree.
  var waitsForReturn: Bool {
    get { flags.contains(.waitsForReturn) }
    set { flags.set(.waitsForReturn, newValue) }
  }

  /// Whether a dispatch was cancelled: what it still causes does not start.
  var isRefusing: Bool {
    get { flags.contains(.isRefusing) }
    set { flags.set(.isRefusing, newValue) }
  }

  /// Whether its last attempt has failed: it has left its slot, and its `catch` closure executes.
  var isRecovering: Bool {
    get { flags.contains(.isRecovering) }
    set { flags.set(.isRecovering, newValue) }
  }

  /// Whether ``TimedWork`` or ``RunAttempts`` may have an entry for it.
  var isTimed: Bool {
    get { flags.contains(.isTimed) }
    set { flags.set(.isTimed, newValue) }
  }
}

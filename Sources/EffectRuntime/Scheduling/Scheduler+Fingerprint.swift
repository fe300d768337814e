// This source file is part of swift-effects. License: Apache-2.0.

package import EffectCore

/// What a fingerprint needs to know of work beyond the scheduler: how it came to be, and what its closure has seen.
///
/// The names are the same in each schedule in which the same happens; slots and generations are not.
package struct WorkNames {
  /// The name of a run, with all that its closure has seen.
  let run: (Token, any AnyOperation) -> Int
  /// The name of a sequence or tree, by its node.
  let node: (EffectNode) -> Int
  /// The name of the action that has caused work, by the number of its dispatch; `nil` if it makes no difference.
  let dispatch: ((UInt64) -> Int)?

  /// Makes the names.
  ///
  /// - Parameters:
  ///   - run: the name of a run.
  ///   - node: the name of a node.
  ///   - dispatch: the name of a dispatch; `nil` if no code waits for one or cancels one.
  package init(
    run: @escaping (Token, any AnyOperation) -> Int, node: @escaping (EffectNode) -> Int,
    dispatch: ((UInt64) -> Int)?
  ) {
    (self.run, self.node, self.dispatch) = (run, node, dispatch)
  }
}

extension Scheduler {
  /// The operation of a run, as its effect has made it.
  @usableFromInline
  package func operation(of token: Token) -> (any AnyOperation)? {
    guard workTree.contains(token), case .run(let operation) = workTree[token.slot] else { return nil }
    return operation
  }

  /// The error that the `catch` closure of a run was given; `nil` if none executes.
  package func caughtError(of token: Token) -> (any Error)? {
    workTree.contains(token) ? caught.error(of: token.slot) : nil
  }

  /// Whether a closure was cancelled, or its attempt ran out of time, and it has not returned.
  package func isCancelled(_ token: Token) -> Bool {
    closure(of: token).map { workTree.phase(of: $0) == .cancelling } ?? false
  }

  /// Whether no sequence, tree or slot waits until a closure has returned once it is cancelled or its attempt has run out of time.
  package func canBeForgotten(_ token: Token) -> Bool {
    guard let slot = closure(of: token), case .run(let operation) = workTree[slot] else { return false }
    return !operation.overlap.exclusive && !workTree.waitsForReturn(slot)
  }

  /// The deadlines of runs, without the windows of ids.
  package var alarmsOfRuns: [(run: Token, deadline: Duration)] {
    time.sortedAlarms.compactMap { deadline, purpose in
      switch purpose {
      case .start(let run), .limit(let run), .wholeLimit(let run), .attempt(let run): (run, deadline)
      case .windowEnd: nil
      }
    }
  }

  /// Adds to a hash all that can influence what the scheduler will decide: its work, by names and not by slots, the order in
  /// each list, and its deadlines relative to now. Call it between two turns.
  ///
  /// Two schedulers with equal fingerprints decide alike from here on.
  ///
  /// - Complexity: O(work), and the time of the names.
  package func addFingerprint(to hasher: inout Hasher, now: Duration, _ work: WorkNames) {
    var parts = FingerprintParts(scheduler: self, now: now, work: work)
    hasher.combine(isCutShort)
    hasher.combine(
      workTree.takenSlots.reduce(0) { sum, index in
        if case .dispatch = workTree[index], work.dispatch == nil { return sum }
        return sum &+ parts.member(index)
      })
    hasher.combine(
      (names.places(inside: NameDirectory.root) + [NameDirectory.root]).reduce(0) { $0 &+ parts.place($1) })
    hasher.combine(time.placesOfWindows.reduce(0) { $0 &+ parts.window($1) })
    for (deadline, purpose) in time.sortedAlarms { parts.add(deadline, purpose, to: &hasher) }
  }
}

/// Makes the parts of a fingerprint. Each part of the work is read once.
private struct FingerprintParts {
  let scheduler: Scheduler
  let now: Duration
  let work: WorkNames
  private var known: [Int32: Int] = [:]

  init(scheduler: Scheduler, now: Duration, work: WorkNames) {
    (self.scheduler, self.now, self.work) = (scheduler, now, work)
  }

  private var tree: WorkTree { scheduler.workTree }

  /// The work in a slot, with the work inside.
  mutating func member(_ index: Int32) -> Int {
    if index < 0 { return 0 }
    if let hash = known[index] { return hash }
    var hasher = Hasher()
    switch tree[index] {
    case .none: hasher.combine(0)
    case .run(let operation):
      hasher.combine(1)
      hasher.combine(work.run(tree.token(index), operation))
      add(operation, to: &hasher)
    case .sequence(let node):
      hasher.combine(2)
      hasher.combine(work.node(node))
      hasher.combine(tree.position(of: index))
      for part in tree.members(of: index) { hasher.combine(member(part)) }
    case .tree(let node, let label):
      hasher.combine(3)
      hasher.combine(work.node(node))
      hasher.combine(label.id)
      hasher.combine(tree.outstanding(of: index))
      for part in tree.members(of: index) { hasher.combine(member(part)) }
    case .dispatch(let number):
      hasher.combine(4)
      if let name = work.dispatch { hasher.combine(name(number)) }
    case .share: hasher.combine(5)
    case .joined(let other):
      hasher.combine(6)
      if other != index { hasher.combine(member(other)) }
    }
    hasher.combine(tree.phase(of: index))
    hasher.combine(tree.isRecovering(index))
    hasher.combine(tree.keepsSlot(index))
    hasher.combine(tree.waitsForReturn(index))
    if let name = work.dispatch { addOwner(of: index, name, to: &hasher) }
    scheduler.attempts.addFingerprint(of: index, to: &hasher, relative)
    // A joiner reads this run, so it is not read from here.
    for joiner in scheduler.sharedRuns.joiners(of: index) { hasher.combine(tree.phase(of: joiner)) }
    let hash = hasher.finalize()
    known[index] = hash
    return hash
  }

  /// What an effect says of a run beside its closures, which may come from the state before the reduction.
  private func add(_ operation: any AnyOperation, to hasher: inout Hasher) {
    hasher.combine(operation.id)
    hasher.combine(operation.overlap)
    hasher.combine(operation.isCatching)
    hasher.combine(operation.builtIn != nil)
    // Another run may join it if its input is equal.
    if operation.overlap.kind == .join, let input = operation.input { hasher.combine(input) }
    guard let timing = operation.timing else { return }
    hasher.combine(timing.window)
    hasher.combine(timing.delay)
    hasher.combine(timing.limit)
    hasher.combine(timing.retry)
    hasher.combine(timing.wholeLimit)
  }

  /// The action that owns the work, its waiters, and whether it still may start any work.
  private func addOwner(of index: Int32, _ name: (UInt64) -> Int, to hasher: inout Hasher) {
    let root = tree.root(of: index)
    guard root >= 0 else { return hasher.combine(-1) }
    hasher.combine(tree.isRefusing(root))
    hasher.combine(scheduler.waits.waiters(of: root).count)
    if root == index { hasher.combine(tree.outstanding(of: index)) }
    if let number = scheduler.firstOwner(of: tree.token(index)) { hasher.combine(name(number)) }
  }

  /// The work of an id, in the order of its lists.
  mutating func place(_ place: Int32) -> Int {
    var hasher = Hasher()
    for list in NameDirectory.List.allCases {
      hasher.combine(list)
      for index in scheduler.names.work(list, at: place) { hasher.combine(member(index)) }
    }
    hasher.combine(scheduler.names.counts(at: place))
    return hasher.finalize()
  }

  mutating func window(_ place: Int32) -> Int {
    var hasher = Hasher()
    hasher.combine(scheduler.time.windowID(at: place))
    let (debounced, throttled) = scheduler.time.addFingerprint(ofWindowAt: place, to: &hasher, relative)
    hasher.combine(member(debounced))
    hasher.combine(member(throttled))
    return hasher.finalize()
  }

  mutating func add(_ deadline: Duration, _ purpose: TimedWork.Purpose, to hasher: inout Hasher) {
    hasher.combine(relative(deadline))
    switch purpose {
    case .start(let token): add(0, token, to: &hasher)
    case .limit(let token): add(1, token, to: &hasher)
    case .wholeLimit(let token): add(2, token, to: &hasher)
    case .attempt(let token): add(3, token, to: &hasher)
    case .windowEnd(let place):
      hasher.combine(4)
      hasher.combine(scheduler.time.windowID(at: place))
    }
  }

  private mutating func add(_ kind: Int, _ token: Token, to hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(member(token.slot))
    hasher.combine(tree.contains(token))
  }

  private func relative(_ instant: Duration) -> Duration { instant - now }
}

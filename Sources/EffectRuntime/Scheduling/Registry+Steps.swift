// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Registry {
  /// Takes step after step, up to the next part of an effect that is to be interpreted; `nil` when nothing is left to do
  /// for the input at hand.
  @usableFromInline
  mutating func nextPart() -> Part? {
    while let step = steps.popLast() {
      switch step {
      case .part(let part):
        if isOpen(part.parent) { return part }
      case .parts(let rest):
        if Int(rest.index) + 1 < rest.node.count {
          steps.append(.parts(Part(node: rest.node, index: rest.index + 1, parent: rest.parent)))
        }
        // The tree this is a part of may have been cancelled by a part to the left.
        if isOpen(rest.parent) { return rest }
      case .open(let tree, let node):
        steps.append(.settled(tree))
        if isOpen(tree) { return Part(node: node, index: 0, parent: tree) }
      case .register(let work, let parent, let owners):
        if isOpen(parent) { register(work, parent: parent) } else { discard(work, book.reason, for: owners) }
      case .ask(let token):
        commands.append(.start(token))
      case .admit(let token):
        if slots.contains(token) { admit(token.slot) }
      case .settled(let branch):
        partSettled(of: branch)
      case .refill(let place):
        refill(place)
      case .flush(let token):
        if slots.contains(token), slots[token.slot].phase == .waiting { delayed(token.slot) }
      }
    }
    return nil
  }

  /// Notes steps in the order they are to be taken, before those already noted.
  mutating func inOrder(_ note: (inout Self) -> Void) {
    let mark = steps.count
    note(&self)
    // Not by a slice: to reverse one copies the whole.
    var (low, high) = (mark, steps.count - 1)
    while low < high {
      steps.swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  /// Whether further parts of a branch may be interpreted.
  func isOpen(_ branch: Token) -> Bool {
    if branch == .turn { return true }
    return slots.contains(branch) && slots[branch.slot].phase == .running
  }

  /// Counts an action that joins the turn; answers with the branch that must still stand when its turn comes.
  @usableFromInline
  mutating func followUp(in parent: Token) -> Token {
    guard parent != .turn, parent != turn.root else { return .none }
    slots[parent.slot].outstanding += 1
    return parent
  }

  // MARK: - Members

  /// Adds a member to a branch.
  mutating func add(_ work: Slots.Work, phase: Slots.Phase, to parent: Token) -> Int32 {
    let parent = parent == .turn ? dispatch() : parent
    let index = slots.allocate(work, phase: phase, parent: parent, root: slots[parent.slot].root)
    slots[index].waitsForReturn = slots[parent.slot].waitsForReturn
    slots[parent.slot].outstanding += 1
    siblings.append(index, to: &slots[parent.slot].children)
    return index
  }

  /// Removes a member from its branch, without telling it.
  mutating func leaveBranch(_ index: Int32) {
    let parent = slots[index].parent
    guard slots.contains(parent) else { return }
    siblings.remove(index, from: &slots[parent.slot].children)
  }

  private func isRefusing(_ parent: Token) -> Bool {
    if parent == .turn { return turn.root == .none ? turn.isRefusing : slots[turn.root.slot].isRefusing }
    return slots[slots[parent.slot].root].isRefusing
  }

  private mutating func register(_ work: Slots.Work, parent: Token) {
    switch work {
    case .run(let operation): arrive(operation, parent: parent)
    case .tree(let node, let label): register(node, label, parent: parent)
    case .none, .sequence, .dispatch, .share, .joined: break
    }
  }

  @usableFromInline
  mutating func register(_ operation: any AnyOperation, parent: Token) {
    guard !isRefusing(parent) else {
      recordRefused(operation.id)
      return discard(.run(operation), .cancelled(.byDispatch), in: parent)
    }
    if let timing = operation.timing, isPostponed(operation, timing, parent: parent) { return }
    arrive(operation, parent: parent)
  }

  /// A run whose time has come arrives at its place.
  private mutating func arrive(_ operation: any AnyOperation, parent: Token) {
    guard let id = operation.id else {
      let place = operation.scope.map { directory.findOrMake($0) } ?? Directory.root
      let index = add(.run(operation), phase: .starting, to: parent)
      slots[index].place = place
      peers.append(index, to: &directory[place].anonymous)
      if notes.isOn { note(index, .registered(.starting)) }
      commands.append(.start(slots.token(index)))
      return
    }
    let place = directory.findOrMake(id)
    if startsAsMember(operation, at: place, parent: parent) { return }
    let overlap = operation.overlap
    let shared = overlap.kind == .join ? newest(at: place, input: operation.input) : nil
    // A run that joins declares its limit like any other.
    guard declare(overlap, at: place, of: .run(operation), parent: parent) else { return }
    guard let shared else { return arrive(.run(operation), overlap, at: place, parent: parent) }
    joinRun(shared, as: parent)
    if notes.isOn, let other = traced(shared) { note(.run(operation), .joined(other)) }
    release(.run(operation))
  }

  @usableFromInline
  mutating func register(_ node: EffectNode, _ label: TreeLabel, parent: Token) {
    guard !isRefusing(parent) else {
      recordRefused(label.id)
      return discard(.tree(node, label), .cancelled(.byDispatch), in: parent)
    }
    let place = directory.findOrMake(label.id)
    if opensInside(node, label, at: place, parent: parent) { return }
    guard declare(label.overlap, at: place, of: .tree(node, label), parent: parent) else { return }
    arrive(.tree(node, label), label.overlap, at: place, parent: parent)
  }

  /// The newest live run of an id with an equal input; one that waits lives as well, and is newer.
  ///
  /// Looks at the newest first, and so at one only where the same thing is asked for again. Otherwise at every run of
  /// the id that is newer than the one it finds: at all of them if no input is equal.
  func newest(at place: Int32, input: (any Hashable & Sendable)?) -> Int32? {
    newest(of: directory[place].queue, input: input) ?? newest(of: directory[place].live, input: input)
  }

  private func newest(of list: Chain.List, input: (any Hashable & Sendable)?) -> Int32? {
    var index = list.last
    while index >= 0 {
      if case .run(let operation) = slots[index].work, EffectInput.areEqual(operation.input, input) { return index }
      index = peers.previous(before: index)
    }
    return nil
  }

  // MARK: - Branches

  /// The parts of a merge belong to whatever it stands in.
  @usableFromInline
  mutating func beginMerge(_ node: EffectNode, parent: Token) {
    steps.append(.parts(Part(node: node, index: 0, parent: parent)))
  }

  @usableFromInline
  mutating func beginSequence(_ node: EffectNode, parent: Token) {
    // In a cancelled dispatch too: its runs never start and so settle at once, its sends belong to the turn (rule L2).
    let index = add(.sequence(node), phase: .running, to: parent)
    let place = node.scope.map { directory.findOrMake($0) } ?? Directory.root
    slots[index].place = place
    peers.append(index, to: &directory[place].anonymous)
    advance(index)
  }

  /// Starts the next part of a sequence, none of whose earlier parts is left.
  mutating func advance(_ index: Int32) {
    guard case .sequence(let node) = slots[index].work else { return }
    let position = slots[index].position
    slots[index].position += 1
    guard Int(position) == node.count - 1 else {
      // Held by one while the part is interpreted, or a part that settles meanwhile would start the next too early.
      let token = slots.token(index)
      slots[index].outstanding = 1
      steps.append(.settled(token))
      steps.append(.part(Part(node: node, index: position, parent: token)))
      return
    }
    // The last part needs no sequence around it; so sequences nested to the right take no memory.
    let parent = slots[index].parent
    leaveBranch(index)
    leaveScope(index)
    free(index)
    steps.append(.settled(parent))
    steps.append(.part(Part(node: node, index: position, parent: parent)))
  }

  /// Takes work without an id out of its scope.
  mutating func leaveScope(_ index: Int32) {
    if slots[index].isMember { return leaveMembers(index) }
    let place = slots[index].place
    peers.remove(index, from: &directory[place].anonymous)
    directory.forgetIfEmpty(place)
  }
}

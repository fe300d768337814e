// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

extension Interpreter {
  /// Takes step after step until nothing is left to do for the input at hand.
  mutating func run() {
    while let step = steps.popLast() {
      switch step {
      case .effect(let effect, let parent):
        interpret(effect, parent: parent)
      case .parts(let children, let position, let parent):
        if position + 1 < children.count { steps.append(.parts(children, from: position + 1, parent: parent)) }
        interpret(children[position], parent: parent)
      case .open(let tree, let content):
        steps.append(.settled(tree))
        interpret(content, parent: tree)
      case .ask(let token):
        commands.append(.start(token))
      case .settled(let branch):
        partSettled(of: branch)
      case .refill(let place):
        refill(place)
      }
    }
  }

  /// Notes steps in the order they are to be taken, before those already noted.
  mutating func inOrder(_ note: (inout Self) -> Void) {
    let mark = steps.count
    note(&self)
    if steps.count - mark > 1 { steps[mark...].reverse() }
  }

  private mutating func interpret(_ effect: Effect<Action>, parent: Token) {
    // The tree this is a part of may have been cancelled by a part to the left.
    guard isOpen(parent) else { return }
    switch effect {
    case .none:
      break
    case .send(let action):
      followUp(action, parent: parent)
    case .run(let operation):
      register(operation, effect, parent: parent)
    case .merge(let children):
      steps.append(.parts(children, from: 0, parent: parent))
    case .concatenate(let children):
      beginSequence(children, parent: parent)
    case .cancel(let target):
      cancel(target, within: parent)
    case .cancellable(let tree):
      register(tree, effect, parent: parent)
    }
  }

  /// Whether further parts of a branch may be interpreted.
  func isOpen(_ branch: Token) -> Bool {
    if branch == .turn { return true }
    return slots.contains(branch) && slots[branch.slot].phase == .running
  }

  private mutating func followUp(_ action: Action, parent: Token) {
    guard parent != .turn, parent != turn.root else {
      turn.followUps.append(FollowUp(action: action, frame: .none))
      return
    }
    slots[parent.slot].outstanding += 1
    turn.followUps.append(FollowUp(action: action, frame: parent))
  }

  // MARK: - Members

  /// Adds a member to a branch.
  mutating func add(_ work: Slots<Action>.Work, phase: Slots<Action>.Phase, to parent: Token) -> Int32 {
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

  private mutating func register(
    _ operation: Effect<Action>.Operation, _ effect: Effect<Action>, parent: Token
  ) {
    guard !isRefusing(parent) else { return release(.run(operation)) }
    guard let id = operation.id else {
      let place = operation.scope.map { directory.findOrMake($0) } ?? Directory.root
      let index = add(.run(operation), phase: .starting, to: parent)
      slots[index].place = place
      peers.append(index, to: &directory[place].anonymous)
      commands.append(.start(slots.token(index)))
      return
    }
    let place = directory.findOrMake(id)
    let shared = operation.overlap.kind == .join ? newest(at: place, input: operation.input) : nil
    // A run that joins declares its limit like any other.
    guard declare(operation.overlap, at: place, of: effect, parent: parent) else { return }
    guard let shared else { return arrive(.run(operation), operation.overlap, at: place, parent: parent) }
    let index = add(.joined(shared), phase: .running, to: parent)
    peers.append(index, to: &slots[shared].joiners)
    joinedCount += 1
    release(.run(operation))
  }

  private mutating func register(_ tree: Effect<Action>.Tree, _ effect: Effect<Action>, parent: Token) {
    guard !isRefusing(parent) else { return release(.tree(tree)) }
    let place = directory.findOrMake(tree.id)
    guard declare(tree.overlap, at: place, of: effect, parent: parent) else { return }
    arrive(.tree(tree), tree.overlap, at: place, parent: parent)
  }

  /// The newest live run of an id with an equal input; one that waits lives as well.
  private func newest(at place: Int32, input: (any Hashable & Sendable)?) -> Int32? {
    let members = peers.members(of: directory[place].live) + peers.members(of: directory[place].queue)
    return members.last { index in
      guard case .run(let operation) = slots[index].work else { return false }
      return EffectInput.areEqual(operation.input, input)
    }
  }

  // MARK: - Sequences

  private mutating func beginSequence(_ children: Effect<Action>.Children, parent: Token) {
    // In a cancelled dispatch too: its runs never start and so settle at once, its sends belong to the turn (rule L2).
    let index = add(.sequence(children), phase: .running, to: parent)
    let place = children.node.scope.map { directory.findOrMake($0) } ?? Directory.root
    slots[index].place = place
    peers.append(index, to: &directory[place].anonymous)
    advance(index)
  }

  /// Starts the next part of a sequence, none of whose earlier parts is left.
  mutating func advance(_ index: Int32) {
    guard case .sequence(let children) = slots[index].work else { return }
    let position = Int(slots[index].position)
    slots[index].position += 1
    guard position == children.count - 1 else {
      // Held by one while the part is interpreted, or a part that settles meanwhile would start the next too early.
      let token = slots.token(index)
      slots[index].outstanding = 1
      steps.append(.settled(token))
      steps.append(.effect(children[position], parent: token))
      return
    }
    // The last part needs no sequence around it; so sequences nested to the right take no memory.
    let parent = slots[index].parent
    leaveBranch(index)
    leaveScope(index)
    free(index)
    steps.append(.settled(parent))
    steps.append(.effect(children[position], parent: parent))
  }

  /// Takes work without an id out of its scope.
  mutating func leaveScope(_ index: Int32) {
    let place = slots[index].place
    peers.remove(index, from: &directory[place].anonymous)
    directory.forgetIfEmpty(place)
  }
}

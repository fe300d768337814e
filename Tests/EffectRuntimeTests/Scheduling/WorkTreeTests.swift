// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct WorkTreeTests {
  /// A dispatch with one branch that has some members.
  private func make(members: Int) -> (tree: WorkTree, root: Token, branch: Int32, members: [Int32]) {
    var tree = WorkTree()
    let root = tree.addDispatch(7, isRefusing: false)
    let branch = tree.add(.none, phase: .running, to: root)
    let parent = tree.token(branch)
    let members = (0..<members).map { _ in tree.add(.none, phase: .starting, to: parent) }
    return (tree, root, branch, members)
  }

  @Test func `A dispatch is found by its number until it is removed, and its token is void then`() {
    var tree = WorkTree()
    let root = tree.addDispatch(7, isRefusing: true)
    #expect(tree.dispatch(7) == root)
    #expect(tree.dispatch(8) == nil)
    #expect(tree.isRoot(root.slot) && tree.isRefusing(root.slot) && tree.isHeld(root.slot))
    #expect(tree.isActive(root))
    tree.removeDispatch(root.slot)
    #expect(tree.dispatch(7) == nil)
    #expect(!tree.contains(root))
    #expect(tree.count == 0 && tree.takenSlots.isEmpty)
    let next = tree.addDispatch(8, isRefusing: false)
    #expect(next.slot == root.slot && next != root)
    #expect(!tree.isRefusing(next.slot))
    tree.refuse(next.slot)
    #expect(tree.isRefusing(next.slot))
  }

  @Test func `A branch settles with the last of its parts (T1)`() {
    var (tree, root, branch, members) = make(members: 3)
    #expect(tree.members(of: branch) == members)
    #expect(tree.members(of: root.slot) == [branch])
    #expect(members.allSatisfy { tree.root(of: $0) == root.slot && tree.parent(of: $0) == tree.token(branch) })
    tree.hold(branch)
    let settled = (0..<4).map { _ in tree.settlePart(of: branch) }
    #expect(settled == [false, false, false, true])
    #expect(!tree.isHeld(branch))
  }

  @Test func `A member leaves the list of its branch, which goes on waiting for it`() {
    var (tree, _, branch, members) = make(members: 3)
    let parent = tree.token(branch)
    tree.leaveBranch(members[1])
    #expect(tree.members(of: branch) == [members[0], members[2]])
    #expect(tree.parent(of: members[1]) == parent)
    #expect(tree.isHeld(branch))
    tree.adopt(members[1], by: parent)
    #expect(tree.members(of: branch) == [members[0], members[2], members[1]])
    tree.detach(members[1])
    #expect(tree.parent(of: members[1]) == .none && tree.root(of: members[1]) == -1)
  }

  @Test func `The branches around a member are walked outwards`() {
    var (tree, root, branch, members) = make(members: 1)
    var walked: [Int32] = []
    let found = tree.branch(around: tree.token(members[0])) { index in
      walked.append(index)
      return false
    }
    #expect(found == nil)
    #expect(walked == [members[0], branch, root.slot])
    #expect(tree.branch(around: tree.token(members[0])) { $0 == branch } == branch)
    tree.forgetParent(of: branch)
    #expect(tree.branch(around: tree.token(members[0])) { $0 == root.slot } == nil)
    #expect(tree.branch(around: .none) { _ in true } == nil)
  }

  @Test func `Waiting for the return of a closure is inherited from the branch (E2)`() {
    var (tree, root, branch, members) = make(members: 1)
    tree.setID(5, of: branch, isExclusive: true)
    #expect(tree.isNamed(branch) && tree.keepsSlot(branch) && tree.waitsForReturn(branch))
    #expect(tree.place(of: branch) == 5)
    let inner = tree.add(.none, phase: .starting, to: tree.token(branch))
    #expect(tree.waitsForReturn(inner) && !tree.keepsSlot(inner) && !tree.isNamed(inner))
    #expect(!tree.waitsForReturn(members[0]), "it was there before")
    let beside = tree.add(.none, phase: .starting, to: root)
    #expect(!tree.waitsForReturn(beside))
  }

  @Test func `A run moves to the branch of work that has joined it (O1)`() {
    var (tree, _, branch, members) = make(members: 1)
    let other = tree.addDispatch(8, isRefusing: false)
    let joiner = tree.add(.joined(members[0]), phase: .running, to: other)
    tree.leaveBranch(members[0])
    tree.leaveBranch(joiner)
    tree.move(members[0], toBranchOf: joiner)
    #expect(tree.members(of: branch).isEmpty)
    #expect(tree.members(of: other.slot) == [members[0]])
    #expect(tree.root(of: members[0]) == other.slot)
    _ = tree.remove(joiner)
    #expect(tree.members(of: other.slot) == [members[0]])
  }

  @Test func `A new token makes the one before void, and keeps the work`() {
    var (tree, _, _, members) = make(members: 1)
    let former = tree.token(members[0])
    tree.renew(members[0])
    #expect(!tree.contains(former))
    #expect(tree.contains(tree.token(members[0])))
    #expect(tree.phase(of: members[0]) == .starting)
    #expect(!tree.isActive(tree.token(members[0])))
    tree.setPhase(.running, of: members[0])
    #expect(tree.isActive(tree.token(members[0])))
  }

  @Test func `The closure of an attempt has a slot of its own and the id of its run (C2)`() {
    var (tree, _, branch, members) = make(members: 2)
    tree.setID(5, of: members[0], isExclusive: true)
    let named = tree.addClosure(of: members[0])
    #expect(tree.isNamed(named) && tree.place(of: named) == 5 && tree.phase(of: named) == .cancelling)
    #expect(!tree.keepsSlot(named) && tree.parent(of: named) == .none)
    tree.keepSlot(named)
    #expect(tree.keepsSlot(named))
    let unnamed = tree.addClosure(of: members[1])
    #expect(!tree.isNamed(unnamed) && tree.phase(of: unnamed) == .cancelling)
    #expect(tree.members(of: branch) == members)
  }

  @Test func `A cancelled tree counts closures from zero again`() {
    var (tree, _, branch, members) = make(members: 2)
    tree.beginCancelling(branch)
    #expect(!tree.isHeld(branch) && tree.members(of: branch).isEmpty)
    #expect(tree.phase(of: branch) == .cancelling)
    tree.hold(branch)
    tree.adopt(members[1], by: tree.token(branch))
    #expect(tree.members(of: branch) == [members[1]])
    #expect(tree.settlePart(of: branch) == true)
  }

  @Test func `A freed slot keeps nothing`() {
    var (tree, root, branch, members) = make(members: 1)
    tree.setTimed(members[0])
    tree.waitForReturn(members[0])
    #expect(tree.isTimed(members[0]))
    #expect(tree.nextPosition(of: members[0]) == 0)
    #expect(tree.nextPosition(of: members[0]) == 1)
    tree.leaveBranch(members[0])
    _ = tree.remove(members[0])
    let again = tree.add(.none, phase: .queued, to: root)
    #expect(again == members[0])
    #expect(!tree.isTimed(again) && !tree.waitsForReturn(again) && !tree.isHeld(again))
    #expect(tree.nextPosition(of: again) == 0)
    tree.setScope(9, of: again)
    #expect(tree.place(of: again) == 9)
    #expect(tree.members(of: branch).isEmpty)
    #expect(Set(tree.takenSlots) == [root.slot, branch, again])
  }
}

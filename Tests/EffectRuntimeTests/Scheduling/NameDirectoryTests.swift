// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct NameDirectoryTests {
  /// Work of one id arrives and is admitted; what must make way is cancelled before its closure has started.
  private func arrive(_ index: Int32, _ overlap: Overlap, at place: Int32, _ names: inout NameDirectory) {
    for _ in 0..<names.declare(overlap, at: place) { _ = names.startFirstQueued(at: place) }
    while let evicted = names.evicted(for: overlap, at: place) {
      switch evicted {
      case .active(let index): names.cancelled(index, at: place, started: false, isRecovering: false, keepsSlot: false)
      case .queued(let index): names.removeQueued(index, at: place)
      case .waiting(let index): names.removeWaiting(index, at: place)
      }
    }
    let admission = names.admit(overlap, at: place)
    if admission != .drop { names.add(index, isActive: admission == .start, at: place) }
  }

  private func lists(_ names: NameDirectory, _ place: Int32) -> [[Int32]] {
    [.active, .queued, .waiting, .cancelling].map { names.work($0, at: place) }
  }

  @Test func `A place is removed when it is empty, with the scopes around it`() {
    var names = NameDirectory()
    let place = names.findOrMake(EffectID("save").scoped(by: EffectID("row")))
    names.forgetIfEmpty(NameDirectory.root)
    arrive(1, .concurrent, at: place, &names)
    names.forgetIfEmpty(place)
    #expect(names.count == 2)
    names.ended(1, at: place, isRecovering: false)
    #expect(names.count == 2)
    names.forgetIfEmpty(place)
    #expect(names.count == 0)
    #expect(names.findOrMake(scope: nil) == NameDirectory.root)
  }

  @Test func `Queued work starts in the order in which it came, when a slot is free (O1)`() {
    var names = NameDirectory()
    let place = names.findOrMake("save")
    for index: Int32 in 1...3 { arrive(index, .enqueue, at: place, &names) }
    #expect(lists(names, place) == [[1], [2, 3], [], []])
    #expect(names.refill(place) == 0)
    names.ended(1, at: place, isRecovering: false)
    #expect(names.refill(place) == 1)
    #expect(names.startFirstQueued(at: place) == 2)
    #expect(lists(names, place) == [[2], [3], [], []])
    names.removeQueued(3, at: place)
    #expect(names.counts(at: place).queued == 0)
  }

  @Test func `Under restart the oldest make way, one after another`() {
    var names = NameDirectory()
    let place = names.findOrMake("search")
    for index: Int32 in 1...3 { arrive(index, .concurrent, at: place, &names) }
    #expect(lists(names, place) == [[1, 2, 3], [], [], []])
    arrive(4, .restart, at: place, &names)
    #expect(lists(names, place) == [[4], [], [], []])
    #expect(names.evicted(for: .restart, at: place) == .active(4))
    #expect(names.evicted(for: .drop, at: place) == nil)
  }

  @Test func `Under restart, work that has left its slot is passed over once (O1, C5)`() {
    var names = NameDirectory()
    let place = names.findOrMake("search")
    for index: Int32 in 1...4 { arrive(index, .concurrent, at: place, &names) }
    #expect(names.declare(.restart, at: place) == 0)
    names.leaveSlot(at: place)
    names.leaveSlot(at: place)
    #expect(names.evicted(for: .restart, at: place) == .active(1))
    names.pass(1, at: place)
    #expect(names.evicted(for: .restart, at: place) == .active(2))
    names.pass(2, at: place)
    names.cancelled(3, at: place, started: false, isRecovering: false, keepsSlot: false)
    #expect(names.evicted(for: .restart, at: place) == .active(4))
    names.ended(2, at: place, isRecovering: true)
    #expect(names.evicted(for: .restart, at: place) == .active(4))
    names.cancelled(1, at: place, started: true, isRecovering: true, keepsSlot: false)
    #expect(names.evicted(for: .restart, at: place) == .active(4))
    names.ended(4, at: place, isRecovering: false)
    #expect(names.evicted(for: .restart, at: place) == nil)
  }

  @Test func `A cancelled run whose closure executes is listed separately until it has returned (E2)`() {
    var names = NameDirectory()
    let place = names.findOrMake("save")
    arrive(1, .concurrent, at: place, &names)
    names.cancelled(1, at: place, started: true, isRecovering: false, keepsSlot: true)
    #expect(lists(names, place) == [[], [], [], [1]])
    names.forgetIfEmpty(place)
    #expect(names.count == 1)
    names.returned(1, at: place, keptSlot: true)
    names.forgetIfEmpty(place)
    #expect(names.count == 0)
  }

  @Test func `Work that waits for its time is counted, and so is a closure that ran out of time (C2)`() {
    var names = NameDirectory()
    let place = names.findOrMake("save")
    names.addWaiting(1, at: place)
    names.addWaiting(2, at: place)
    #expect(names.counts(at: place).waiting == 2)
    names.removeWaiting(1, at: place)
    #expect(lists(names, place) == [[], [], [2], []])
    arrive(3, .concurrent, at: place, &names)
    names.addAbandoned(4, at: place)
    #expect(names.counts(at: place).cancelling == 1)
    names.keepSlot(at: place)
    names.ended(3, at: place, isRecovering: false)
    names.returned(4, at: place, keptSlot: true)
    #expect(lists(names, place) == [[], [], [2], []])
  }

  @Test func `All present work of a scope is found, and nothing that has settled (M1)`() {
    var names = NameDirectory()
    let scope = names.findOrMake("row")
    let place = names.findOrMake(EffectID("save").scoped(by: EffectID("row")))
    names.addUnnamed(1, at: scope)
    names.addUnnamed(2, at: NameDirectory.root)
    for index: Int32 in 3...5 { arrive(index, .enqueue, at: place, &names) }
    names.addWaiting(6, at: place)
    names.addUnnamed(8, at: place)
    #expect(names.presentWork(at: place) == [3, 4, 5, 6])
    #expect(names.presentWork(inside: scope) == [1, 3, 4, 5, 6, 8])
    #expect(Set(names.presentWork(inside: NameDirectory.root)) == Set(1...8).subtracting([7]))
    names.cancelled(3, at: place, started: true, isRecovering: false, keepsSlot: false)
    names.removeUnnamed(8, at: place)
    #expect(names.presentWork(inside: scope) == [1, 4, 5, 6])
  }

  @Test func `The newest work of a list is found from its end`() {
    var names = NameDirectory()
    let place = names.findOrMake("save")
    for index: Int32 in 1...4 { arrive(index, .concurrent, at: place, &names) }
    #expect(names.first(.active, at: place) == 1)
    #expect(names.last(.active, at: place) == 4)
    #expect(names.last(.active, at: place) { $0 < 3 } == 2)
    #expect(names.last(.active, at: place) { $0 > 9 } == nil)
    #expect(names.first(.queued, at: place) == nil)
    #expect(names.last(.queued, at: place) == nil)
    #expect(names.isEmpty(.queued, at: place) && !names.isEmpty(.active, at: place))
  }

  @Test func `What is recorded about an id is removed with its place`() {
    var names = NameDirectory()
    let place = names.findOrMake("save")
    names.setWindow(true, at: place)
    names.treeOpened(at: place)
    names.setOverlap(.drop, at: place)
    names.setMixed(true, at: place)
    names.forgetIfEmpty(place)
    #expect(names.hasWindow(at: place), "a window keeps the place")
    #expect(names.hasOpenTree(at: place) && names.isMixed(at: place))
    #expect(names.hasOtherOverlaps(than: .drop, at: place))
    names.setMixed(false, at: place)
    #expect(!names.hasOtherOverlaps(than: .drop, at: place))
    #expect(names.hasOtherOverlaps(than: .restart, at: place))
    names.treeClosed(at: place)
    names.setWindow(false, at: place)
    names.forgetIfEmpty(place)
    #expect(names.findOrMake("other") == place)
    #expect(!names.hasOpenTree(at: place))
    #expect(!names.hasOtherOverlaps(than: .concurrent, at: place))
  }
}

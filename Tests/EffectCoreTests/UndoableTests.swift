// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

private struct Page: Equatable {
  var text: [Int] = []
  /// Changed by steps and by other changes, and never undone.
  var visits = 0
}

/// The history of a state, as a value.
@Suite struct `An undoable state` {
  @Test func `Steps are undone from the newest and redone in their order`() {
    var page = Undoable("", limit: 9)
    #expect(!page.canUndo && !page.canRedo)
    page.edit { $0 = "a" }
    page.edit { $0 = "ab" }
    #expect((page.pastCount, page.futureCount) == (2, 0))
    let did1 = page.undo()
    #expect(did1)
    #expect(page.present == "a")
    let did2 = page.undo()
    #expect(did2)
    #expect(page.present == "")
    #expect((page.canUndo, page.canRedo) == (false, true))
    let did3 = page.undo()
    #expect(!did3)
    let did4 = page.redo()
    #expect(did4)
    let did5 = page.redo()
    #expect(did5)
    #expect(page.present == "ab")
    let did6 = page.redo()
    #expect(!did6)
  }

  @Test func `A step after an undo ends redo`() {
    var page = Undoable("", limit: 9)
    page.edit { $0 = "a" }
    page.undo()
    page.edit { $0 = "b" }
    #expect((page.pastCount, page.futureCount) == (1, 0))
    let did7 = page.redo()
    #expect(!did7)
    #expect(page.present == "b")
  }

  @Test func `A step that changes nothing is not kept, and redo stays possible`() {
    var page = Undoable("", limit: 9)
    page.edit { $0 = "a" }
    page.undo()
    page.edit { $0 = "" }
    #expect((page.pastCount, page.futureCount) == (0, 1))
    let did8 = page.redo()
    #expect(did8)
    #expect(page.present == "a")
  }

  @Test func `Consecutive steps of one group are one step, until undo, redo or another step`() {
    var page = Undoable("", limit: 9)
    func type(_ text: String, by key: String = "typing") { page.edit(.grouped(by: key)) { $0 += text } }
    type("a")
    type("b")
    page.edit(.notUndoable) { $0 += "!" }
    type("c")
    #expect(page.pastCount == 1)
    type("d", by: "dictation")
    #expect(page.pastCount == 2)
    page.edit { $0 += "." }
    type("e", by: "dictation")
    #expect(page.pastCount == 4)
    page.undo()
    type("f", by: "dictation")
    #expect((page.pastCount, page.futureCount) == (4, 0))
    page.undo()
    page.redo()
    type("g", by: "dictation")
    #expect(page.pastCount == 5)
    #expect(page.present == "ab!cd.fg")
  }

  @Test func `A change that is no step leaves the history as it is`() {
    var page = Undoable("", limit: 9)
    page.edit { $0 = "a" }
    page.undo()
    page.edit(.notUndoable) { $0 = "answer" }
    #expect((page.pastCount, page.futureCount) == (0, 1))
    page.redo()
    page.undo()
    #expect(page.present == "answer")
  }

  @Test func `Beyond the limit the oldest step is forgotten`() {
    var page = Undoable(0, limit: 3)
    for number in 1...5 { page.edit { $0 = number } }
    #expect(page.pastCount == 3)
    while page.undo() {}
    #expect(page.present == 2)
    #expect(page.futureCount == 3)
  }

  @Test func `Undo and redo keep what the closure keeps`() {
    var page = Undoable(Page(), limit: 9)
    page.edit { $0 = Page(text: [1], visits: 1) }
    page.undo(keeping: { $0.visits = $1.visits })
    #expect(page.present == Page(text: [], visits: 1))
    page.edit(.notUndoable) { $0.visits = 5 }
    page.redo(keeping: { $0.visits = $1.visits })
    #expect(page.present == Page(text: [1], visits: 5))
  }

  @Test func `States of the history share the storage of what did not change`() {
    struct Both: Equatable { var large: [Int], small = 0 }
    func address(_ state: Both) -> Int {
      unsafe state.large.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    }
    var page = Undoable(Both(large: Array(0..<1_000)), limit: 100)
    let original = address(page.present)
    for number in 1...100 { page.edit { $0.small = number } }
    #expect(address(page.present) == original)
    while page.undo() {}
    #expect(address(page.present) == original)
  }

  @Test func `A change that goes on with a group is made in place`() {
    var page = Undoable([0], limit: 9)
    func address() -> Int { unsafe page.present.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
    page.edit(.grouped(by: "drag")) {
      $0.reserveCapacity(100)
      $0.append(1)
    }
    let place = address()
    for number in 2...50 { page.edit(.grouped(by: "drag")) { $0.append(number) } }
    for number in 51...90 { page.edit(.notUndoable) { $0.append(number) } }
    #expect(address() == place)
    #expect(page.pastCount == 1)
  }

  @Test func `A limit of zero stops with the line`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Undoable(0, limit: 0)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("UndoableTests.swift:"))
    #expect(text.contains("Undoable: limit is 0; at least one step must be kept"))
  }
}

// MARK: - A model

/// The naive way: a list of all states, and a position in it.
private struct Model {
  var states = [Page()]
  var position = 0
  var group: Int?
  let limit: Int

  mutating func edit(_ kind: Int, _ change: (inout Page) -> Void) {
    var next = states[position]
    change(&next)
    if kind == 0 || (kind == group && kind > 1) { return states[position] = next }
    guard next != states[position] else { return }
    states.removeSubrange((position + 1)...)
    states.append(next)
    position += 1
    if position > limit {
      states.removeFirst()
      position -= 1
    }
    group = kind > 1 ? kind : nil
  }

  mutating func move(by distance: Int) -> Bool {
    guard states.indices.contains(position + distance) else { return false }
    let visits = states[position].visits
    position += distance
    states[position].visits = visits
    group = nil
    return true
  }
}

private struct SplitMix: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9e37_79b9_7f4a_7c15
    var z = seed
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

@Suite struct `An undoable state and a list of states` {
  /// Kinds: 0 is no step, 1 a single one, 2 and 3 are groups.
  private func step(_ kind: Int) -> UndoStep {
    switch kind {
    case 0: .notUndoable
    case 1: .single
    default: .grouped(by: kind)
    }
  }

  @Test func `Agree in 10,000 random sequences of edits, undo and redo`() {
    var (undone, redone) = (0, 0)
    for seed in 1...10_000 {
      var numbers = SplitMix(seed: UInt64(seed))
      let limit = Int.random(in: 1...5, using: &numbers)
      var model = Model(limit: limit)
      var page = Undoable(Page(), limit: limit)
      for index in 0..<Int.random(in: 1...24, using: &numbers) {
        var (one, other) = (false, false)
        switch Int.random(in: 0..<9, using: &numbers) {
        case 0...1:
          (one, other) = (page.undo(keeping: { $0.visits = $1.visits }), model.move(by: -1))
          undone += one ? 1 : 0
        case 2...3:
          (one, other) = (page.redo(keeping: { $0.visits = $1.visits }), model.move(by: 1))
          redone += one ? 1 : 0
        default:
          let kind = Int.random(in: 0...3, using: &numbers)
          let changes = Int.random(in: 0...3, using: &numbers)
          let change: (inout Page) -> Void = { page in
            if changes & 1 != 0 { page.text.append(index) }
            if changes & 2 != 0, kind == 0 { page.visits += 1 }
          }
          page.edit(step(kind), change)
          model.edit(kind, change)
        }
        let isSame =
          one == other && page.present == model.states[model.position] && page.pastCount == model.position
          && page.futureCount == model.states.count - 1 - model.position && page.canUndo == (model.position > 0)
          && page.canRedo == (page.futureCount > 0)
        guard isSame else {
          Issue.record("seed \(seed), operation \(index): \(page), \(model)")
          return
        }
      }
    }
    #expect(undone > 10_000)
    #expect(redone > 5_000)
  }
}

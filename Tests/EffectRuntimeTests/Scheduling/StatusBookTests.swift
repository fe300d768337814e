// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct StatusBookTests {
  private let save: EffectID = "save"
  private let load: EffectID = "load"

  @Test func `A change is recorded once until the changes are taken, with the status before the first (S2)`() {
    var book = StatusBook()
    book.willChange(save, from: EffectStatus(running: 1))
    book.willChange(load, from: EffectStatus())
    book.willChange(save, from: EffectStatus(running: 2))
    #expect(book.hasChanges)
    let changes = book.takeChanges()
    #expect(changes.map(\.id) == [save, load])
    #expect(changes.map(\.before) == [EffectStatus(running: 1), EffectStatus()])
    #expect(!book.hasChanges)
    #expect(book.takeChanges().isEmpty)
    book.willChange(save, from: EffectStatus(queued: 3))
    #expect(book.takeChanges().map(\.before.queued) == [3])
  }

  @Test func `Changes are taken after a burst of many ids as well`() {
    var book = StatusBook()
    for round in 1...2 {
      for number in 0..<2_000 { book.willChange(EffectID(number), from: EffectStatus(running: round)) }
      #expect(book.takeChanges().map(\.before.running) == Array(repeating: round, count: 2_000))
    }
  }

  @Test func `An outcome is kept from the first caller to the last (S1)`() {
    var book = StatusBook()
    #expect(!book.keepsOutcomes)
    #expect(book.lastOutcome(of: save) == .notKept)
    #expect(book.outcomeIndex(of: save) == nil)

    let index = book.keep(save)
    #expect(book.keep(save) == index)
    #expect(book.outcomeIndex(of: save) == index)
    #expect(book.keptCount == 1)
    #expect(book.lastOutcome(of: save) == .noneYet)

    let replaced = [book.record(.finished, at: index), book.record(.dropped, at: index)]
    #expect(replaced == [nil, .finished])
    #expect(book.lastOutcome(of: save) == .ended(.dropped))

    let early = book.release(save)
    #expect(early == nil)
    #expect(book.keepsOutcomes)
    let last = book.release(save)
    #expect(last?.outcome == .dropped)
    let late = book.release(save)
    #expect(late == nil)
    #expect(!book.keepsOutcomes)
    #expect(book.lastOutcome(of: save) == .notKept)
  }

  @Test func `What is kept of one id does not reach the next id in its memory`() {
    var book = StatusBook()
    let index = book.keep(save)
    _ = book.record(.finished, at: index)
    _ = book.release(save)
    #expect(book.keep(load) == index)
    #expect(book.lastOutcome(of: load) == .noneYet)
    #expect(book.lastOutcome(of: save) == .notKept)
  }

  @Test func `Whether changes are recorded is decided by the caller`() {
    var book = StatusBook()
    #expect(!book.isObserved)
    book.isObserved = true
    #expect(book.isObserved)
  }
}

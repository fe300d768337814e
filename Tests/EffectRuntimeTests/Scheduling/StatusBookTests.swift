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

  @Test func `Whether changes are recorded is decided by the caller`() {
    var book = StatusBook()
    #expect(!book.isObserved)
    book.isObserved = true
    #expect(book.isObserved)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

@Suite struct HashTableTests {
  @Test func `Numbers with the same hash are distinguished, and can be removed in any order`() {
    var table = HashTable()
    for number in Int32(0)..<10 { table.insert(number, 7) }
    for number in [3, 0, 9, 4, 8, 1, 7, 2, 6, 5] as [Int32] {
      #expect(table.find(7) { $0 == number } == number)
      table.remove(number, 7)
      #expect(table.find(7) { $0 == number } == nil)
    }
    #expect(table.count == 0)
  }

  @Test(arguments: [1, 3, 8, 32] as [UInt32])
  func `It answers like a dictionary, whatever is added and removed, however few hashes there are`(spread: UInt32) {
    var numbers = Numbers(seed: UInt64(spread))
    var table = HashTable()
    var model: [Int32: UInt32] = [:]
    for step in 0..<4_000 {
      let number = Int32.random(in: 0..<300, using: &numbers)
      if let hash = model[number] {
        table.remove(number, hash)
        model[number] = nil
      } else {
        // Near the end of the table, so that entries wrap around.
        let hash = UInt32.max &- UInt32.random(in: 0..<spread, using: &numbers)
        table.insert(number, hash)
        model[number] = hash
      }
      guard step.isMultiple(of: 50) else { continue }
      for number in Int32(0)..<300 {
        let hash = model[number]
        #expect(table.find(hash ?? .max) { $0 == number } == (hash == nil ? nil : number))
      }
      #expect(table.count == model.count)
    }
  }

  @Test func `Entries whose hash differs are not compared`() {
    var table = HashTable()
    for number in Int32(0)..<100 { table.insert(number, UInt32(number) &* 16) }
    var seen: [Int32] = []
    let found = table.find(160) { number in
      seen.append(number)
      return true
    }
    #expect(found == 10)
    #expect(seen == [10])
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

@Suite struct NameTreeTests {
  private let inner = EffectID("save").scoped(by: EffectID("row"))

  @Test func `A name has one place in each scope`() {
    var names = NameTree()
    #expect(names.find("save") == nil)
    let save = names.findOrMake("save")
    #expect(names.findOrMake("save") == save)
    let scoped = names.findOrMake(inner)
    #expect(Set([NameTree.root, save, scoped]).count == 3)
    #expect(names.find(inner) == scoped)
    #expect(names.find("row") != nil)
    #expect(names.count == 3)
  }

  @Test func `A place is removed only if no name is inside it, and its number is used again`() throws {
    var names = NameTree()
    let scoped = names.findOrMake(inner)
    let row = try #require(names.find("row"))
    #expect(names.removeLeaf(row) == nil)
    #expect(names.removeLeaf(scoped) == row)
    #expect(names.removeLeaf(scoped) == nil, "it does not exist any more")
    #expect(names.removeLeaf(row) == NameTree.root)
    #expect(names.removeLeaf(NameTree.root) == nil)
    #expect(names.count == 0)
    let capacity = names.capacity
    _ = names.findOrMake(inner)
    #expect(names.capacity == capacity)
    #expect(names.count == 2)
  }

  @Test func `The places behind the last one that is taken are released, and the others keep their names`() {
    var names = NameTree()
    let many = (0..<2_000).map { names.findOrMake(EffectID($0)) }
    for place in many where place != many[500] { _ = names.removeLeaf(place) }
    let (isFew, isMany) = (names.shrink(above: 4_096), names.shrink(above: 1_024))
    #expect(!isFew && isMany)
    #expect(names.capacity == Int(many[500]) + 1)
    #expect(names.find(EffectID(500)) == many[500])
    #expect(names.find(EffectID(501)) == nil)
    let again = (1_000..<3_000).map { names.findOrMake(EffectID($0)) }
    #expect(again.first == 1)
    #expect(Set(again + [many[500]]).count == 2_001)
    #expect(names.find(EffectID(2_999)) == again.last)
  }

  @Test func `Every place inside a scope is visited once, those outside never`() throws {
    var names = NameTree()
    let rows = (0..<20).map { names.findOrMake(EffectID($0).scoped(by: EffectID("list"))) }
    let list = try #require(names.find("list"))
    let deep = names.findOrMake(EffectID("deep").scoped(by: EffectID(3)).scoped(by: EffectID("list")))
    let other = names.findOrMake("other")
    #expect(names.places(inside: list).sorted() == (rows + [deep]).sorted())
    #expect(Set(names.places(inside: NameTree.root)) == Set(rows + [deep, list, other]))
    #expect(names.places(inside: other).isEmpty)
    #expect(names.firstPlace(inside: list) { $0 == deep } == deep)
    #expect(names.firstPlace(inside: list) { $0 == other } == nil)
  }

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]])
  func `Names of one scope are removed in any order`(order: [Int]) {
    var names = NameTree()
    let places = (0..<3).map { names.findOrMake(EffectID($0)) }
    var rest = Set(places)
    for number in order {
      #expect(names.removeLeaf(places[number]) == NameTree.root)
      rest.remove(places[number])
      #expect(Set(names.places(inside: NameTree.root)) == rest)
      #expect(names.find(EffectID(number)) == nil)
    }
  }
}

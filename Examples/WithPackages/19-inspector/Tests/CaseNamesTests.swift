// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import InspectorCore

@Suite struct `Names of the cases of an enum` {
  enum Empty {}
  enum Plain { case one, two }
  enum Mixed { case number(Int), pair(first: Int, second: String), none }
  indirect enum Tree { case leaf, node(Tree, Tree) }
  enum Generic<Value> { case some(Value), other }
  struct Structure { var one = 1 }
  final class Class {}

  @Test func `Are those of any enum, in their order`() {
    #expect(CaseNames.of(Plain.self) == ["one", "two"])
    #expect(Set(CaseNames.of(Mixed.self)) == ["number", "pair", "none"])
    #expect(Set(CaseNames.of(Tree.self)) == ["leaf", "node"])
    #expect(Set(CaseNames.of(Generic<[Int]>.self)) == ["some", "other"])
    #expect(CaseNames.of(Counter.Action.self) == ["add", "load", "loaded", "chain"])
  }

  @Test func `Are none of other types`() {
    let others: [Any.Type] = [
      Empty.self, Structure.self, Class.self, Int.self, String.self, (Int, Int).self, (any Sendable).self,
      (() -> Void).self, Int?.self, Never.self,
    ]
    for type in others { #expect(CaseNames.of(type).isEmpty) }
  }
}

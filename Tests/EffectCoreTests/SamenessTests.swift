// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@Suite struct `Values that are the same` {
  private struct Pair: Equatable { var name = "a", ratio = Double.nan }
  private struct Nested: Equatable {
    var pairs = [Pair(), Pair()], byName = ["a": Pair()], last: Pair?? = .some(Pair())
  }
  private indirect enum Tree: Equatable { case leaf(Float), node(Tree, Tree), empty }
  private struct Erased: Equatable {
    var value: any Equatable & Sendable = Double.nan
    var action: @Sendable () -> Void = {}
    var pair: (Int, Double) = (1, .nan)
    static func == (left: Self, right: Self) -> Bool { left.pair == right.pair }
  }
  private final class Box: Equatable {
    let ratio: Double
    init(_ ratio: Double) { self.ratio = ratio }
    static func == (left: Box, right: Box) -> Bool { left.ratio == right.ratio }
  }
  /// Shows nothing of its content.
  private struct Secret: Equatable, CustomReflectable {
    var value: Double
    var customMirror: Mirror { Mirror(self, children: []) }
  }
  private struct Holder<Value: Equatable>: Equatable {
    var value: Value
    var ratio = Double.nan
  }
  private struct Never: Equatable {
    var number = 1
    static func == (_: Self, _: Self) -> Bool { false }
  }

  private func expectSame<Value: Equatable>(
    _ make: () -> Value, not others: Value..., location: SourceLocation = #_sourceLocation
  ) {
    #expect(Sameness.areSame(make(), make()), sourceLocation: location)
    for other in others {
      #expect(!Sameness.areSame(make(), other), sourceLocation: location)
      #expect(!Sameness.areSame(other, make()), sourceLocation: location)
    }
  }

  @Test func `A NaN is the same as a NaN, and no number`() {
    expectSame({ Double.nan }, not: 0, .infinity)
    expectSame({ Float.nan }, not: 0)
    #expect(Sameness.areSame(Double.nan, -Double.nan))
    #expect(Sameness.areSame(0.0, -0.0))
  }

  @Test func `A NaN may be anywhere in a value`() {
    expectSame({ Double?.some(.nan) }, not: nil, 1)
    expectSame({ Double??.some(.nan) }, not: nil, .some(nil))
    expectSame({ [1, Double.nan] }, not: [1], [2, .nan], [1, 2], [1, .nan, .nan])
    expectSame({ [1, Double.nan][...] }, not: [1, 2])
    expectSame({ ContiguousArray([Double.nan]) }, not: [2])
    expectSame({ ["a": Double.nan, "b": 1] }, not: ["a": .nan], ["a": .nan, "b": 2], ["a": .nan, "c": 1])
    expectSame({ ["a": Double?.none, "b": .nan] }, not: ["a": .nan, "b": .nan], ["b": .nan])
    expectSame({ [Double.nan: 1, 2: 3] }, not: [.nan: 2, 2: 3], [.nan: 1, 4: 3], [2: 3])
    expectSame({ Set([Double.nan, 1]) }, not: [.nan, 2], [1], [.nan, .nan])
    expectSame({ Result<Double, Failed>.success(.nan) }, not: .success(1), .failure(Failed()))
    expectSame({ AnyHashable(Double.nan) }, not: AnyHashable(Float.nan), 1)
    expectSame({ Pair() }, not: Pair(name: "b"), Pair(ratio: 1))
    expectSame({ Nested() }, not: Nested(pairs: []), Nested(byName: [:]), Nested(last: .some(nil)))
    expectSame(
      { Tree.node(.leaf(.nan), .empty) }, not: .node(.leaf(.nan), .leaf(1)), .leaf(.nan), .node(.empty, .leaf(.nan)))
    expectSame({ Erased() }, not: Erased(value: Float.nan), Erased(value: 1), Erased(pair: (2, .nan)))
    expectSame({ SIMD2<Double>(.nan, 1) }, not: SIMD2(1, 1), SIMD2(.nan, 2))
    expectSame({ ChildStack([Pair()]) }, not: ChildStack([Pair(), Pair()]))
  }

  private struct Failed: Error, Equatable {}

  @Test func `Objects are the same if they are one, or their fields are`() {
    let box = Box(.nan)
    #expect(Sameness.areSame(box, box))
    expectSame({ Box(.nan) }, not: Box(1))
    expectSame({ [Holder(value: Box(.nan))] }, not: [Holder(value: Box(2))])
  }

  @Test func `What differs and is not shown by reflection is a difference`() {
    expectSame({ Secret(value: .nan) }, not: Secret(value: 1))
    expectSame({ Holder(value: Secret(value: 1)) }, not: Holder(value: Secret(value: 2)))
  }

  @Test func `A value of a type whose values never equal themselves is the same as its copy`() {
    expectSame({ Never() }, not: Never(number: 2))
  }

  @Test func `A change of a large state is found without reading what is behind it`() {
    var many = (0..<1_000).map { Pair(name: "\($0)", ratio: 1) }
    let before = many
    many[500].name = "changed"
    #expect(!Sameness.areSame(before, many))
  }
}

@Suite struct `Reactions to values with a NaN` {
  private struct State: Equatable { var ratios = [Double.nan]; var count = 0; var child: Child? = Child() }
  private struct Child: Equatable { var ratio = Double.nan }
  fileprivate enum Action: Sendable { case touch, change, child(ChildAction) }
  fileprivate enum ChildAction: DismissingAction {
    case close
    var isDismissal: Bool { true }
  }

  private let touch = Reduce<State, Action> { state, action in
    state.ratios = action.isChange ? [1] : [.nan]
    state.count += 1
    return .none
  }

  @Test func `onChange and cancelling see a change, and none where a NaN stays one (M4)`() {
    var state = State()
    let reacting = touch.onChange(of: \.ratios) { _, _ in .send(.touch) }
    #expect(reacting.reduce(into: &state, action: .touch).isNone)
    #expect(!reacting.reduce(into: &state, action: .change).isNone)
    state = State()
    let cancelling = touch.cancelling("load", whenChanged: \.ratios)
    #expect(cancelling.reduce(into: &state, action: .touch).isNone)
    #expect(!cancelling.reduce(into: &state, action: .change).isNone)
  }

  @Test func `A child with a NaN dismisses itself (M8)`() {
    var state = State()
    let parent = Reduce<State, Action> { _, _ in .none }
      .ifLet(\.child, action: CasePath(Action.child)) { Reduce<Child, ChildAction> { _, _ in .none } }
    _ = parent.reduce(into: &state, action: .child(.close))
    #expect(state.child == nil)
  }

  @Test func `Inputs and ids with a NaN are found (O1)`() {
    #expect(EffectInput.areEqual([Double.nan], [Double.nan]))
    #expect(EffectID([Double.nan]) == EffectID([Double.nan]))
    #expect(EffectID([Double.nan]) != EffectID([1.0]))
  }
}

extension `Reactions to values with a NaN`.Action {
  fileprivate var isChange: Bool { if case .change = self { true } else { false } }
}

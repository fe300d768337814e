// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@Suite struct `State of nested children` {
  @Test(arguments: Nesting.allCases)
  func `A child needs no more stack if its state is larger`(_ nesting: Nesting) throws {
    // The reductions run in a thread, because a stack that is too small would end the process without a failure.
    let small = try withSmallStack(bytes: 8 << 20) { stackUse(of: Bottom<Int>(), own: Int.self, depth: 9, in: nesting) }
    let large = try withSmallStack(bytes: 8 << 20) {
      stackUse(of: Bottom<Large>(), own: Large.self, depth: 9, in: nesting)
    }
    // The deepest reduction sees the same frames above it. Room for one state, although there are nine.
    #expect(large - small < MemoryLayout<Large>.size)
    #expect(large < smallStackBytes / 4)
  }

  @Test func `An array in an optional child, or in a row, is not copied by a change`() {
    var optional: [Int]? = Array(0..<1_000)
    var rows = [1: Array(0..<1_000)]
    let last = Reduce<[Int], Int> { numbers, action in
      numbers[999] = action
      return .none
    }
    let before = [optional, rows[1]].map(storage)
    _ = last.reduce(into: &optional, action: 7)
    _ = last.reduce(into: &rows[1], action: 7)
    #expect(optional?.last == 7 && rows[1]?.last == 7)
    #expect([optional, rows[1]].map(storage) == before)
  }

  private func storage(of numbers: [Int]?) -> UInt {
    unsafe numbers?.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } ?? 0
  }

  @Test func `Without a child nothing changes, and a report is the effect (M3)`() {
    var state: Int?
    let effect = Reduce<Int, Int> { _, _ in .none }.reduce(into: &state, action: 7)
    #expect(state == nil)
    #expect("\(effect)".contains("missingChild(7)"))
  }
}

/// How a child's state is held by its parent's.
enum Nesting: CaseIterable, Sendable { case plain, ifLet, ifCase, forEach, stack }

private protocol Zero: Sendable { init() }

extension Int: Zero {}

private struct Eight<Part: Zero>: Zero {
  var a = Part(), b = Part(), c = Part(), d = Part(), e = Part(), f = Part(), g = Part(), h = Part()
}

/// Four kilobytes that lie in the value itself.
private typealias Large = Eight<Eight<Eight<Int>>>

/// A reducer whose state contains an `Own`, and its children likewise. It answers with an address of the deepest one's frame.
private protocol Nested<Holder>: Reducer<Self.Holder, UInt> {
  associatedtype Holder: Sendable
  var initial: Holder { get }
}

private struct Bottom<Own: Zero>: Nested {
  var initial: Own { Own() }

  func reduce(into state: inout Own, action: UInt) -> Effect<UInt> { .send(address()) }
}

private struct Parent<Own: Zero, Child: Nested>: Nested {
  struct Holder: Sendable {
    var own = Own()
    var optional: Child.Holder?
    var rows: [Int: Child.Holder] = [:]
    var elements = ChildStack<Child.Holder>()
  }

  let child: Child
  let nesting: Nesting

  var initial: Holder {
    var holder = Holder()
    switch nesting {
    case .plain, .ifLet, .ifCase: holder.optional = child.initial
    case .forEach: holder.rows[0] = child.initial
    case .stack: holder.elements.push(child.initial)
    }
    return holder
  }

  func reduce(into state: inout Holder, action: UInt) -> Effect<UInt> {
    let parent = Reduce<Holder, UInt> { _, _ in .none }
    let same = CasePath<UInt, UInt>(embed: { $0 }, extract: { $0 })
    switch nesting {
    case .plain: return child.reduce(into: &state.optional, action: action)
    case .ifLet: return parent.ifLet(\.optional, action: same) { child }.reduce(into: &state, action: action)
    case .ifCase:
      let some = CasePath<Child.Holder?, Child.Holder>(embed: { $0 }, extract: { $0 })
      let reducer = Reduce<Child.Holder?, UInt> { _, _ in .none }.ifCase(some, action: same, scope: 0) { child }
      return reducer.reduce(into: &state.optional, action: action)
    case .forEach:
      let row = CasePath<UInt, (Int, UInt)>(embed: { $0.1 }, extract: { (0, $0) })
      return parent.forEach(\.rows, action: row) { child }.reduce(into: &state, action: action)
    case .stack:
      let element = CasePath<UInt, StackAction<Child.Holder, UInt>>(
        embed: { if case .element(_, let action) = $0 { action } else { 0 } }, extract: { .element(0, $0) })
      return parent.stack(\.elements, action: element) { child }.reduce(into: &state, action: action)
    }
  }
}

/// An address in the frame of the caller, more or less.
@inline(never) private func address() -> UInt {
  var here = 0
  return unsafe withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
}

/// The bytes of stack between the call and the deepest child.
private func stackUse<Own: Zero, Child: Nested>(of child: Child, own: Own.Type, depth: Int, in nesting: Nesting) -> Int
{
  if depth > 0 {
    return stackUse(of: Parent<Own, Child>(child: child, nesting: nesting), own: own, depth: depth - 1, in: nesting)
  }
  var state = child.initial
  let top = address()
  guard case .send(let deepest) = child.reduce(into: &state, action: 0) else { return .max }
  return Int(top - deepest)
}

// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// Values of generated actions.
@Suite struct GeneratedValueTests {
  private enum Edit: Equatable, Sendable {
    case clear, number(Int), text(String), list([Int]), maybe(Int?), pair(Int, Int)
  }

  /// The values that an exhaustive search sends.
  private func sent<Value: Hashable & Sendable>(_ values: Exploration.Values<Value>) async -> [Value] {
    let log = Recorder<Value>()
    let account = await Account(search: .full(.deliveries)) { schedule in
      schedule.store(
        initialState: 0,
        reducer: Reduce<Int, Value> { _, value in
          log.record(value)
          return .none
        }
      ).send(anyOf: values, upTo: 1)
    }
    #expect(account.text == nil)
    #expect(account.result.completeLevel != nil)
    return log.events
  }

  /// The script of a failure.
  private func script(
    _ isWrong: @escaping @Sendable (Edit) -> Bool, seed: UInt64 = 1, of values: Exploration.Values<Edit>...
  ) async -> [String] {
    let account = await Account(schedules: 2_000, search: .random(.steps), seed: seed) { schedule in
      let run = schedule.store(
        initialState: true,
        reducer: Reduce<Bool, Edit> { state, edit in
          if isWrong(edit) { state = false }
          return .none
        }, always: { $0 })
      switch values.count {
      case 1: run.send(anyOf: values[0], upTo: 4)
      default: run.send(anyOf: values[0], values[1], upTo: 4)
      }
    }
    let lines = account.text?.split(separator: "\n") ?? []
    return lines.filter { $0.hasPrefix("  script.send(") }.map { String($0.dropFirst(2)) }
  }

  @Test func `An exhaustive search tries each value, the simplest first`() async {
    func first(_ values: [Int]) -> [Int] { values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
    #expect(first(await sent(.values(0...3))) == [0, 1, 2, 3])
    #expect(first(await sent(.values(-2...4))) == [0, 1, -1, 2, -2, 3, 4])
    #expect(first(await sent(.values(-4...1))) == [0, 1, -1, -2, -3, -4])
    #expect(first(await sent(.values(-5 ... -3))) == [-3, -4, -5])
    #expect(Set(await sent(.strings(of: "ab", upTo: 2))) == ["", "a", "b", "aa", "ab", "ba", "bb"])
    #expect(Set(await sent(.optionals(of: .values(1...2)))) == [nil, 1, 2])
    #expect(Set(await sent(.arrays(of: .values(0...1), upTo: 1))) == [[], [0], [1]])
    let pairs = Exploration.Values<String>.pairs(.values(0...1), .values(["a", "b"])).map { "\($0)\($1)" }
    #expect(Set(await sent(pairs)) == ["0a", "0b", "1a", "1b"])
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `A failure has the simplest values that show it`(seed: UInt64) async {
    let numbers = await script(
      { if case .number(let number) = $0 { abs(number) > 70 } else { false } }, seed: seed, of: [.clear],
      .values(-500...500).map(Edit.number))
    #expect(numbers == ["script.send(.number(71))"])
    // The value between a found one and a simpler one need not violate anything.
    let negative = await script(
      { if case .number(let number) = $0 { number <= -3 } else { false } }, seed: seed,
      of: .values(-5...5).map(Edit.number))
    #expect(negative == ["script.send(.number(-3))"])
    let listed = await script(
      { [.number(2), .number(4)].contains($0) }, seed: seed,
      of: [.clear, .number(1), .number(2), .number(3), .number(4)])
    #expect(listed == ["script.send(.number(2))"])
    let texts = await script(
      { if case .text(let text) = $0 { text.contains("c") } else { false } }, seed: seed, of: [.clear],
      .strings(of: "abc", upTo: 5).map(Edit.text))
    #expect(texts == [#"script.send(.text("c"))"#])
    let lists = await script(
      { if case .list(let list) = $0 { list.count > 2 } else { false } }, seed: seed,
      of: .arrays(of: .values(0...9), upTo: 6).map(Edit.list))
    #expect(lists == ["script.send(.list([0, 0, 0]))"])
    let optionals = await script(
      { if case .maybe = $0 { true } else { false } }, seed: seed, of: .optionals(of: .values(0...9)).map(Edit.maybe))
    #expect(optionals == ["script.send(.maybe(nil))"])
  }

  @Test func `A generator without a value, and one with too many, are mistakes that name the line`() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(initialState: 0, reducer: Reduce<Int, [Int]> { _, _ in .none }) {
        $0.send(anyOf: .arrays(of: .values([]), upTo: 2), upTo: 2)
      }
    }
    let text = String(decoding: none?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("GeneratedValueTests.swift") && text.contains("a generator has no value to choose"), "\(text)")
    let many = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await explore(initialState: 0, reducer: Reduce<Int, Int> { _, _ in .none }) {
        $0.send(anyOf: .values(Int.min...Int.max), upTo: 1)
      }
    }
    let other = String(decoding: many?.standardErrorContent ?? [], as: UTF8.self)
    #expect(other.contains("a generator has more than 10,000 values"), "\(other)")
  }
}

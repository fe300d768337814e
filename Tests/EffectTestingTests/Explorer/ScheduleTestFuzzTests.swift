// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectTesting

/// The tests in failures of random features, executed line by line: no step fails, and the last state violates the property.
struct `Random schedules as tests` {
  private static let parts: UInt64 = UInt64(TestSize.of(10, short: 1))

  @Test(arguments: 0..<parts) func `Each test takes the steps of its schedule`(part: UInt64) async throws {
    var (found, refused) = (0, 0)
    for seed in part * 20..<part * 20 + 20 {
      var numbers = SeededNumbers(seed: seed)
      let feature = RandomCalls(&numbers)
      let script = (0..<3).map { _ in numbers.next(below: 3) }
      let (first, second) = (numbers.next(below: 3), numbers.next(below: 3))
      // The end of one kind of work comes before that of another one.
      func holds(_ state: RandomCalls.State) -> Bool {
        let log = state.log.map { $0 / 10 }
        return !zip(log, log.dropFirst()).contains { $0 == (first, second) }
      }
      let account = await Account(schedules: 500, search: .levels(upTo: .timers)) { schedule in
        let ask = Mock<Int, Int>(answering: { if $0 % 10 == 9 { throw Refused.full } else { $0 + 1 } })
        var feature = feature
        feature.ask = ask.callAsFunction
        let run = schedule.store(initialState: .init(), reducer: feature, always: holds)
        for number in script { run.send(.start(number)) }
      }
      guard let text = account.text else { continue }
      if text.contains("cannot be written as a test of a `TestStore`") {
        refused += 1
        continue
      }
      // Without a call of a mock there is no test.
      guard text.contains("The same order as a test") else { continue }
      let lines = text.split(separator: "\n").map { $0.trimmingPrefix(while: { $0 == " " }) }
      let begin = try #require(lines.firstIndex { $0.hasPrefix("The same order as a test") }, "\(text)")
      found += 1
      let failures = try await failures {
        let state = try await execute(lines[(begin + 1)...], feature)
        #expect(!holds(state), "seed \(seed): \(text)")
      }
      #expect(failures == [], "seed \(seed): \(text)")
    }
    #expect(found + refused > 0)
  }

  private func execute(_ lines: ArraySlice<Substring>, _ feature: RandomCalls) async throws -> RandomCalls.State {
    let ask = Mock<Int, Int>()
    var feature = feature
    feature.ask = ask.callAsFunction
    let store = TestStore(initialState: .init(), reducer: feature)
    for line in lines {
      if let match = line.wholeMatch(of: /store\.send\(\.start\((\d)\)\)/) {
        store.send(.start(Int(match.1) ?? -1))
      } else if let match = line.wholeMatch(of: /await store\.receive\(\.done\((\d+)\)\).*/) {
        let number = Int(match.1) ?? -1
        await store.receive(.done(number)) { $0.log.append(number) }
      } else if let match = line.wholeMatch(of: /ask\.answer\((\d+)\)/) {
        ask.answer(Int(match.1) ?? -1)
      } else if let match = line.wholeMatch(of: /ask\.answer\((\d+), where: { \$0 == (\d+) }\)/) {
        ask.answer(Int(match.1) ?? -1) { $0 == Int(match.2) }
      } else if let match = line.wholeMatch(of: /ask\.answer\((\d+), at: (\d+)\)/) {
        ask.answer(Int(match.1) ?? -1, at: Int(match.2) ?? -1)
      } else if let match = line.wholeMatch(of: /store\.advance\(by: \.seconds\((\d+)\)\)/) {
        store.advance(by: .seconds(Int(match.1) ?? -1))
      } else if line == "await store.settle()" {
        await store.settle()
      } else if line == "ask.answer(throwing: Refused.full)" {
        ask.answer(throwing: Refused.full)
      } else if let match = line.wholeMatch(of: /ask\.answer\(throwing: Refused\.full, where: { \$0 == (\d+) }\)/) {
        ask.answer(throwing: Refused.full) { $0 == Int(match.1) }
      } else if line.hasPrefix("store.exhaustivity = .off") {
        store.exhaustivity = .off
      } else if line.hasPrefix("Run this schedule") {
        break
      } else if line != "#expect(always(store.state))" && !line.hasPrefix("let ") && !line.hasPrefix("//")
        && !line.hasPrefix("`.init`")
      {
        Issue.record("unknown: \(line)")
      }
    }
    return store.state
  }
}

private enum Refused: Error { case full }

/// Three kinds of work, each with its id, overlap, wait, number of calls, actions between them, and something that a test store
/// may not be able to do in the same order.
private struct RandomCalls: Reducer {
  struct State: Equatable { var log: [Int] = [] }
  enum Action: Equatable, Sendable { case start(Int), done(Int) }

  struct Kind: Sendable {
    let id: Int
    let wait: Int
    let calls: Int
    let sendsBetween: Bool
    let habit: Habit
  }

  enum Habit: CaseIterable, Sendable {
    case none, alsoNone, sendsFirst, sleepsAfter, delivers, callsNothing, fails, isTriedAgain
  }

  let kinds: [Kind]
  let overlaps: [Overlap]
  var ask: @Sendable (Int) async throws -> Int = { $0 }

  init(_ numbers: inout SeededNumbers) {
    overlaps = (0..<2).map { _ in [Overlap.restart, .drop, .concurrent, .enqueue][numbers.next(below: 4)] }
    kinds = (0..<3).map { _ in
      Kind(
        id: numbers.next(below: 2), wait: numbers.next(below: 3), calls: 1 + numbers.next(below: 2),
        sendsBetween: numbers.next(below: 2) == 0,
        habit: Habit.allCases[numbers.next(below: Habit.allCases.count)])
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start(let number):
      let kind = kinds[number]
      let run = Effect<Action>.run(id: kind.id, overlap: overlaps[kind.id]) { [ask] send in
        if kind.wait > 0 { try await send.sleep(for: .seconds(kind.wait)) }
        if kind.habit == .sendsFirst { send(.done(number * 10)) }
        if kind.habit == .delivers { guard await send.delivered(.done(number * 10)) else { return } }
        for call in 1...kind.calls {
          if kind.habit != .callsNothing { _ = try await ask(number * 10 + call) }
          if kind.habit == .sleepsAfter { try await send.sleep(for: .seconds(1)) }
          if kind.sendsBetween || call == kind.calls { send(.done(number * 10 + call)) }
        }
        if kind.habit == .fails || kind.habit == .isTriedAgain { _ = try await ask(number * 10 + 9) }
      } catch: { _, send in
        send(.done(number * 10 + 9))
      }
      return kind.habit == .isTriedAgain ? run.retry(attempts: 2, backoff: .constant(.zero)) : run
    case .done(let number):
      state.log.append(number)
      return .none
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// The check of histories, as a value: compared with all orders of the requests.
@Suite struct LinearizabilityCheckTests {
  private enum Operation: Hashable, Sendable { case write(Int), read, add(Int) }

  private static func perform(_ model: inout Int, _ operation: Operation) -> Int {
    switch operation {
    case .write(let value): model = value
    case .add(let value): model += value
    case .read: break
    }
    return model
  }

  private typealias Call = HistoryCall<Operation, Int>

  private func call(_ operation: Operation, _ begin: Int, _ end: Int?, _ answer: Int = 0) -> Call {
    Call(operation: operation, sender: "", begin: begin, answer: end.map { ($0, answer) })
  }

  private func isLinearizable(_ calls: [Call], limit: Int = 100_000) -> Bool? {
    var check = LinearizabilityCheck(calls, limit: limit, Self.perform)
    switch check.run(from: 0) {
    case .linearizable: return true
    case .violated: return false
    case .undecided: return nil
    }
  }

  /// Every order of every set of requests that includes the answered ones.
  private func bruteForce(_ calls: [Call]) -> Bool {
    func extend(_ order: [Int]) -> Bool {
      if calls.indices.allSatisfy({ calls[$0].answer == nil || order.contains($0) }), isRight(order) { return true }
      return calls.indices.contains { !order.contains($0) && extend(order + [$0]) }
    }
    func isRight(_ order: [Int]) -> Bool {
      for (place, index) in order.enumerated() {
        for later in order[(place + 1)...] {
          if let end = calls[later].answer?.moment, end < calls[index].begin { return false }
        }
      }
      // A request that was left out has no answer, so nothing must come before it.
      var model = 0
      return order.allSatisfy { index in
        let value = Self.perform(&model, calls[index].operation)
        return calls[index].answer.map { $0.value == value } ?? true
      }
    }
    return extend([])
  }

  @Test func `A read of an old value after a write was answered is not linearizable`() {
    #expect(isLinearizable([call(.write(1), 1, 2, 1), call(.read, 3, 4, 0)]) == false)
    #expect(isLinearizable([call(.write(1), 1, 2, 1), call(.read, 3, 4, 1)]) == true)
  }

  @Test func `Requests that overlap may take effect in either order`() {
    #expect(isLinearizable([call(.write(1), 1, 3, 1), call(.read, 2, 4, 0)]) == true)
    #expect(isLinearizable([call(.write(1), 1, 3, 1), call(.read, 2, 4, 1)]) == true)
    #expect(isLinearizable([call(.write(1), 1, 3, 1), call(.read, 2, 4, 2)]) == false)
  }

  @Test func `A request without an answer may take effect later or never`() {
    let write = call(.write(1), 1, nil)
    #expect(isLinearizable([write, call(.read, 2, 3, 0), call(.read, 4, 5, 1)]) == true)
    #expect(isLinearizable([write, call(.read, 2, 3, 0)]) == true)
    #expect(isLinearizable([write, call(.read, 2, 3, 1), call(.read, 4, 5, 0)]) == false)
  }

  @Test func `Histories that are too large are not decided`() {
    let many = (0..<65).map { call(.read, 2 * $0, 2 * $0 + 1, 0) }
    #expect(isLinearizable(many) == nil)
    #expect(isLinearizable(Array(many.prefix(64))) == true)
    // All overlap, and no order is right.
    let wide = (0..<12).map { call(.add(1 << $0), $0, 100 + $0, -1) }
    #expect(isLinearizable(wide) == false, "the first answer is wrong in each order")
    let deep = (0..<14).map { call(.add(1 << $0), $0, nil) } + [call(.read, 20, 200, -1)]
    #expect(isLinearizable(deep, limit: 1_000) == nil)
  }

  @Test func `A violation names the order that goes furthest, and what the model answers next`() {
    var check = LinearizabilityCheck([call(.write(1), 1, 2, 1), call(.read, 3, 4, 0)], Self.perform)
    guard case .violated(let order, let misses) = check.run(from: 0) else {
      Issue.record("not violated")
      return
    }
    #expect(order == [0])
    #expect(misses.map(\.call) == [1] && misses.map(\.allowed) == [1])
  }

  @Test func `Random histories are decided as by all orders`() {
    var numbers = SeededNumbers(seed: 7)
    var counts = [true: 0, false: 0]
    for _ in 0..<3_000 {
      let senders = 2 + numbers.next(below: 2)
      var calls: [Call] = []
      var open: [Int?] = Array(repeating: nil, count: senders)
      var model = 0
      // Some answers are those of the model at some moment, so that both results occur.
      for moment in 1...9 {
        let sender = numbers.next(below: senders)
        if let index = open[sender] {
          open[sender] = nil
          // Some requests get no answer.
          if numbers.next(below: 6) == 0 { continue }
          let own = numbers.next(below: 3) == 0 ? numbers.next(below: 3) : Self.perform(&model, calls[index].operation)
          calls[index].answer = (moment, own)
        } else if calls.count < 5 {
          let operation: Operation =
            switch numbers.next(below: 3) {
            case 0: .write(numbers.next(below: 3))
            case 1: .add(1)
            default: .read
            }
          open[sender] = calls.count
          calls.append(Call(operation: operation, sender: "\(sender)", begin: moment))
        }
      }
      let expected = bruteForce(calls)
      counts[expected, default: 0] += 1
      #expect(isLinearizable(calls) == expected, "\(calls)")
    }
    #expect(counts.values.allSatisfy { $0 > 300 }, "\(counts)")
  }
}

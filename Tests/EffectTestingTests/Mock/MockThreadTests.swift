// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import EffectTesting

/// Calls, answers and cancels at the same time, on all threads.
@Suite struct `A mock under threads` {
  @Test func `Each of many calls gets its own answer`() async {
    let mock = Mock<Int, Int>()
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<1_000 { group.addTask { (try? await mock(number)) == 2 * number } }
      await mock.pending(atLeast: 1_000)
      #expect(mock.pending.sorted() == Array(0..<1_000))
      for number in 0..<1_000 {
        group.addTask {
          mock.answer(2 * number, where: { $0 == number })
          return true
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(mock.pending.isEmpty)
  }

  @Test func `Calls that are added in another order are in the order of their numbers`() {
    var book = CallBook<String, Int>()
    for number: UInt64 in [2, 4, 1, 3] { book.begin(number, "\(number)", 0) }
    #expect(book.pending.map(\.number) == [1, 2, 3, 4])
    #expect((1...4).map { book.position(of: $0) } == [0, 1, 2, 3])
  }

  @Test func `An answer and a cancel that meet end a call once`() async {
    var (answered, cancelled) = (0, 0)
    for _ in 0..<20 {
      let mock = Mock<Int, Int>()
      let late = Diary<String>()
      let calls = (0..<100).map { number in Task.detached { try await mock(number) } }
      await mock.pending(atLeast: 100)
      await withTaskGroup(of: Void.self) { group in
        for (number, call) in calls.enumerated() {
          group.addTask {
            Reporter.$diversion.withValue(
              Reporter.Diversion { text, _ in
                late.write(text)
                return true
              }
            ) { mock.answer(number, where: { $0 == number }) }
          }
          group.addTask { call.cancel() }
        }
      }
      var ends = 0
      for (number, call) in calls.enumerated() {
        switch await call.result {
        case .success(let value):
          #expect(value == number)
          answered += 1
        case .failure(let error):
          #expect(error is CancellationError)
          ends += 1
        }
      }
      cancelled += ends
      // An answer that came behind the cancel is reported.
      #expect(late.count == ends)
      #expect(mock.pending.isEmpty)
    }
    #expect(answered + cancelled == 2_000)
  }

  @Test func `Answers of other threads resume the runs of a test store`() async {
    let mock = Mock<Int, Int>()
    let store = TestStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        guard action == 0 else {
          state += action
          return .none
        }
        return .merge((1...200).map { number in .run { send in send(try await mock(number)) } })
      }
    ).patient
    store.send(0)
    #expect(mock.pending == Array(1...200))
    await withTaskGroup(of: Void.self) { group in
      for number in 1...200 { group.addTask { mock.answer(number, where: { $0 == number }) } }
    }
    await store.receive(unordered: Array(1...200)) { $0 = 20_100 }
    await store.finish()
  }
}

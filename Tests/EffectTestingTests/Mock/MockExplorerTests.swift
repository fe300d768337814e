// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import EffectTesting

/// Mocks in `explore`: the order of their answers is explored.
@Suite struct `A mock in an exploration` {
  private func twoQueries(
    _ overlap: Overlap, _ find: () -> Mock<String, [String]>
  ) async -> Account {
    await Account(search: .full(.steps)) { schedule in
      let run = schedule.store(
        initialState: .init(), reducer: Finder(overlap: overlap, find: find().callAsFunction), always: \.isFresh)
      run.send(.typed("s"))
      run.send(.typed("sw"))
    }
  }

  @Test func `An old answer that overwrites a new one is found with concurrent, and not with restart`() async {
    let planted = await twoQueries(.concurrent) { Mock(answering: { [$0] }) }
    #expect(planted.text?.hasPrefix("After a reduction `always` does not hold.") == true)
    #expect(planted.text?.contains("State(query: \"sw\", results: [\"s\"]") == true)
    #expect(planted.result.schedules < 20)
    let fixed = await twoQueries(.restart) { Mock(answering: { [$0] }) }
    #expect(fixed.text == nil)
    #expect(fixed.result.completeLevel == .steps)
    #expect(fixed.result.gaps.isEmpty && fixed.waits == 0)
  }

  @Test func `Both orders of two answers are tried, in each level`() async {
    for level in [Exploration.Level.deliveries, .steps] {
      var ends: [[String]] = []
      let account = await Account(search: .full(level)) { schedule in
        let find = Mock<String, [String]>(answering: { [$0] })
        let run = schedule.store(
          initialState: .init(), reducer: Finder(find: find.callAsFunction),
          finally: { state in
            if !ends.contains(state.results) { ends.append(state.results) }
            return true
          })
        run.send(.typed("s"))
        run.send(.typed("sw"))
      }
      #expect(Set(ends) == [["s"], ["sw"]], "\(level)")
      #expect(account.result.completeLevel == level && account.result.gaps.isEmpty)
    }
  }

  /// Two runs that each add one to a number of a server: read it, then write it.
  private func adding(_ read: (Number) -> @Sendable () async throws -> Int) async -> Account {
    await Account(search: .full(.steps)) { schedule in
      let number = Number()
      let run = schedule.store(
        initialState: 0, reducer: Adding(read: read(number), write: { number.value = $0 }),
        finally: { state in number.value == state })
      run.send(.add)
      run.send(.add)
    }
  }

  private struct Adding: Reducer {
    enum Action: Sendable { case add, added }

    let read: @Sendable () async throws -> Int
    let write: @Sendable (Int) -> Void

    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      guard case .add = action else {
        state += 1
        return .none
      }
      return .run { [read, write] send in
        write(try await read() + 1)
        send(.added)
      }
    }
  }

  private final class Number: Sendable {
    private let lock = Lock(0)

    var value: Int {
      get { lock.withLock { $0 } }
      set { lock.withLock { $0 = newValue } }
    }
  }

  @Test func `Anything may happen between a call and its answer, which a plain closure does not show`() async {
    let plain = await adding { number in { number.value } }
    #expect(plain.text == nil && plain.result.completeLevel == .steps)
    let mocked = await adding { number in Mock(answering: { number.value }).callAsFunction }
    #expect(mocked.text?.hasPrefix("When nothing can happen any more, `finally` does not hold.") == true)
  }

  @Test func `A mock that throws reaches the catch of the run`() async {
    let account = await Account(search: .full(.steps)) { schedule in
      let find = Mock<String, [String]>(answering: { _ in throw Offline() })
      schedule.store(
        initialState: .init(), reducer: Finder(find: find.callAsFunction), finally: { $0.error == "Offline()" }
      ).send(.typed("s"))
    }
    #expect(account.text == nil)
    #expect(account.result.completeLevel == .steps)
  }

  @Test func `Schedules may share a mock, and no call of one schedule is seen in the next`() async {
    let shared = Mock<String, [String]>(answering: { [$0] })
    let own = await twoQueries(.restart) { Mock(answering: { [$0] }) }
    let account = await twoQueries(.restart) { shared }
    #expect(account.result.completeCount == own.result.completeCount)
    #expect(shared.pending == [])
    // One without answers: the calls of a schedule end with it.
    let silent = Mock<String, [String]>()
    var atBeginning: [Int] = []
    let waiting = await Account(search: .full(.steps)) { schedule in
      atBeginning.append(silent.pending.count)
      let run = schedule.store(
        initialState: .init(), reducer: Finder(find: silent.callAsFunction),
        requiring: [.noDeadlock(except: "find")])
      run.send(.typed("s"))
      run.send(.typed("sw"))
    }
    #expect(waiting.text == nil)
    #expect(waiting.result.completeLevel == .steps && waiting.result.schedules > 1)
    #expect(atBeginning.allSatisfy { $0 == 0 } && silent.pending == [])
    #expect(waiting.waits == 0)
  }

  @Test func `A mock that the test must answer fails at the end of a schedule, without a wait in real time`() async {
    let account = await twoQueries(.restart) { Mock() }
    #expect(account.waits == 0)
    let text = account.text?.replacing(#/\w+/MockExplorerTests\.swift:\d+/#, with: "App/Tests.swift:8")
    #expect(
      text?.hasPrefix(
        """
        At the end of a schedule a run waits for an answer that nothing gives:

          run("find", input: "sw", overlap: restart) at App/Finder.swift:31: waits for an answer of the mock at \
        App/Tests.swift:8, called with "sw"

        In `explore` the test cannot answer. Let the mock answer by itself: \
        `Mock<String, Array<String>>(answering: { _ in [] })`. If the run may wait for ever, name its id in the \
        requirements, for example `requiring: [.noDeadlock(except: "load")]`.
        """) == true, "\(text ?? "")")
  }

  @Test func `A call that a cancel or a deadline ends is no failure, and the exploration is complete`() async {
    for (timeout, stops) in [(Duration.seconds(1), false), (nil, true)] as [(Duration?, Bool)] {
      let account = await Account(search: .full(.steps)) { schedule in
        let load = Mock<Void, Int>()
        let run = schedule.store(
          initialState: Counter(),
          reducer: counter(
            timeout.map { limit in waiting(for: load).timeout(after: limit) } ?? waiting(for: load)))
        run.send(.start)
        if stops { run.cancel("work") }
      }
      #expect(account.text == nil)
      #expect(account.result.completeLevel == .steps)
      #expect(account.waits == 0)
    }
  }

  private func waiting(for load: Mock<Void, Int>) -> Effect<CounterAction> {
    .run(id: "work", overlap: .concurrent) { send in
      send(.set(try await load()))
    } catch: { _, _ in
    }
  }
}

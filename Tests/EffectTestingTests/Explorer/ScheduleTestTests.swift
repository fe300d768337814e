// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `same order` and `end` is what the failures contain, as it is.

@testable import EffectTesting
import Testing


/// A failure of an exploration contains a test that has the same order. Each one is compiled here, and fails for the same reason.
@Suite struct `The same order as a test` {
  /// Compares the test in a failure with the code in this file behind a line `// same order: name`, and runs that code: only its
  /// condition does not hold. (It returns `true` here, because this test passes if it does not hold.)
  private func expect(
    _ account: Account, contains name: String, _ test: nonisolated(nonsending) () async -> Void
  ) async throws {
    let text = try #require(account.text)
    let file = try #require(TextFile.read(#filePath))
    let begin = try #require(file.firstRange(of: "// same order: \(name)\n"))
    let rest = file[begin.upperBound...]
    let code = rest[..<(try #require(rest.firstRange(of: "// end"))).lowerBound]
    let indentation = code.prefix { $0 == " " }.count
    let lines = code.split(separator: "\n").map { $0.dropFirst(indentation) }.filter { !$0.isEmpty }
    let expected = lines.map { "\n  \($0)" }.joined()
    #expect(text.contains("\n\nThe same order as a test"))
    #expect(text.contains("\n\(expected)\n\n`.init` is called") || text.contains("\n\(expected)\n\nRun this schedule"), "\(text)")
    let found = await failures(test)
    #expect(found == [])
  }

  @Test func `Answers come in another order than the calls`() async throws {
    let account = await Account { schedule in
      let page = Mock<Int, [Int]>(answering: { [$0 + 1, $0 + 2] })
      let run = schedule.store(
        initialState: .init(items: [1, 2, 3, 4]), reducer: Paged(page: page.callAsFunction),
        always: { $0.items == Array(1..<$0.items.count + 1) })
      run.send(.more)
      run.send(.refresh)
    }
    var holds = true
    func always(_ state: Paged.State) -> Bool {
      holds = state.items == Array(1..<state.items.count + 1)
      return true
    }
    try await expect(account, contains: "pages") {
      // same order: pages
      let page = Mock<Int, Array<Int>>()
      let store = TestStore(initialState: .init(items: [1, 2, 3, 4]), reducer: Paged(page: page.callAsFunction))
      store.send(.more)
      store.send(.refresh)
      page.answer([1, 2], where: { $0 == 0 })
      await store.receive(.refreshed([1, 2])) { $0.items = [1, 2] }
      page.answer([5, 6])
      await store.receive(.appended([5, 6])) { $0.items = [1, 2, 5, 6] }
      #expect(always(store.state))
      store.exhaustivity = .off  // the rest is not checked
      // end
    }
    #expect(!holds)
  }

  @Test func `Time passes, an answer is an error, and a run makes several calls`() async throws {
    let account = await Account { schedule in
      let run = schedule.store(
        initialState: .init(), reducer: Draft(
          token: Mock(answering: { 7 }).callAsFunction, save: Mock(answering: { _ in throw Draft.Refused.full }).callAsFunction, limit: 2),
        finally: { $0.isSaved })
      run.advance(by: .seconds(1))
      run.send(.edited("a"))
    }
    var holds = true
    func finally(_ state: Draft.State) -> Bool {
      holds = state.isSaved
      return true
    }
    try await expect(account, contains: "draft") {
      // same order: draft
      let token = Mock<(), Int>()
      let save = Mock<String, ()>()
      let store = TestStore(initialState: .init(text: "", isSaved: false, error: nil), reducer: Draft(token: token.callAsFunction, save: save.callAsFunction, limit: 2))
      store.advance(by: .seconds(1))
      store.send(.edited("a")) { $0.text = "a" }
      store.advance(by: .seconds(2))
      token.answer(7)
      await store.settle()
      save.answer(throwing: Draft.Refused.full)
      await store.receive(.failed(.full)) { $0.error = .full }
      await store.finish()
      #expect(finally(store.state))
      // end
    }
    #expect(!holds)
  }

  @Test func `A reducer that cannot be written is left to the user`() async throws {
    let account = await Account { schedule in
      let ask = Mock<Int, Int>(answering: { $0 })
      let run = schedule.store(
        initialState: .init(), reducer: Guessing(ask: ask.callAsFunction, isFinal: { $0 > 8 }), always: { $0.last != 2 })
      run.send(.ask(2))
    }
    let text = try #require(account.text)
    #expect(text.contains("\n  // `reducer`: that of the exploration, with the mocks above\n"))
    #expect(text.contains("\n  let store = TestStore(initialState: .init(last: 0), reducer: reducer)\n"))
    #expect(text.contains("\n  let ask = Mock<Int, Int>()\n"))
  }

  /// As the closures of a module are that has no upcoming features.
  private struct Elsewhere: Reducer {
    var ask: @concurrent @Sendable (Int) async throws -> Int
    var token: @concurrent @Sendable () async throws -> Int

    func reduce(into state: inout Int, action: Int) -> Effect<Int> {
      if action > 0 { state = action }
      guard action < 2 else { return .none }
      return .run { [ask, token] send in send(try await ask(2) + token()) }
    }
  }

  @Test func `Mocks are found in the closures of a module without upcoming features`() async throws {
    let account = await Account { schedule in
      let ask = Mock<Int, Int>(answering: { $0 })
      let token = Mock<Void, Int>(answering: { 0 })
      let run = schedule.store(
        initialState: 0, reducer: Elsewhere(ask: ask.callAsFunction, token: token.callAsFunction), always: { $0 != 2 })
      run.send(1)
    }
    let text = try #require(account.text)
    #expect(text.contains("Elsewhere(ask: ask.callAsFunction, token: token.callAsFunction))"), "\(text)")
  }

  /// Its dependencies are in a property, so that no label says which mock is which.
  private struct Nested: Reducer {
    struct Dependencies: Sendable { var ask: @Sendable (Int) async throws -> Int }
    var dependencies: Dependencies

    func reduce(into state: inout Int, action: Int) -> Effect<Int> {
      if action > 0 { state = action }
      guard action < 2 else { return .none }
      return .run(fileID: "App/Nested.swift", line: 7) { [dependencies] send in send(try await dependencies.ask(2)) }
    }
  }

  @Test func `A mock without a name is named by the run that calls it`() async throws {
    let account = await Account { schedule in
      let run = schedule.store(
        initialState: 0, reducer: Nested(dependencies: .init(ask: Mock(answering: { $0 }).callAsFunction)), always: { $0 != 2 })
      run.send(1)
    }
    let text = try #require(account.text)
    #expect(text.contains("\n  let mock = Mock<Int, Int>()  // called by the run at App/Nested.swift:7\n"))
  }

  @Test func `Without a mock there is no such test`() async {
    let account = await Account { schedule in
      let run = schedule.store(
        initialState: .init(), reducer: Guessing(ask: { $0 }, isFinal: { _ in false }), always: { $0.last != 2 })
      run.send(.ask(2))
    }
    #expect(account.text?.contains("a test") == false, "\(account.text ?? "")")
    #expect(account.text?.contains("TestStore") == false)
  }

  @Test func `What cannot be written as a test is named`() async {
    func obstacle(
      faults: Exploration.Faults = .none, _ script: (Exploration.Script<Guessing.Action>) -> Void
    ) async -> Substring? {
      let account = await Account(faults: faults) { schedule in
        let ask = Mock<Int, Int>(answering: { $0 })
        let run = schedule.store(
          initialState: .init(), reducer: Guessing(ask: ask.callAsFunction, isFinal: { _ in false }),
          always: { $0.last != 2 && $0.last != -1 })
        script(run)
      }
      #expect(account.text?.contains("The same order as a test") == false, "\(account.text ?? "")")
      let line = account.text?.split(separator: "\n").first { $0.contains("This schedule cannot be written") }
      return line?.split(separator: "`TestStore`: ").last
    }
    let cancel = await obstacle { run in
      run.send(.ask(1))
      run.cancel("nothing")
      run.send(.ask(2))
    }
    #expect(cancel == "the script does more than send actions and let time pass.")
    let fault = await obstacle(faults: .anyOne(of: .duplicate("ask"))) { $0.send(.askOnce) }
    #expect(fault == "faults were injected.")
  }

  /// A run that calls a mock, and does something else that a test store does not stop at.
  @Test(arguments: [
    ("sleeps", "a run sleeps after, or beside, a call of a mock."), ("delivers", "a run waits until its action is reduced."),
    ("again", "a run that calls a mock is tried again."), ("twice", "a run makes two calls at once."),
  ]) func `What a test store does not do is named`(habit: String, reason: String) async {
    let account = await Account(search: .levels(upTo: .timers)) { schedule in
      let ask = Mock<Int, Int>(answering: { if habit == "again" { throw Draft.Refused.full } else { $0 } })
      let reducer = Reduce<Int, Int> { state, action in
        state += action
        guard action == 0 else { return .none }
        return Effect<Int>.run(id: "habit", overlap: .drop) { send in
          if habit == "delivers" { guard await send.delivered(0 + 1) else { return } }
          async let other = habit == "twice" ? ask(2) : 0
          _ = try await ask(1)
          _ = try await other
          if habit == "sleeps" { try await send.sleep(for: .seconds(1)) }
          send(7)
        } catch: { _, send in
          send(7)
        }
        .retry(attempts: habit == "again" ? 2 : 1, backoff: .constant(.zero))
      }
      schedule.store(initialState: 0, reducer: reducer, always: { $0 < 7 }).send(0)
    }
    let line = account.text?.split(separator: "\n").first { $0.contains("This schedule cannot be written") }
    #expect(line?.hasSuffix(reason) == true, "\(account.text ?? "")")
  }

  @Test func `An error without a catch fails at the end of the test`() async throws {
    let account = await Account { schedule in
      let ask = Mock<Int, Int>(answering: { _ in throw Draft.Refused.full })
      schedule.store(initialState: Guessing.State(), reducer: Guessing(ask: ask.callAsFunction, isFinal: { _ in false }))
        .send(.ask(1))
    }
    let lines = try #require(account.text).split(separator: "\n").map { $0.trimmingPrefix(while: { $0 == " " }) }
    let answer = try #require(lines.firstIndex(of: "ask.answer(throwing: Draft.Refused.full)"), "\(account.text ?? "")")
    #expect(lines[answer - 1] == "store.send(.ask(1))")
    #expect(lines[answer + 1] == "await store.finish()")
    let found = await failures {
      let ask = Mock<Int, Int>()
      let store = TestStore(
        initialState: .init(last: 0), reducer: Guessing(ask: ask.callAsFunction, isFinal: { _ in false }))
      store.send(.ask(1))
      ask.answer(throwing: Draft.Refused.full)
      await store.finish()
    }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("full") == true)
  }
}

struct Paged: Reducer {
  struct State: Equatable { var items: [Int] = [] }
  enum Action: Equatable, Sendable { case refresh, more, refreshed([Int]), appended([Int]) }

  var page: @Sendable (Int) async throws -> [Int]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .refresh: return .run(id: "refresh", overlap: .restart) { [page] send in send(.refreshed(try await page(0))) }
    case .more:
      return .run(id: "more", overlap: .drop, input: state.items.count) { [page] count, send in
        send(.appended(try await page(count)))
      }
    case .refreshed(let items): state.items = items
    case .appended(let items): state.items += items
    }
    return .none
  }
}

struct Draft: Reducer {
  enum Refused: Error { case full }

  struct State: Equatable {
    var text = ""
    var isSaved = false
    var error: Refused?
  }

  enum Action: Equatable, Sendable { case edited(String), saved, failed(Refused) }

  var token: @Sendable () async throws -> Int
  var save: @Sendable (String) async throws -> Void
  var limit: Int

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edited(let text):
      state.text = text
      return .run(id: "save", overlap: .restart) { [token, save, limit] send in
        try await send.sleep(for: .seconds(limit))
        _ = try await token()
        try await save(text)
        send(.saved)
      } catch: { error, send in
        if let error = error as? Refused { send(.failed(error)) }
      }
    case .saved: state.isSaved = true
    case .failed(let error): state.error = error
    }
    return .none
  }
}

struct Guessing: Reducer {
  struct State: Equatable { var last = 0 }
  enum Action: Equatable, Sendable { case ask(Int), askOnce, answered(Int) }

  var ask: @Sendable (Int) async throws -> Int
  var isFinal: @Sendable (Int) -> Bool

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .ask(let number): return .run { [ask] send in send(.answered(try await ask(number))) }
    case .askOnce: return .run(id: "ask", overlap: .drop) { [ask] send in send(.answered(try await ask(1))) }
    case .answered(let number): state.last = number == state.last ? -1 : number         // no answer comes twice
    }
    return .none
  }
}

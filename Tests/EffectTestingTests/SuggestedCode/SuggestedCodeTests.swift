// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectTesting

/// What failures suggest for typical mistakes. Each suggestion is pinned, and stands beside the same closure, compiled: with
/// it the test is green.
@Suite struct `Suggested code` {
  /// Takes a step without a closure, compares what the failure suggests, and takes the step again with the closure.
  ///
  /// The closure after this call must be the suggested text: that is read in this file.
  private func suggests(
    _ suggestion: String, when change: @escaping @Sendable (inout Shop.State) -> Void, line: UInt = #line,
    fixed closure: @escaping (inout Shop.State) throws -> Void
  ) async {
    let place = SourceLocation(fileID: #fileID, filePath: #filePath, line: Int(line), column: 1)
    let red = TestStore(initialState: Shop.State(), reducer: Shop(change: change))
    let found = await failures { red.send(.apply(1)) }
    let isBlock = suggestion.contains("\n")
    let text = isBlock ? "\n\n\(indented(suggestion))" : "`\(suggestion)`"
    #expect(found.count == 1, sourceLocation: place)
    #expect(found.first?.text.contains(text) == true, "\(found.first?.text ?? "")", sourceLocation: place)
    // A closure that is wrong gets the same suggestion.
    let wrong = await failures {
      TestStore(initialState: Shop.State(), reducer: Shop(change: change)).send(.apply(1)) { $0.query = "no" }
    }
    #expect(wrong.first?.text.contains(text) == true, "\(wrong.first?.text ?? "")", sourceLocation: place)
    let green = await failures {
      let store = TestStore(initialState: Shop.State(), reducer: Shop(change: change))
      store.send(.apply(1), closure)
      await store.finish()
    }
    #expect(green == [], sourceLocation: place)
    // Once in the argument, and once as the closure. The change itself may be written in the same way.
    let lines = TextFile.read(#filePath)?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let source = compact(lines.dropFirst(Int(line) - 1).prefix(24).joined(separator: "\n"))
    let code = compact(suggestion)
    let count = source.ranges(of: code).count - source.ranges(of: "when:\(code)").count
    #expect(count == 2, sourceLocation: place)
  }

  private func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
  }

  /// Without spaces, so that the formatter may put the closure on several lines.
  private func compact(_ text: String) -> String { String(text.filter { !$0.isWhitespace }) }

  @Test func `A field is set`() async {
    await suggests(#"{ $0.query = "swift" }"#, when: { $0.query = "swift" }) { $0.query = "swift" }
  }

  @Test func `A stack is changed by its own functions, so that the ids are the same`() async {
    await suggests(
      """
      {
        $0.pages.elements[0] = 7
        $0.pages.dismiss(1)
        $0.pages.push(4)
        $0.pages.push(5)
      }
      """,
      when: { state in
        state.pages.elements[0] = 7
        state.pages.dismiss(1)
        state.pages.push(4)
        state.pages.push(5)
      }
    ) {
      $0.pages.elements[0] = 7
      $0.pages.dismiss(1)
      $0.pages.push(4)
      $0.pages.push(5)
    }
    await suggests("{ $0.pages.push(4) }", when: { $0.pages.push(4) }) { $0.pages.push(4) }
    await suggests("{ $0.pages.dismiss(0) }", when: { $0.pages.popToRoot() }) { $0.pages.dismiss(0) }
  }

  @Test func `A payload without a value is written`() async {
    await suggests("{ $0.payment = .cash(()) }", when: { $0.payment = .cash(()) }) { $0.payment = .cash(()) }
  }

  @Test func `Several fields are set`() async {
    await suggests(
      #"""
      {
        $0.query = "a \"b\""
        $0.isLoading = true
        $0.error = "offline"
      }
      """#,
      when: { state in
        state.query = "a \"b\""
        state.isLoading.toggle()
        state.error = "offline"
      }
    ) {
      $0.query = "a \"b\""
      $0.isLoading = true
      $0.error = "offline"
    }
  }

  @Test func `A field of a row is set`() async {
    await suggests(#"{ $0.rows[2].title = "new" }"#, when: { $0.rows[2].title = "new" }) { $0.rows[2].title = "new" }
  }

  @Test func `A row with a constant is replaced`() async {
    await suggests(
      #"{ $0.rows[1] = .init(id: 9, title: "nine", tags: []) }"#, when: { $0.rows[1] = Shop.Row(id: 9, title: "nine") }
    ) {
      $0.rows[1] = .init(id: 9, title: "nine", tags: [])
    }
  }

  @Test func `A struct of constants is replaced`() async {
    await suggests(
      #"{ $0.price = .init(cents: 250, currency: "EUR") }"#,
      when: { $0.price = Shop.Price(cents: 250, currency: "EUR") }
    ) { $0.price = .init(cents: 250, currency: "EUR") }
  }

  @Test func `Rows are added, inserted and removed`() async {
    await suggests(#"{ $0.results = ["a", "b"] }"#, when: { $0.results = ["a", "b"] }) { $0.results = ["a", "b"] }
    await suggests(
      #"{ $0.rows.append(.init(id: 5, title: "five", tags: ["new"])) }"#,
      when: { $0.rows.append(Shop.Row(id: 5, title: "five", tags: ["new"])) }
    ) { $0.rows.append(.init(id: 5, title: "five", tags: ["new"])) }
    await suggests("{ $0.rows.remove(at: 1) }", when: { $0.rows.remove(at: 1) }) { $0.rows.remove(at: 1) }
    await suggests("{ $0.numbers.insert(77, at: 3) }", when: { $0.numbers.insert(77, at: 3) }) {
      $0.numbers.insert(77, at: 3)
    }
    await suggests("{ $0.numbers.removeSubrange(5..<9) }", when: { $0.numbers.removeSubrange(5..<9) }) {
      $0.numbers.removeSubrange(5..<9)
    }
    await suggests(
      "{ $0.numbers.replaceSubrange(38..<40, with: [7, 8, 9]) }", when: { $0.numbers = Array(1...38) + [7, 8, 9] }
    ) { $0.numbers.replaceSubrange(38..<40, with: [7, 8, 9]) }
    await suggests("{ $0.rows = [] }", when: { $0.rows = [] }) { $0.rows = [] }
  }

  @Test func `An optional is set, changed inside, and cleared`() async {
    await suggests(
      #"{ $0.selected = .init(id: 1, title: "one", tags: []) }"#, when: { $0.selected = Shop.Row(id: 1, title: "one") }
    ) {
      $0.selected = .init(id: 1, title: "one", tags: [])
    }
    let rows = ["a", "b"].map { Shop.Row?.some(.init(id: 1, title: $0)) }
    #expect(ChangeCode(from: rows[0] as Any, to: rows[1] as Any).closure == #"{ $0?.title = "b" }"#)
    #expect(ChangeCode(from: (1 as Int?) as Any, to: Int?.none as Any).closure == "{ $0 = nil }")
  }

  @Test func `Members of a set are inserted and removed`() async {
    await suggests(
      """
      {
        $0.marked.remove(3)
        $0.marked.insert(99)
      }
      """,
      when: { state in
        state.marked.insert(99)
        state.marked.remove(3)
      }
    ) {
      $0.marked.remove(3)
      $0.marked.insert(99)
    }
  }

  @Test func `Values of a dictionary are set, changed inside, and removed`() async {
    await suggests(
      """
      {
        $0.stock["item 3"] = nil
        $0.stock["item 4"] = 40
        $0.drafts[7]?.title = "better"
      }
      """,
      when: { state in
        state.stock["item 4"] = 40
        state.stock["item 3"] = nil
        state.drafts[7]?.title = "better"
      }
    ) {
      $0.stock["item 3"] = nil
      $0.stock["item 4"] = 40
      $0.drafts[7]?.title = "better"
    }
  }

  @Test func `An enum is set as a whole`() async {
    await suggests(
      #"{ $0.screen = .detail(.init(id: 1, title: "one", tags: []), count: 2) }"#,
      when: { $0.screen = .detail(Shop.Row(id: 1, title: "one"), count: 2) }
    ) {
      $0.screen = .detail(.init(id: 1, title: "one", tags: []), count: 2)
    }
    let code = ChangeCode(from: Loading.failed(code: 1), to: Loading.failed(code: 2))
    #expect(code.closure == "{ $0 = .failed(code: 2) }")
  }

  // MARK: - Actions that were not received

  @Test func `An action that was not received is suggested with its closure`() async {
    let feature = Shop(change: { $0.isLoading = true }, effect: { .send(.received("a")) })
    let red = TestStore(initialState: Shop.State(), reducer: feature)
    let found = await failures {
      red.send(.apply(1)) { $0.isLoading = true }
      await red.finish()
    }
    #expect(
      found.first?.text.hasSuffix(
        """
        Write before this step:

          await store.receive(.received("a")) {
            $0.isLoading = false
            $0.results = ["a"]
          }
        """) == true, "\(found)")
    let store = TestStore(initialState: Shop.State(), reducer: feature)
    store.send(.apply(1)) { $0.isLoading = true }
    await store.receive(.received("a")) {
      $0.isLoading = false
      $0.results = ["a"]
    }
    await store.finish()
  }

  @Test func `Several actions that were not received are suggested in their order`() async {
    let feature = Shop(effect: { .concatenate(.send(.noted(text: "one")), .send(.noted(text: "one"))) })
    let red = TestStore(initialState: Shop.State(), reducer: feature)
    let found = await failures {
      red.send(.apply(1))
      await red.finish()
    }
    #expect(
      found.first?.text.hasSuffix(
        """
        Write before this step:

          await store.receive(.noted(text: "one")) { $0.text = "one" }
          await store.receive(.noted(text: "one"))
        """) == true, "\(found)")
    let store = TestStore(initialState: Shop.State(), reducer: feature)
    store.send(.apply(1))
    await store.receive(.noted(text: "one")) { $0.text = "one" }
    await store.receive(.noted(text: "one"))
    await store.finish()
  }

  @Test func `A long action is suggested by its case, and a long value is shortened`() async {
    let long = String(repeating: "long ", count: 100)
    let feature = Shop(effect: { .send(.noted(text: long)) })
    let red = TestStore(initialState: Shop.State(), reducer: feature)
    let found = await failures {
      red.send(.apply(1))
      await red.finish()
    }
    #expect(
      found.first?.text.hasSuffix(
        """
        Write a `receive` step for it before this step.
        """) == true, "\(found)")
    let store = TestStore(initialState: Shop.State(), reducer: feature)
    store.send(.apply(1))
    await store.receive(Shop.Action.noted) { $0.text = long }
    await store.finish()
  }

  @Test func `A closure that would contain only comments is not suggested`() async {
    let long = String(repeating: "long ", count: 100)
    #expect(ChangeCode(from: Shop.State(), to: Shop.State(text: long)).isEmpty)
    let store = TestStore(initialState: Shop.State(), reducer: Shop(change: { $0.text = long }))
    let found = await failures { store.send(.apply(1)) }
    #expect(
      found.first?.text.hasSuffix(
        """
        If that is wrong, fix the reducer. If it is right, set the new state in a closure after the step. The new value is too \
        long to be shown here: write `print(store.state.text)` behind the step.
        """) == true, "\(found)")
    #expect(ChangeCode(from: Shop.State(), to: Shop.State(query: "a", text: long)).closure.hasPrefix("{\n  $0.query"))
    await store.finish()
  }

  @Test func `Of many actions the first are received by code`() async {
    let texts = (1...7).map { "\($0)" }
    let feature = Shop(effect: { .merge(texts.map { .send(.received($0)) }) })
    let red = TestStore(initialState: Shop.State(), reducer: feature)
    let found = await failures {
      red.send(.apply(1))
      await red.finish()
    }
    #expect(
      found.first?.text.hasSuffix(
        #"""
        Write a `receive` step for each before this step. The first ones are:

          await store.receive(.received("1")) { $0.results = ["1"] }
          await store.receive(.received("2")) { $0.results = ["1", "2"] }
          await store.receive(.received("3")) { $0.results = ["1", "2", "3"] }
          await store.receive(.received("4")) { $0.results = ["1", "2", "3", "4"] }
          await store.receive(.received("5")) { $0.results = ["1", "2", "3", "4", "5"] }
        """#) == true, "\(found)")
    let store = TestStore(initialState: Shop.State(), reducer: feature)
    store.send(.apply(1))
    await store.receive(.received("1")) { $0.results = ["1"] }
    await store.receive(.received("2")) { $0.results = ["1", "2"] }
    await store.receive(.received("3")) { $0.results = ["1", "2", "3"] }
    await store.receive(.received("4")) { $0.results = ["1", "2", "3", "4"] }
    await store.receive(.received("5")) { $0.results = ["1", "2", "3", "4", "5"] }
    await store.receive(.received("6")) { $0.results.append("6") }
    await store.receive(.received("7")) { $0.results.append("7") }
    await store.finish()
  }

  /// Its actions are not `Equatable`.
  private struct Player: Reducer {
    enum Action: Sendable { case play, ended, failed(any Error) }
    struct Offline: Error {}

    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      switch action {
      case .play: return .merge(.send(.ended), .send(.failed(Offline())))
      case .ended: state = 1
      case .failed: state = 2
      }
      return .none
    }
  }

  @Test func `Actions that cannot be compared are received by their case`() async {
    let red = TestStore(initialState: 0, reducer: Player())
    let found = await failures {
      red.send(.play)
      await red.finish()
    }
    #expect(
      found.first?.text.hasSuffix(
        """
        Write before this step:

          await store.receive(where: { if case .ended = $0 { true } else { false } }) { $0 = 1 }
          await store.receive(where: { if case .failed = $0 { true } else { false } }) { $0 = 2 }
        """) == true, "\(found)")
    let store = TestStore(initialState: 0, reducer: Player())
    store.send(.play)
    await store.receive(where: { if case .ended = $0 { true } else { false } }) { $0 = 1 }
    await store.receive(where: { if case .failed = $0 { true } else { false } }) { $0 = 2 }
    await store.finish()
  }

  @Test func `Code that calls an initializer says that it may not exist`() async {
    let note = """
      `.init` is called with every stored property. If the type does not have this initializer, call another one.
      """
    let row = Shop.Row(id: 1, title: "one")
    for hasNote in [true, false] {
      let store = TestStore(
        initialState: Shop.State(),
        reducer: Shop(change: { if hasNote { $0.selected = row } else { $0.query = ".init(id: 1)" } }))
      let found = await failures { store.send(.apply(1)) }
      #expect(found.first?.text.hasSuffix("}`. \(note)") == hasNote, "\(found)")
      #expect(found.first?.text.contains(note) == hasNote, "\(found)")
      await store.finish()
    }
  }

  @Test func `A description of several lines stays in one comment`() {
    struct Spoken: Equatable, CustomStringConvertible {
      var number: Int
      var texts: [String]
      var description: String { "\(number)\nlines" }
    }
    let old = (1, Spoken(number: 1, texts: []))
    let code = ChangeCode(from: old, to: (1, Spoken(number: 1, texts: (0..<99).map { "number \($0)" })))
    #expect(!code.statements.isEmpty)
    #expect(code.statements.allSatisfy { !$0.contains("\n") }, "\(code.statements)")
  }

  @Test func `A step that is suggested says what its closure leaves out`() async {
    let long = String(repeating: "long ", count: 100)
    let reducer = Shop(
      change: { state in
        state.query = "a"
        state.text = long
        state.cache = Shop.Cache()
      }, effect: { .send(.apply(2)) })
    let store = TestStore(initialState: Shop.State(), reducer: Sending(reducer))
    let found = await failures {
      store.send(0)
      await store.finish()
    }
    #expect(
      found.first?.text.hasSuffix(
        """
          }

        Not written here as code, because reflection does not show how: `$0.cache` (an object of the class Cache). Fill in \
        what is a comment: it is too long to be shown here.
        """) == true, "\(found)")
  }

  /// Sends 1, which changes the state as the shop does.
  private struct Sending: Reducer {
    let shop: Shop
    init(_ shop: Shop) { self.shop = shop }
    func reduce(into state: inout Shop.State, action: Int) -> Effect<Int> {
      if action == 0 { return .send(1) }
      _ = shop.reduce(into: &state, action: .apply(1))
      return .none
    }
  }

  @Test func `A stack that is replaced by one with the same ids is changed by its functions`() {
    var stack = ChildStack([1, 2])
    stack.pop()
    #expect(ChangeCode(from: stack, to: ChildStack<Int>()).statements == ["$0.dismiss(0)"])
    #expect(ChangeCode(from: stack, to: ChildStack([7])).statements == ["$0.elements[0] = 7"])
    let optional = ChildStack<Int>?.some(ChildStack())
    #expect(ChangeCode(from: optional as Any, to: Optional(ChildStack([7])) as Any).statements == ["$0?.push(7)"])
    #expect(ChangeCode(from: ChildStack<Int>(), to: stack).statements == ["$0.push(1)"])
  }

  // MARK: - What cannot be written

  @Test func `A field that cannot be written is named beside the code of the others`() async {
    let store = TestStore(
      initialState: Shop.State(),
      reducer: Shop(change: { state in
        state.query = "a"
        state.cache = Shop.Cache()
      }))
    let found = await failures { store.send(.apply(1)) }
    #expect(
      found.first?.text.hasSuffix(
        """
        If that is wrong, fix the reducer. If it is right, write a closure after the step: `{ $0.query = "a" }`. Not \
        written here as code, because reflection does not show how: `$0.cache` (an object of the class Cache).
        """) == true, "\(found)")
    await store.finish()
  }

  @Test func `If nothing can be written, no code is shown`() async {
    let store = TestStore(initialState: Shop.State(), reducer: Shop(change: { $0.cache = Shop.Cache() }))
    let found = await failures { store.send(.apply(1)) }
    #expect(
      found.first?.text.hasSuffix(
        """
        If that is wrong, fix the reducer. If it is right, set the new state in a closure after the step. Not written here \
        as code, because reflection does not show how: `$0.cache` (an object of the class Cache).
        """) == true, "\(found)")
    await store.finish()
  }

  @Test func `A private type is not written, nor the storage of a wrapper`() {
    let code = ChangeCode(from: Hiding(secret: 1, wrapped: 1), to: Hiding(secret: 2, wrapped: 2))
    #expect(code.statements.isEmpty)
    #expect(
      code.unwritten == [
        "`$0.secret` (of the private type Secret)", "`$0._wrapped` (the storage of a property wrapper, or private)",
      ])
  }

  @Test func `A change that is deep inside is written with the value around it`() {
    func nested(_ number: Int) -> Nested {
      (0..<10).reduce(Nested(number: number)) { inner, _ in Nested(values: ["a": inner]) }
    }
    let place = "$0" + String(repeating: #".values["a"]?"#, count: 9)
    let code = ChangeCode(from: nested(1), to: nested(2))
    #expect(code.statements == [place + #".values["a"] = .init(number: 2, values: [:])"#])
  }

  @Test func `Of many changes the first are written`() {
    let code = ChangeCode(from: Array(0..<100), to: Array(200..<300))
    #expect(code.statements.count == 21)
    #expect(code.statements.last == "// … and more changes: `print(store.state)`")
  }
}

/// Has any number of values inside each other.
struct Nested: Equatable {
  var number = 0
  var values: [String: Nested] = [:]
}

struct Hiding: Equatable {
  fileprivate struct Secret: Equatable { var number: Int }
  private var secret: Secret
  private var _wrapped: Int

  init(secret: Int, wrapped: Int) {
    self.secret = Secret(number: secret)
    _wrapped = wrapped
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

/// The texts that failures and timelines show, word for word.
@Suite struct `Descriptions of effects` {
  private enum Action: Sendable { case found([String]), failed(String), typed(String, at: Int) }
  private enum Request: Hashable { case search, page(Int) }
  private struct Screen {}

  private func search(_ overlap: Overlap = .concurrent) -> Effect<Action> {
    .run(id: "search", overlap: overlap, input: "swift") { query, send in send(.found([query])) }
  }

  @Test func `The example of the design`() {
    #expect(
      "\(Effect.merge(.cancel(id: "more"), search(.restart)))"
        == #"merge(cancel("more"), run("search", input: "swift", overlap: restart))"#)
  }

  @Test func `None`() {
    #expect("\(Effect<Action>.none)" == "none")
  }

  @Test func `Sends`() {
    #expect("\(Effect<Action>.send(.found(["a", "b"])))" == #"send(found(["a", "b"]))"#)
    #expect("\(Effect<Action>.send(.typed("x", at: 3)))" == #"send(typed("x", at: 3))"#)
    #expect("\(Effect<String>.send("3"))" == #"send("3")"#)
    #expect("\(Effect<Int>.send(3))" == "send(3)")
    #expect("\(Effect<Void>.send(()))" == "send(())")
  }

  @Test func `Runs`() {
    #expect("\(Effect<Action>.run { _ in })" == "run()")
    #expect("\(Effect<Action>.run(id: "a", overlap: .concurrent) { _ in })" == #"run("a")"#)
    #expect("\(Effect<Action>.run(id: Request.page(2), overlap: .concurrent) { _ in })" == "run(page(2))")
    #expect("\(Effect<Action>.run(name: "sync") { _ in })" == #"run(name: "sync")"#)
    #expect("\(Effect<Action>.run(input: 5) { _, _ in })" == "run(input: 5)")
    #expect("\(Effect<Action>.run(input: "5") { _, _ in })" == #"run(input: "5")"#)
    #expect("\(Effect<Action>.run(input: Request.page(1)) { _, _ in })" == "run(input: page(1))")
    #expect(
      "\(Effect<Action>.run(id: "a", overlap: .enqueue(limit: 3, capacity: 10), input: 5, name: "n") { _, _ in })"
        == #"run("a", input: 5, name: "n", overlap: enqueue(limit: 3, capacity: 10))"#)
  }

  @Test func `Priority, catch and source line are not part of the text`() {
    let effect = Effect<Action>.run(id: "a", overlap: .concurrent, priority: .high) { _ in
    } catch: { _, _ in
    }
    #expect("\(effect)" == #"run("a")"#)
  }

  @Test func `Cancels`() {
    func text(_ target: Cancellation) -> String { "\(Effect<Action>.cancel(target))" }
    #expect(text(.id("a")) == #"cancel("a")"#)
    #expect("\(Effect<Action>.cancel(id: Request.search))" == "cancel(search)")
    #expect("\(Effect<Action>.cancel(id: EffectID(type: Screen.self)))" == "cancel(Screen)")
    #expect(text(.ids(["b", "a", EffectID(3)])) == #"cancel(["a", "b", 3])"#)
    #expect(text(.ids([])) == "cancel([])")
    #expect(text(.scope("row")) == #"cancel(scope: "row")"#)
    #expect(text(.all(of: Request.self)) == "cancel(all of Request)")
    #expect(text(.all(of: Request.self) { $0 == .search }) == "cancel(all of Request)")
    #expect(text(.everything) == "cancel(everything)")
  }

  @Test func `Cancels inside a scope`() {
    func text(_ target: Cancellation) -> String { "\(Effect<Action>.cancel(target).scoped(7) { $0 })" }
    #expect(text(.id("a")) == #"cancel(7/"a")"#)
    #expect(text(.ids(["b", "a"])) == #"cancel([7/"a", 7/"b"])"#)
    #expect(text(.scope("row")) == #"cancel(scope: 7/"row")"#)
    #expect(text(.all(of: Request.self)) == "cancel(all of Request, scope: 7)")
    #expect(text(.everything) == "cancel(scope: 7)")
  }

  @Test func `Trees under an id`() {
    let both = Effect.merge(search(), .send(.failed("x")))
    #expect(
      "\(both.cancellable(id: "t", overlap: .concurrent))"
        == #"cancellable("t", merge(run("search", input: "swift"), send(failed("x"))))"#)
    #expect(
      "\(both.cancellable(id: Request.page(1), overlap: .drop(limit: 2)))"
        == #"cancellable(page(1), overlap: drop(limit: 2), merge(run("search", input: "swift"), send(failed("x"))))"#)
    #expect(
      "\(search().cancellable(id: "t", overlap: .concurrent))" == #"cancellable("t", run("search", input: "swift"))"#)
    #expect(
      "\(Effect<Action>.send(.failed("x")).cancellable(id: "t", overlap: .concurrent))"
        == #"cancellable("t", send(failed("x")))"#)
  }

  @Test func `A run without an id takes the one it is given, with its overlap`() {
    let effect = Effect<Action>.run(input: 1) { _, _ in }.cancellable(id: "t", overlap: .restart)
    #expect("\(effect)" == #"run("t", input: 1, overlap: restart)"#)
    #expect("\(Effect<Action>.none.cancellable(id: "t", overlap: .concurrent))" == "none")
  }

  @Test func `Names inside scopes`() {
    let effect = Effect.merge(
      search(), Effect.merge(.cancel(id: 1), .send(.failed("x"))).cancellable(id: "t", overlap: .concurrent))
    #expect(
      "\(effect.scoped("inner") { $0 }.scoped(Request.page(3)) { $0 })" == """
        merge(run(page(3)/"inner"/"search", input: "swift"), \
        cancellable(page(3)/"inner"/"t", merge(cancel(page(3)/"inner"/1), send(failed("x")))))
        """)
  }

  @Test func `Branches inside branches of their kind are printed as one`() {
    func send(_ text: String) -> Effect<Action> { .send(.failed(text)) }
    #expect(
      "\(Effect.merge(.merge(send("a"), send("b")), .merge(send("c"), .merge(send("d"), send("e")))))"
        == #"merge(send(failed("a")), send(failed("b")), send(failed("c")), send(failed("d")), send(failed("e")))"#)
    #expect(
      "\(Effect.concatenate(send("a"), .concatenate(send("b"), .merge(send("c"), send("d")))))"
        == #"concatenate(send(failed("a")), send(failed("b")), merge(send(failed("c")), send(failed("d"))))"#)
    // A name in between is a separate level.
    #expect(
      "\(Effect.merge(send("a"), Effect.merge(send("b"), send("c")).cancellable(id: "t", overlap: .concurrent)))"
        == #"merge(send(failed("a")), cancellable("t", merge(send(failed("b")), send(failed("c")))))"#)
  }
}

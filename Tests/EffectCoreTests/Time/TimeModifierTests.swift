// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

/// The time modifiers as parts of an effect's shape.
@Suite struct `Time modifiers` {
  private func search() -> Effect<Int> {
    .run(id: "search", overlap: .restart, input: "swift") { _, send in send(1) }
  }

  @Test func `The text of a run ends with its modifiers, in the order of the stages (C2)`() {
    let effect = search().timeout(after: .seconds(2)).retry(attempts: 3).timeout(after: .seconds(5))
      .delay(for: .seconds(1)).debounce(for: .milliseconds(300))
    #expect(
      "\(effect)" == """
        run("search", input: "swift", overlap: restart).debounce(for: 0.3 seconds).delay(for: 1.0 seconds)\
        .timeout(after: 2.0 seconds).retry(attempts: 3).timeout(after: 5.0 seconds)
        """)
    #expect(
      "\(search().debounce(for: .seconds(1), maxWait: .seconds(5)))".hasSuffix(
        ".debounce(for: 1.0 seconds, maxWait: 5.0 seconds)"))
    #expect("\(search().throttle(for: .seconds(1)))".hasSuffix(".throttle(for: 1.0 seconds)"))
    #expect(
      "\(search().throttle(for: .seconds(1), trailing: false))".hasSuffix(
        ".throttle(for: 1.0 seconds, trailing: false)"))
    #expect(
      "\(search().retry(attempts: 4, backoff: .exponential(from: .seconds(1)).jittered(by: 1, seed: 7)))".hasSuffix(
        ".retry(attempts: 4, backoff: exponential(from: 1.0 seconds, factor: 2.0).jittered(by: 1.0, seed: 7))"))
    #expect(
      "\(search().retry(attempts: 4, backoff: Backoff { _, _ in .zero }))".hasSuffix(
        ".retry(attempts: 4, backoff: a closure)"))
  }

  @Test func `A reducer is tested by runs that have the same modifiers`() {
    let expected = EffectRun(id: "search", overlap: .restart, input: "swift")
    #expect(search().debounce(for: .seconds(1)).runs == [expected.debounce(for: .seconds(1))])
    #expect(search().debounce(for: .seconds(1)).runs != [expected])
    #expect(search().debounce(for: .seconds(1)).runs != [expected.debounce(for: .seconds(2))])
    #expect(search().throttle(for: .seconds(1)).runs == [expected.throttle(for: .seconds(1))])
    #expect(search().throttle(for: .seconds(1)).runs != [expected.throttle(for: .seconds(1), trailing: false)])
    #expect(search().delay(for: .seconds(1)).runs == [expected.delay(for: .seconds(1))])
    #expect(search().timeout(after: .seconds(1)).runs == [expected.timeout(after: .seconds(1))])
    func retried(seed: UInt64) -> Backoff { .constant(.seconds(1)).jittered(by: 1, seed: seed) }
    let effect = search().retry(attempts: 2, backoff: retried(seed: 1))
    #expect(effect.runs == [expected.retry(attempts: 2, backoff: retried(seed: 1))])
    #expect(effect.runs != [expected.retry(attempts: 2, backoff: retried(seed: 2))])
    #expect(effect.runs != [expected.retry(attempts: 2, backoff: Backoff { _, _ in .seconds(1) })])
    let limited = effect.timeout(after: .seconds(9))
    #expect(limited.runs == [expected.retry(attempts: 2, backoff: retried(seed: 1)).timeout(after: .seconds(9))])
    #expect(limited.runs != [expected.timeout(after: .seconds(9)).retry(attempts: 2, backoff: retried(seed: 1))])
  }

  @Test func `If a modifier is repeated the last one counts, also of debounce and throttle (C2)`() {
    let effect = search().delay(for: .seconds(1)).debounce(for: .seconds(1)).delay(for: .seconds(2))
      .throttle(for: .seconds(3))
    #expect("\(effect)".hasSuffix("restart).throttle(for: 3.0 seconds).delay(for: 2.0 seconds)"))
  }

  @Test func `Time limits before the last retry are for each attempt, one after it is for the whole run (C2)`() {
    func limit(_ seconds: Int) -> (Effect<Int>) -> Effect<Int> { { $0.timeout(after: .seconds(seconds)) } }
    func retry(_ effect: Effect<Int>) -> Effect<Int> { effect.retry(attempts: 2) }
    func text(_ modifiers: ((Effect<Int>) -> Effect<Int>)...) -> String {
      "\(modifiers.reduce(Effect<Int>.run { _ in }) { $1($0) })"
    }
    #expect(text(limit(1), limit(2), retry) == "run().timeout(after: 2.0 seconds).retry(attempts: 2)")
    #expect(text(retry, limit(1), limit(2)) == "run().retry(attempts: 2).timeout(after: 2.0 seconds)")
    #expect(text(limit(1), retry, limit(2), retry) == "run().timeout(after: 2.0 seconds).retry(attempts: 2)")
    #expect(
      text(limit(1), retry, retry, limit(2))
        == "run().timeout(after: 1.0 seconds).retry(attempts: 2).timeout(after: 2.0 seconds)")
  }

  @Test func `Every run of a tree is modified, and nothing else (C2)`() {
    let tree = Effect.merge(
      search(), .cancel(id: "more"),
      Effect.concatenate(.run(id: "a", overlap: .concurrent) { _ in }, .cancel(id: "a"))
        .cancellable(id: "t", overlap: .drop))
    let plain = "\(tree)"
    let delayed = tree.delay(for: .seconds(1))
    #expect(delayed.runs == tree.runs.map { $0.delay(for: .seconds(1)) })
    #expect("\(delayed)".replacing(".delay(for: 1.0 seconds)", with: "") == plain)
    let limited = Effect.merge(tree, .send(1)).timeout(after: .seconds(1))
    #expect("\(limited)".replacing(".timeout(after: 1.0 seconds)", with: "") == "\(Effect.merge(tree, .send(1)))")
    #expect("\(Effect<Int>.none.delay(for: .seconds(1)))" == "none")
  }

  @Test func `Modifiers survive map, scopes and names`() async {
    let effect = Effect<Int>.run(input: 3) { value, send in send(value) }.debounce(for: .seconds(1))
      .cancellable(id: "a", overlap: .restart).map { $0 + 1 }.scoped("row") { $0 * 10 }
    #expect("\(effect)" == #"run("row"/"a", input: 3, overlap: restart).debounce(for: 1.0 seconds)"#)
    #expect(await effect.performed() == [40])
  }

  @Test func `A tree of a hundred thousand levels is modified on a small stack`() throws {
    let text = try withSmallStack {
      var effect = Effect<Int>.run(id: "leaf", overlap: .concurrent) { _ in }
      for _ in 0..<100_000 { effect = .merge(.send(1), .concatenate(.send(2), effect)) }
      return effect.timeout(after: .seconds(1)).runs.map(\.description)
    }
    #expect(text == [#"run("leaf").timeout(after: 1.0 seconds)"#])
  }

  @Test func `A time-out is a value that contains its limit`() {
    #expect(EffectTimeout(limit: .seconds(2)) == EffectTimeout(limit: .milliseconds(2_000)))
    #expect("\(EffectTimeout(limit: .seconds(2)))" == "timed out after 2.0 seconds")
  }

  @Test(arguments: [
    ("retry", "Effect.retry: attempts is 0; it must be at least 1, because the first attempt counts"),
    ("timer", "Effect.timer: every is 0.0 seconds; it must be more than zero"),
    ("backoff", "Backoff.exponential: factor is 0.5; it must be at least 1"),
    ("jitter", "Backoff.jittered: by is 2.0; it goes from 0 to 1"),
  ])
  func `Invalid arguments are refused with a text and the line`(kind: String, text: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
      let (file, line) = ("App/Feed.swift" as StaticString, 7 as UInt)
      switch kind {
      case "retry": _ = Effect<Int>.run { _ in }.retry(attempts: 0, fileID: file, line: line)
      case "timer": _ = Effect<Int>.timer(every: .zero, fileID: file, line: line, 1)
      case "backoff": _ = Backoff.exponential(from: .seconds(1), factor: 0.5, fileID: file, line: line)
      default: _ = Backoff.none.jittered(by: 2, seed: 1, fileID: file, line: line)
      }
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("App/Feed.swift:7: Fatal error: \(text)\n"), "\(output)")
  }
}

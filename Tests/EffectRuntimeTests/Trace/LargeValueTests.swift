// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

/// Texts about work stay short, whatever its input, name and id are.
@Suite struct `Texts about large values` {
  private struct Query: Hashable, Sendable { let words: [String] }
  private struct Broken: Error { let text: String }

  private let large = String(repeating: "word ", count: 200_000)

  private var inputs: [any Hashable & Sendable] {
    [
      large, Query(words: Array(repeating: "word", count: 5_000)), Array(0..<5_000), Set(0..<5_000),
      [large: large],
    ]
  }

  @Test func `An input, a name and an id are cut (S1, V1)`() {
    for input in inputs {
      #expect(EffectStatus(running: 1, input: input).description.count < 1_100)
      let run = EffectRun(id: EffectID(large), overlap: .drop, input: input, name: large)
      #expect(run.description.count < 3_300)
      let trace = TraceRun(number: 1, description: run)
      for event: TraceRun.Event in [
        .registered(.starting), .joined(trace), .attemptFailed(Broken(text: large), .recovery),
        .ended(.failed(Broken(text: large))),
      ] {
        let event = TraceEvent<Int>(number: 1, time: .zero, cause: nil, kind: .run(trace, event))
        #expect(event.description.count < 3_600)
        #expect(event.json.count < 9_000)
      }
      let failure = EffectFailure(error: Broken(text: large), run: run)
      #expect(failure.description.count < 4_600)
      #expect(
        LiveEffects(
          byID: [EffectID(large): .init(status: EffectStatus(running: 1, input: input), site: run.site)], unnamed: 0
        )
        .description.count < 2_300)
      #expect(
        Effect<Int>.run(id: large, overlap: .drop, input: input, name: large) { _, _ in }.description.count < 3_300)
    }
    #expect(UnmatchedCancel([EffectID(large)]).description.count < 1_100)
  }

  @Test func `What is cut ends with an ellipsis, and a string with its size`() {
    #expect(EffectStatus(running: 1, input: large).description.hasSuffix("word… (1000000 bytes)"))
    #expect(EffectStatus(running: 1, input: Array(0..<9_999)).description.hasSuffix("…"))
    let short = String(repeating: "é", count: 998)
    #expect(EffectStatus(running: 1, input: short).description == "1 running, input: \"\(short)\"")
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

private struct Hidden: Hashable, Sendable { var number = 1 }
private struct Spoken: Hashable, Sendable, CustomStringConvertible {
  var hidden = [Hidden()]
  var description: String { "spoken \(hidden)" }
}
private enum Act: Sendable { case go(Hidden), say(Spoken), type(any Sendable.Type), closure(@Sendable () -> Int) }

/// Like `StableTextTests`, for texts of values, traces and failures.
@Suite struct StableValueTextTests {
  private final class Model: Sendable {}

  @Test func `Values are written without addresses, at any depth`() {
    struct Inner { var hidden = Hidden() }
    struct Deep {
      var type: Any.Type = Inner.self
      var identity = ObjectIdentifier(Inner.self)
      var path: AnyKeyPath = \[Int].count
      var model = Model()
      var closure: () -> Int = { 1 }
    }
    #expect(ValueText.of(Inner()) == "Inner(hidden: Hidden(number: 1))")
    #expect(
      ValueText.of(Deep())
        == #"Deep(type: Inner, identity: ObjectIdentifier, path: \Array<Int>.<computed (Int)>, model: Model, closure: (Function))"#
    )
    #expect(ValueText.of(Spoken()) == "spoken [EffectRuntimeTests.Hidden(number: 1)]")
    #expect(ValueText.of([Inner.self] as [Any]) == "[Inner]")
    #expect(ValueText.name(of: [Inner()]) == "Array<Inner>")
  }

  @Test func `Traces, statuses and failures are written without addresses (V1, E5)`() async {
    struct Failed: Error { var hidden = [Hidden()] }
    let failures = Recorder<String>()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Act> { _, action in
        if case .go(let hidden) = action {
          return .run(id: [hidden], overlap: .concurrent, input: [hidden]) { _, _ in throw Failed() }
        }
        return .none
      }, onFailure: { failures.record("\($0)") })
    let log = store.trace.log()
    _ = await store.status([Hidden()])
    for action in [Act.go(Hidden()), .say(Spoken()), .type(Hidden.self), .closure { 1 }] {
      await store.send(action).finish()
    }
    await store.shutdown(.draining)
    let texts =
      failures.events + log.events.map { "\($0)" } + ["\(await store.status([Hidden()]))"]
      + log.events.map(\.json)
    #expect(texts.contains { $0.contains("Failed(hidden: [EffectRuntimeTests.Hidden(number: 1)])") })
    for text in texts {
      #expect(!text.contains("unknown context"), "\(text)")
      #expect(!text.contains("0x"), "\(text)")
    }
  }
}

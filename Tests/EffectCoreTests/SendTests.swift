// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@Suite struct `Sending from runs` {
  @Test func `A send passes actions on and returns the answers`() async {
    let sink = RecordingSink<Int>(capacity: 2)
    let send = Send(sink)
    #expect(send(1))
    #expect(await send.delivered(2))
    #expect(!send(3))
    #expect(await send.delivered(4) == false)
    #expect(sink.actions == [1, 2])
  }

  @Test func `A send keeps the time of its store`() async throws {
    let sink = RecordingSink<Int>()
    try await Send(sink).sleep(for: .seconds(3))
    #expect(sink.sleeps == [.seconds(3)])
    #expect(Send(sink).now == .seconds(42))
    #expect(Send(sink).clock is ContinuousClock)
  }

  @Test func `A send of a child is the send of its parent with transformed actions`() async throws {
    let sink = RecordingSink<String>(capacity: 2)
    let send = Send(sink).contramap { (number: Int) in "number \(number)" }.contramap { (flag: Bool) in flag ? 1 : 0 }
    #expect(send(true))
    #expect(await send.delivered(false))
    #expect(!send(true))
    try await send.sleep(for: .seconds(3))
    #expect(sink.actions == ["number 1", "number 0"])
    #expect(sink.sleeps == [.seconds(3)])
    #expect(send.now == .seconds(42))
    #expect(send.clock is ContinuousClock)
  }

  @Test func `A run gets the input it was built with`() async {
    var query = "swift"
    let effect = Effect<String>.run(input: query) { input, send in send(input) }
    query = "rust"
    #expect(await effect.performed() == ["swift"])
  }

  @Test func `Building, mapping and printing run nothing`() {
    let effect = Effect<Int>.merge(.run { _ in fatalError("ran") }, .run(input: 1) { _, _ in fatalError("ran") })
    #expect(
      effect.map { "\($0)" }.scoped("s") { $0 }.cancellable(id: "t", overlap: .concurrent).description.isEmpty == false)
    #expect(effect.runs.count == 2)
  }
}

@Suite struct `Streams` {
  private struct Broken: Error {}

  @Test func `A stream sends an action for each element, in order`() async {
    let effect = Effect<String>.stream(sequence: { Values([1, 2, 3]) }) { "\($0)" }
    #expect(await effect.performed() == ["1", "2", "3"])
  }

  @Test func `A stream ends when its actions are refused`() async {
    let sink = RecordingSink<Int>(capacity: 2)
    let long = Effect<Int>.stream(sequence: { Values(Array(1...10)) }) { $0 }
    for operation in long.operations { await operation.perform(into: sink) }
    #expect(sink.actions == [1, 2])
    #expect(sink.refused == [3])
  }

  @Test func `An error of the sequence goes to catch, after its elements`() async {
    let effect = Effect<Int>.stream(sequence: { Values([1, 2], error: Broken()) }) {
      $0
    } catch: { error, send in
      if error is Broken { send(-1) }
    }
    #expect(await effect.performed() == [1, 2, -1])
  }
}

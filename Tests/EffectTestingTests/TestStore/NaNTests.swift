// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

private struct Measuring: Reducer {
  struct State: Equatable, Sendable { var ratios: [Double] = []; var count = 0 }
  enum Action: Equatable, Sendable { case measure, found([Double]) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.count += 1
    switch action {
    case .measure: return .run { send in send(.found([.nan])) }
    case .found(let ratios): state.ratios = ratios
    }
    return .none
  }
}

@Suite struct `Steps with a NaN` {
  @Test func `A step passes whose state and action have a NaN`() async {
    let store = TestStore(initialState: .init(ratios: [.nan]), reducer: Measuring())
    store.send(.measure) { $0.count = 1 }
    await store.receive(.found([.nan])) { $0.count = 2 }
    await store.finish()
  }

  @Test func `A failure proposes the NaN once, and nothing that stands there`() async {
    let store = TestStore(initialState: .init(), reducer: Measuring())
    store.send(.measure) { $0.count = 1 }
    let found = await failures {
      await store.receive(.found([.nan])) { $0.count = 2 }
    }
    #expect(found.count == 1)
    #expect(found.first?.text.contains("$0.ratios = [.nan]") == true, "\(found)")
    let others = TestStore(initialState: .init(ratios: [.nan]), reducer: Measuring())
    let missing = await failures { others.send(.measure) { $0.ratios = [.nan] } }
    #expect(missing.first?.text.contains("$0.count = 1") == true, "\(missing)")
    #expect(missing.first?.text.contains("nan") == false, "\(missing)")
    await others.receive(.found([.nan])) { $0.count = 2 }
    await others.finish()
    await store.finish()
  }

  @Test func `A replay finds no divergence where both states have a NaN (V3)`() async throws {
    let codec = RecordingCodec<Measuring.State, Measuring.Action>(
      encodeState: { Array("\($0.count)".utf8) },
      decodeState: { .init(ratios: [.nan], count: Int(String(decoding: $0, as: UTF8.self)) ?? 0) },
      encodeAction: { _ in [] }, decodeAction: { _ in .found([.nan]) })
    let store = Store(initialState: Measuring.State(ratios: [.nan]), reducer: Measuring())
    let recorder = try await store.record(with: codec, checkpoints: 1)
    await store.send(.found([.nan])).finish()
    await store.shutdown(.draining)
    var replay = try Replay(recorder.recording, reducer: Measuring(), codec: codec)
    #expect(try replay.firstDivergence() == nil)
  }
}

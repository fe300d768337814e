// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct `Rows that share an id` {
  private typealias Feature = Rows<[Row.State]>

  @Test func `Two rows of one id are one row to their actions and their work (M1, M2)`() async {
    let store = TestStore(
      initialState: Feature.State(rows: [Row.State(id: 1), Row.State(id: 1)]),
      reducer: Feature(
        remove: { rows, id in rows.firstIndex { $0.id == id }.map { _ = rows.remove(at: $0) } },
        insert: { $0.append($1) }))
    let load = EffectID("load").scoped(by: Feature.scope(1))
    store.send(.row(1, .load))
    store.send(.remove(1)) { $0.rows.removeFirst() }
    store.assertEffects { $0[load] = EffectStatus(running: 1) }
    store.advance(by: .seconds(1))
    await store.receive(.row(1, .loaded("text"))) { $0.rows[0].note.text = "text" }
    store.send(.row(1, .load))
    store.send(.remove(1)) { $0.rows = [] }
    await store.finish()
  }
}

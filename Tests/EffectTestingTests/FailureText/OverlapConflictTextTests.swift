// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct `Failure texts of overlaps` {
  @Test func `Two overlaps under one id fail the test, with both lines (O1)`() async {
    let store = counterStore(
      .merge(
        .run(id: "load", overlap: .restart, fileID: "App/Feature.swift", line: 12) { _ in },
        .run(id: "load", overlap: .concurrent, fileID: "App/Other.swift", line: 34) { _ in }))
    let found = await failures {
      store.send(.start)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          Two overlaps under one id, concurrent and restart

            run("load") at App/Other.swift:34
            met run("load", overlap: restart) at App/Feature.swift:12

          The overlap of the last to arrive is applied, so the result depends on their order. Use one overlap for an id, or \
          two ids. A run shown without an overlap is `.concurrent`.
          """)
      ])
    await store.finish()
  }
}

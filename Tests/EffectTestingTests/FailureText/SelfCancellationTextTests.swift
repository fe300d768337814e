// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@Suite struct `Failure texts of cancels inside of a tree` {
  @Test func `A cancel that reaches a tree around it fails the test, with both lines (E6)`() async {
    let store = counterStore(
      .merge(.cancel(id: "load", fileID: "App/Feature.swift", line: 12), .send(.increment))
        .cancellable(id: "load", overlap: .restart, fileID: "App/Feature.swift", line: 10))
    let found = await failures {
      store.send(.start)
    }
    #expect(
      found == [
        Failure(
          line: #line - 2,
          """
          A `cancel` reached a tree that it is a part of: `cancel("load")`

            of App/Feature.swift:12
            in the tree "load" at App/Feature.swift:10

          A tree is what `.cancellable(id:overlap:)` encloses. The parts of it that had not started were stopped. Move the \
          `cancel` out of the tree, in front of it.
          """)
      ])
    await store.finish()
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import TestSupport
import Testing

@Test func `A search is proved step by step`() async {
  let store = TestStore(initialState: .init(), reducer: Search(find: { [$0.uppercased()] }))
  store.send(.queryChanged("swift")) { $0.query = "swift" }
  store.advance(by: .milliseconds(300))
  await store.receive(.found(["SWIFT"])) { $0.results = ["SWIFT"] }
  await store.finish()
}

@Test func `Only the newest query is answered`() async {
  let store = TestStore(initialState: .init(), reducer: Search(find: { [$0] }))
  store.send(.queryChanged("s")) { $0.query = "s" }
  store.advance(by: .milliseconds(299))
  store.send(.queryChanged("sw")) { $0.query = "sw" }
  store.advance(by: .milliseconds(300))
  await store.receive(.found(["sw"])) { $0.results = ["sw"] }
  await store.finish()
}

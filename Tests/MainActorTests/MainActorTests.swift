// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import EffectTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct MainActorTests {
  private func makeCatalog() -> Catalog {
    Catalog { query in [Book(title: query.text)] }
  }

  /// No wait is needed, because the store reduces on this actor.
  private func queryNow(of store: Store<Catalog>) -> Query {
    store.assumeIsolated { $0.state.query }
  }

  @Test func `A store on the main actor is used from code that is on it by default (L1, L5)`() async throws {
    let store = Store(initialState: Catalog.State(), reducer: makeCatalog(), isolation: MainActor.shared)
    let dispatch = store.send(.queryChanged("swift"))
    #expect(queryNow(of: store) == Query(text: "swift"))
    await dispatch.finish()
    #expect(await store.state.books == [Book(title: "swift")])
    #expect(try await store.request(.clear) { $0.books.count } == 0)
    await store.shutdown(.draining(cancelling: [CancelID.watch]))
    #expect(store.send(.clear).isRefused)
  }

  @Test func `A store with a different isolation is used from there too (L5, L3)`() async throws {
    let store = Store(initialState: Catalog.State(), reducer: makeCatalog())
    #expect(try await store.request(.queryChanged("effects")) { $0.books } == [Book(title: "effects")])
    for await count in store.values(\.count) {
      #expect(count == 1)
      break
    }
  }

  @Test func `An observable store is used from there without an isolation annotation (L1, L5)`() async throws {
    let store = ObservableStore(initialState: Catalog.State(), reducer: makeCatalog())
    store.send(.queryChanged("a"))
    #expect(store.query == Query(text: "a"))
    #expect(try await store.request(.queryChanged("b")) { $0.books } == [Book(title: "b")])
    #expect(store.count == 1)
    await store.shutdown(.cancelling)
  }

  @Test func `A reducer that is a closure is written there, for a store of any isolation (L5)`() async throws {
    let form = ObservableStore(
      initialState: 0,
      reducer: Reduce<Int, Int> { count, step in
        count += step
        return step == 1 ? .run { send in send(2) } : .none
      })
    #expect(try await form.request(1) { $0 } == 3)
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { @Sendable count, step in
        count += step
        return .none
      })
    #expect(try await store.request(1) { $0 } == 1)
    await form.shutdown(.cancelling)
  }

  @Test func `A test store is used from there too`() async {
    let store = TestStore(initialState: Catalog.State(), reducer: makeCatalog())
    store.send(.queryChanged("a")) { $0.query = Query(text: "a") }
    await store.receive(.found([Book(title: "a")])) { $0.books = [Book(title: "a")] }
    store.send(.clear) { $0 = Catalog.State() }
    await store.finish()
  }

  @Test func `Features within features, and their child stores, are used from there too (M1, M2)`() async {
    let store = ObservableStore(
      initialState: Library.State(popup: Catalog.State(), branches: [3: Catalog.State()]),
      reducer: Library(catalog: makeCatalog()))
    let front = store.scope(\.front, action: Library.front)
    let branch = store.scope(\.branches, id: 3, action: Library.branch)
    #expect(store.scope(\.popup, action: Library.popup) != nil)
    front.send(.queryChanged("a"))
    #expect(front.query == Query(text: "a"))
    #expect(store.scope(\.popup, action: Library.popup) == nil)
    branch?.send(.queryChanged("b"))
    #expect(branch?.isRunning(CancelID.load) == true)
    store.send(.closed(3))
    #expect(branch?.isRunning(CancelID.load) == false)
    await store.shutdown(.draining(cancelling: [CancelID.watch]))
    #expect(front.books == [Book(title: "a")])
  }
}

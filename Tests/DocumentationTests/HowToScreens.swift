// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/HowTo.md; `HowToTests.swift` compares the two.

import EffectTesting
import Foundation
import Observation
import Synchronization
import Testing

// listing: follow
@MainActor func follow(_ search: Store<Search>, show: @escaping ([String]) -> Void) -> Task<Void, Never> {
  Task {
    for await results in search.values(\.results) { show(results) }        // the present one first
  }
}
// end

@MainActor @Suite struct `How to: screens` {
  struct Cart: Reducer {
    struct State: Equatable, Sendable { var items: [String] = [] }
    enum Action: Equatable, Sendable { case added(String) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      if case .added(let item) = action { state.items.append(item) }
      return .none
    }
  }

  // listing: shared
  struct Shop: Reducer {
    struct State: Equatable, Sendable { var cart = Cart.State() }
    enum Action: Equatable, Sendable { case cart(Cart.Action) }

    static let cart = CasePath(Action.cart)

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      Scope(\State.cart, action: Self.cart) { Cart() }.reduce(into: &state, action: action)
    }
  }
  // end

  @Test func `Two screens see the same cart`() async {
    // listing: shared-use
    let shop = ObservableStore(initialState: Shop.State(), reducer: Shop())  // made once
    let list = shop.scope(\.cart, action: Shop.cart)                    // for a list
    let badge = shop.scope(\.cart, action: Shop.cart)                   // for the badge of a tab
    list.send(.added("Tea"))
    let items = badge.items                                             // ["Tea"]
    // end
    #expect(items == ["Tea"])
    #expect(list === badge)
  }

  struct Page: Reducer {
    struct State: Equatable, Sendable { var name: String }
    enum Action: DismissingAction, Equatable {
      case closed
      var isDismissal: Bool { true }
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
  }

  struct Library: Reducer {
    struct State: Equatable, Sendable { var pages = ChildStack<Page.State>() }
    enum Action: Equatable, Sendable { case pages(StackAction<Page.State, Page.Action>), linkOpened(URL) }

    static let pages = CasePath(Action.pages)

    // listing: link
    var whole: some Reducer<State, Action> {
      Reduce<State, Action> { state, action in
        if case .linkOpened(let url) = action, let pages = Self.pages(of: url) { state.pages.set(pages) }
        return .none
      }
      .stack(\.pages, action: Self.pages) { Page() }
    }

    static func pages(of url: URL) -> [Page.State]? {                   // myapp://library/books/dune
      guard url.scheme == "myapp", url.host() == "library" else { return nil }
      return url.pathComponents.dropFirst().map { Page.State(name: $0) }
    }
    // end

    func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
  }

  @Test func `A link opens its pages, and an unknown link changes nothing`() async throws {
    let link = try #require(URL(string: "myapp://library/books/dune"))
    let store = TestStore(initialState: Library.State(), reducer: Library())
    store.send(.linkOpened(link)) { $0.pages.set([Page.State(name: "books"), Page.State(name: "dune")]) }
    store.send(.linkOpened(try #require(URL(string: "https://swift.org/books"))))
    await store.finish()
  }

  @Test func `Code without SwiftUI gets each change, until it is cancelled`() async {
    let search = Store(
      initialState: Search.State(), reducer: Search(find: { [$0] }), isolation: MainActor.shared, clock: .immediate)
    let (shown, screen) = AsyncStream.makeStream(of: [String].self)
    let updates = follow(search) { screen.yield($0) }
    var lists = shown.makeAsyncIterator()
    #expect(await lists.next() == [])
    await search.send(.queryChanged("swift")).finish()
    #expect(await lists.next() == ["swift"])
    updates.cancel()
    await updates.value
  }

  @Test func `A preview shows a state, or works`() async {
    let still: ObservableStore<Search.State, Search.Action> = .preview(
      Search.State(query: "swift", results: ["swift.org"]))
    still.send(.queryChanged("rust"))
    #expect((still.query, still.results) == ("swift", ["swift.org"]))
    let working = ObservableStore(initialState: Search.State(), reducer: Search(find: { [$0] }), clock: .immediate)
    await working.send(.queryChanged("rust")).finish()
    #expect(working.results == ["rust"])
  }

  // listing: migrate
  @MainActor @Observable final class LibraryModel {                     // the existing model
    var title = "Library"                                               // not migrated yet
    private let search: ObservableStore<Search.State, Search.Action>                         // replaces a `Task` and three properties

    init(find: @escaping @Sendable (String) async throws -> [String]) {
      search = ObservableStore(initialState: Search.State(), reducer: Search(find: find))
    }

    var results: [String] { search.results }
    var isSearching: Bool { search.isRunning("search") }
    func queryChanged(_ query: String) { search.send(.queryChanged(query)) }
  }
  // end

  @Test func `Views of the old model are notified`() async {
    let model = LibraryModel(find: { [$0] })
    let notes = Mutex(0)
    withObservationTracking {
      _ = model.isSearching
    } onChange: {
      notes.withLock { $0 += 1 }
    }
    model.queryChanged("swift")
    #expect(notes.withLock { $0 } == 1)
    #expect(model.isSearching)
    // The search ends on the main actor, and so not before this waits.
    await withCheckedContinuation { ended in
      withObservationTracking {
        _ = model.isSearching
      } onChange: {
        ended.resume()
      }
    }
    #expect(!model.isSearching)
    #expect(model.results == ["swift"])
  }

  /// In place of Combine's: it is not `Sendable` either.
  final class AnyPublisher<Output: Sendable, Failure: Error> {
    let values: AsyncStream<Output>
    init(_ values: AsyncStream<Output>) { self.values = values }
  }

  struct Compass: Reducer {
    enum Action: Equatable, Sendable { case appeared, turned(Int), disappeared }

    var headings: @Sendable () -> AnyPublisher<Int, Never>

    func reduce(into heading: inout Int, action: Action) -> Effect<Action> {
      switch action {
      // listing: combine
      case .appeared:
        return .run(id: "headings", overlap: .drop) { [headings] send in
          for await heading in headings().values {
            guard await send.delivered(.turned(heading)) else { return }  // waits until it is reduced
          }
        }
      case .turned(let degrees):
        heading = degrees
        return .none
      case .disappeared:
        return .cancel(id: "headings")
      // end
      }
    }
  }

  @Test func `Values of a publisher arrive until the view disappears`() async {
    let next = Mock<Void, Int>()
    let store = TestStore(
      initialState: 0, reducer: Compass(headings: { AnyPublisher(AsyncStream { try? await next(()) }) }))
    store.send(.appeared)
    next.answer(90)
    await store.receive(.turned(90)) { $0 = 90 }
    store.send(.disappeared)
    #expect(next.pending.isEmpty)
    await store.finish()
  }
}

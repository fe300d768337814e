// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/HowTo.md; `HowToTests.swift` compares the two.

import EffectTesting
import Foundation
import Observation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `How to: apps` {
  private typealias SearchField = `How to: requests`.SearchField

  struct Notice: Equatable, Sendable, Identifiable { var id: Int; var text: String }

  struct Form: Reducer {
    struct State: Equatable, Sendable { var count = 0; var notice: Notice? }
    enum Action: Equatable, Sendable { case saved, noticeEnded }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      // listing: notice
      case .saved:
        state.count += 1
        state.notice = Notice(id: state.count, text: "Saved")           // the id makes each one different
        return .send(.noticeEnded).cancellable(id: "notice", overlap: .restart).delay(for: .seconds(3))
      case .noticeEnded:
        state.notice = nil
        return .none
      // end
      }
    }
  }

  static func playSounds(_ store: Store<Form>, play: (Notice) -> Void) async {
    for await case let notice? in store.values(\.notice, buffering: .unbounded) { play(notice) }
  }

  @Test func `A notice is shown for three seconds, the newer one from its beginning`() async {
    let store = TestStore(initialState: Form.State(), reducer: Form())
    store.send(.saved) { ($0.count, $0.notice) = (1, Notice(id: 1, text: "Saved")) }
    store.advance(by: .seconds(2))
    store.send(.saved) { ($0.count, $0.notice) = (2, Notice(id: 2, text: "Saved")) }
    store.advance(by: .seconds(2))
    store.assertEffects { $0["notice"] = EffectStatus(queued: 1) }
    store.advance(by: .seconds(1))
    await store.receive(.noticeEnded) { $0.notice = nil }
    await store.finish()
  }

  @MainActor @Test func `A reader gets each notice once`() async {
    let store = Store(initialState: Form.State(), reducer: Form(), clock: TestClock())
    let (played, player) = AsyncStream.makeStream(of: Int.self)
    let reading = Task {
      await Self.playSounds(store) { player.yield($0.id) }
      player.finish()
    }
    var sounds = played.makeAsyncIterator()
    for count in 1...2 {
      store.send(.saved)
      #expect(await sounds.next() == count)
    }
    reading.cancel()
    #expect(await sounds.next() == nil)
  }

  // listing: services
  struct Services: Sendable {
    var pages = Pages()
    var account = Account()

    struct Pages: Sendable {
      var find: @Sendable (String) async throws -> [String] = { [$0] }  // for previews and tests
    }
    struct Account: Sendable {
      var name: @Sendable () async throws -> String = { "Ada" }
    }
  }
  // end

  struct Root: Reducer {
    struct State: Equatable, Sendable { var search = SearchScreen.State() }
    enum Action: Equatable, Sendable { case search(SearchScreen.Action) }
    static let search = CasePath(Action.search)

    // listing: services-use
    var services: Services                                              // passed whole to parents

    var whole: some Reducer<State, Action> {
      Scope(\State.search, action: Self.search) { SearchScreen(pages: services.pages) }  // narrowed for a screen
    }
    // end

    func reduce(into state: inout State, action: Action) -> Effect<Action> { whole.reduce(into: &state, action: action) }
  }

  struct SearchScreen: Reducer {
    struct State: Equatable, Sendable { var results: [String] = [] }
    enum Action: Equatable, Sendable { case searched(String), found([String]) }

    var pages: Services.Pages

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .searched(let query):
        return .run(id: "search", overlap: .restart, input: query) { [pages] query, send in
          send(.found(try await pages.find(query)))
        } catch: { _, send in
          send(.found(["-"]))
        }
      case .found(let results):
        state.results = results
        return .none
      }
    }
  }

  @Test func `A test replaces one dependency of a screen below`() async {
    for (services, results) in [(Services(), ["swift"]), (broken(), ["-"])] {
      let store = TestStore(initialState: Root.State(), reducer: Root(services: services))
      store.send(.search(.searched("swift")))
      await store.receive(.search(.found(results))) { $0.search.results = results }
      await store.finish()
    }
  }

  private func broken() -> Services {
    var broken = Services()
    broken.pages.find = { _ in throw Offline() }
    return broken
  }

  @Test func `Analytics see the actions and the errors of a store`() async {
    let tracked = Mutex<[String]>([])
    let track: @Sendable (String) -> Void = { name in tracked.withLock { $0.append(name) } }
    let reducer = SearchField(find: { query in if query == "x" { throw Offline() } else { [] } })
    let store = Store(initialState: SearchField.State(), reducer: reducer, clock: .immediate)
    // listing: analytics
    let listening = store.trace.listen(timed: false) { event in
      switch event.kind {
      case .reduced(.typed, .user): track("typed")                      // sent by a view, not by a run
      case .reduced(.found(let results), _) where results.isEmpty: track("nothing found")
      case .run(let run, .ended(.failed(let error))), .run(let run, .ended(.handled(let error))):
        track("\(error) by \(run.description)")
      default: break
      }
    }
    // end
    await store.send(.typed("swift")).finish()
    await store.send(.typed("x")).finish()
    listening.cancel()
    let names = tracked.withLock { $0 }
    #expect(names.prefix(3) == ["typed", "nothing found", "typed"])
    #expect(names.count == 4)
    #expect(names.last?.hasPrefix(#"Offline() by run("search", input: "x""#) == true)
  }

  // listing: session
  struct Pages: Sendable {
    var load: @Sendable (URL) async throws -> Data

    static func live(_ session: URLSession = .shared) -> Pages {
      Pages { url in
        let (data, response) = try await session.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data
      }
    }
  }
  // end

  struct Reader: Reducer {
    enum Action: Equatable, Sendable { case opened(URL), loaded(Data), failed }

    var pages: Pages

    func reduce(into shown: inout String, action: Action) -> Effect<Action> {
      switch action {
      case .opened(let url):
        return .run(id: "page", overlap: .restart, input: url) { [pages] url, send in
          send(.loaded(try await pages.load(url)))
        } catch: { _, send in
          send(.failed)
        }
      case .loaded(let data): shown = String(decoding: data, as: UTF8.self)
      case .failed: shown = "offline"
      }
      return .none
    }
  }

  @Test func `A page is shown, or that there is no network`() async throws {
    let url = try #require(URL(string: "https://swift.org"))
    let load = Mock<URL, Data>()
    let store = TestStore(initialState: "", reducer: Reader(pages: Pages(load: load.callAsFunction)))
    store.send(.opened(url))
    load.answer(throwing: URLError(.notConnectedToInternet))
    await store.receive(.failed) { $0 = "offline" }
    store.send(.opened(url))
    load.answer(Data("Hello".utf8))
    await store.receive(.loaded(Data("Hello".utf8))) { $0 = "Hello" }
    await store.finish()
  }
}

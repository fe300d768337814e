// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Mocks.md; `MocksTests.swift` compares the two.

import EffectTesting
import Synchronization
import Testing

// listing: feature
struct Bookmarks: Reducer {
  struct State: Equatable { var saved: Set<String> = []; var failed: Set<String> = [] }
  enum Action: Equatable, Sendable { case saveTapped(String), saved(String), refused(String) }

  var save: @Sendable (String) async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .saveTapped(let query):
      return .run(id: query, overlap: .drop) { [save] send in
        try await save(query)
        send(.saved(query))
      } catch: { _, send in
        send(.refused(query))
      }
    case .saved(let query): state.saved.insert(query)
    case .refused(let query): state.failed.insert(query)
    }
    return .none
  }
}
// end

/// The list of the page about exploring, without its bug.
private typealias Feed = FeedListing.Fixed

enum MocksListing {
  static func doubleTap() async {
    // listing: double-tap
    let save = Mock<String, Void>()
    let store = TestStore(initialState: Bookmarks.State(), reducer: Bookmarks(save: save.callAsFunction))

    store.send(.saveTapped("swift"))
    store.send(.saveTapped("swift"))                                // the second tap
    #expect(save.pending == ["swift"])                              // one call
    save.answer()
    await store.receive(.saved("swift")) { $0.saved = ["swift"] }
    await store.finish()
    // end
  }

  static func loadMoreDuringRefresh() async {
    let page = Mock<Int, [Int]>()
    let store = TestStore(initialState: Feed.State(items: [1, 2, 3, 4]), reducer: Feed(page: page.callAsFunction))

    store.send(.more)
    store.send(.refresh)
    page.answer([1, 2], where: { $0 == 0 })                         // the refresh is answered first
    await store.receive(.refreshed([1, 2])) { $0.items = [1, 2] }
    #expect(page.pending == [])                                     // and has cancelled the request for more
    await store.finish()
  }

  static func failingSave() async {
    let save = Mock<String, Void>()
    let store = TestStore(initialState: Bookmarks.State(), reducer: Bookmarks(save: save.callAsFunction))
    // listing: failing-save
    store.send(.saveTapped("swift"))
    store.send(.saveTapped("rust"))
    save.answer(throwing: Offline(), where: { $0 == "rust" })
    await store.receive(.refused("rust")) { $0.failed = ["rust"] }
    #expect(save.pending == ["swift"])                              // the other one still waits
    // end
    save.answer()
    await store.receive(.saved("swift")) { $0.saved = ["swift"] }
    await store.finish()
  }

  static func withoutAnAnswer() async {
    // listing: no-answer
    let save = Mock<String, Void>()
    let store = TestStore(initialState: Bookmarks.State(), reducer: Bookmarks(save: save.callAsFunction))
    store.send(.saveTapped("swift"))
    await store.receive(.saved("swift")) { $0.saved = ["swift"] }
    // end
    save.answer()
    await store.receive(.saved("swift")) { $0.saved = ["swift"] }
    await store.finish()
  }

  static func arguments() async throws {
    let count = Mock<Void, Int>()
    let load: @Sendable () async throws -> Int = count.callAsFunction

    let pages = Mock<(String, Int), [String]>()
    let find: @Sendable (String, Int) async throws -> [String] = { query, page in try await pages((query, page)) }
    async let number = load()
    async let found = find("swift", 2)
    await count.pending(atLeast: 1)
    count.answer(5)
    await pages.pending(atLeast: 1)
    pages.answer(["SWIFT"], where: { $0 == ("swift", 2) })
    #expect(try await number == 5)
    #expect(try await found == ["SWIFT"])
  }

  static func everyOrder<Feed: FeedReducer>(of _: Feed.Type) async {
    // listing: explore
    let result = await explore(
      initialState: .init(items: [1, 2, 3, 4]), reducer: Feed(page: Mock(answering: { [$0 + 1, $0 + 2] }).callAsFunction)
    ) { script in
      script.send(.more)
      script.send(.refresh)
    } always: { state in
      state.items == Array(1..<state.items.count + 1)
    }
    result.expectComplete()                                         // in all orders
    // end
  }

  static func late(_ overlap: Overlap) async -> Exploration {
    // listing: late
    let result = await explore { schedule in
      let server = Server()                                           // a new one for each schedule
      let script = schedule.store(
        initialState: "",
        reducer: Note(overlap: overlap) { text in
          await Task { server.save(text) }.value                      // arrives in a step of its own, also after a cancel
        },
        finally: { text in server.text == text })
      script.send("a")
      script.send("b")
    }
    result.expectComplete()
    // end
    return result
  }

  /// The same with a mock.
  static func atTheCall(_ overlap: Overlap) async -> Exploration {
    await explore { schedule in
      let server = Server()
      let save = Mock<String, Void>(answering: { server.save($0) })
      let script = schedule.store(
        initialState: "", reducer: Note(overlap: overlap, save: { try? await save($0) }),
        finally: { text in server.text == text })
      script.send("a")
      script.send("b")
    }
  }

  struct Note: Reducer {
    let overlap: Overlap
    let save: @Sendable (String) async -> Void

    func reduce(into note: inout String, action text: String) -> Effect<String> {
      note = text
      return .run(id: "save", overlap: overlap, input: text) { [save] text, _ in await save(text) }
    }
  }

  final class Server: Sendable {
    private let saved = Mutex("")

    var text: String { saved.withLock { $0 } }

    func save(_ text: String) { saved.withLock { $0 = text } }
  }

  static func underAStore() async {
    let save = Mock<String, Void>()
    let store = Store(initialState: Bookmarks.State(), reducer: Bookmarks(save: save.callAsFunction))
    let tap = store.send(.saveTapped("swift"))
    await save.pending(atLeast: 1)                                  // the call is made on another thread
    save.answer()
    await tap.finish()
    #expect(await store.state.saved == ["swift"])
  }
}

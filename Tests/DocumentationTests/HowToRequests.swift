// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/HowTo.md; `HowToTests.swift` compares the two.

import EffectTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `How to: requests` {
  struct SearchField: Reducer {
    struct State: Equatable, Sendable { var query = ""; var results: [String] = []; var failure: String? }
    enum Action: Equatable, Sendable { case typed(String), found([String]), failed(String) }

    var find: @Sendable (String) async throws -> [String]

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      // listing: search
      case .typed(let query):
        (state.query, state.results, state.failure) = (query, [], nil)
        guard !query.isEmpty else { return .cancel(id: "search") }      // no old answer can come
        return .run(id: "search", overlap: .restart, input: query) { [find] query, send in
          send(.found(try await find(query)))
        } catch: { error, send in
          send(.failed("\(error)"))
        }
        .debounce(for: .milliseconds(300))
      case .found(let results):
        state.results = results
        return .none
      // end
      case .failed(let message): state.failure = message
      }
      return .none
    }
  }

  @Test func `Only the last key of a burst is searched, and nothing after the field was cleared`() async {
    let find = Mock<String, [String]>()
    let store = TestStore(initialState: SearchField.State(), reducer: SearchField(find: find.callAsFunction))
    store.send(.typed("s")) { $0.query = "s" }
    store.advance(by: .milliseconds(200))
    store.send(.typed("sw")) { $0.query = "sw" }
    store.advance(by: .milliseconds(299))
    #expect(store.status("search").running == 0)
    store.advance(by: .milliseconds(1))
    #expect(find.pending == ["sw"])
    store.send(.typed("")) { $0.query = "" }
    #expect(find.pending.isEmpty)
    store.send(.typed("a")) { $0.query = "a" }
    store.advance(by: .milliseconds(300))
    find.answer(throwing: Offline())
    await store.receive(.failed("Offline()")) { $0.failure = "Offline()" }
    store.send(.typed("ab")) { ($0.query, $0.failure) = ("ab", nil) }
    store.advance(by: .milliseconds(300))
    find.answer(["AB"])
    await store.receive(.found(["AB"])) { $0.results = ["AB"] }
    await store.finish()
  }

  @Test func `In all orders, only results of the query are shown`() async {
    let result = await explore(initialState: .init(), reducer: SearchField(find: Mock(answering: { [$0] }).callAsFunction)) { script in
      script.send(.typed("s"))
      script.send(.typed("swift"))
    } always: { state in
      state.results.isEmpty || state.results == [state.query]
    }
    result.expectComplete()
  }

  struct Expired: Error {}

  struct Session: Reducer {
    struct State: Equatable, Sendable { var token: String? = "old"; var pages: [String] = []; var failure: String? }
    enum Action: Equatable, Sendable {
      case load(String, isSecond: Bool = false), loaded(String), expired(String, String), refreshed(String?), failed(String)
    }

    var get: @Sendable (String, String) async throws -> String
    var refresh: @Sendable (String) async throws -> String

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      // listing: token
      case .load(let path, let isSecond):
        guard let token = state.token else { return .none }             // signed out
        return .run(id: path, overlap: .restart, input: token) { [get] token, send in
          send(.loaded(try await get(path, token)))
        } catch: { error, send in
          send(error is Expired && !isSecond ? .expired(path, token) : .failed("\(error)"))
        }
      case .expired(let path, let token):
        let again = Effect<Action>.send(.load(path, isSecond: true))
        guard token == state.token else { return again }                // it was refreshed already
        let refreshed = Effect<Action>.run(id: "token", overlap: .join, input: token) { [refresh] token, send in
          send(.refreshed(try await refresh(token)))
        } catch: { error, send in
          if error is Expired { send(.refreshed(nil)) }                 // being offline does not sign out
        }
        return .concatenate(refreshed, again)
      case .refreshed(let token):
        state.token = token
        return .none
      // end
      case .loaded(let page): state.pages.append(page)
      case .failed(let message): state.failure = message
      }
      return .none
    }
  }

  @Test func `Two requests share a refresh, and a third one comes too late for it`() async {
    let get = Mock<(String, String), String>()
    let refresh = Mock<String, String>()
    let store = TestStore(
      initialState: Session.State(),
      reducer: Session(get: { try await get(($0, $1)) }, refresh: refresh.callAsFunction))
    for path in ["a", "b", "c"] { store.send(.load(path)) }
    for path in ["a", "b"] {
      get.answer(throwing: Expired(), where: { $0.0 == path })
      await store.receive(.expired(path, "old"))
    }
    #expect(refresh.pending == ["old"])
    refresh.answer("new")
    await store.receive(.refreshed("new")) { $0.token = "new" }
    for path in ["a", "b"] { await store.receive(.load(path, isSecond: true)) }
    get.answer(throwing: Expired(), where: { $0.0 == "c" })
    await store.receive(.expired("c", "old"))
    await store.receive(.load("c", isSecond: true))
    #expect(refresh.pending.isEmpty)
    #expect(get.pending.map(\.1) == ["new", "new", "new"])
    get.answer("A")
    await store.receive(.loaded("A")) { $0.pages = ["A"] }
    get.answer(throwing: Expired())
    await store.receive(.failed("Expired()")) { $0.failure = "Expired()" }
    get.answer("C")
    await store.receive(.loaded("C")) { $0.pages = ["A", "C"] }
    await store.finish()
  }

  @Test func `A refresh that fails signs out, and nothing is loaded again`() async {
    let store = TestStore(
      initialState: Session.State(), reducer: Session(get: { _, _ in throw Expired() }, refresh: { _ in throw Expired() }))
    store.send(.load("a"))
    await store.receive(.expired("a", "old"))
    await store.receive(.refreshed(nil)) { $0.token = nil }
    await store.receive(.load("a", isSecond: true))
    await store.finish()
  }

  @Test func `Without a network, a refresh does not sign out`() async {
    let store = TestStore(
      initialState: Session.State(), reducer: Session(get: { _, _ in throw Expired() }, refresh: { _ in throw Offline() }))
    store.send(.load("a"))
    await store.receive(.expired("a", "old"))
    await store.receive(.load("a", isSecond: true))
    await store.receive(.failed("Expired()")) { $0.failure = "Expired()" }
    await store.finish()
  }

  struct Uploads: Reducer {
    struct State: Equatable, Sendable { var unfinished: Set<String> = [] }
    enum Action: Equatable, Sendable { case added([String]), uploaded(String), failed(String), removed(String) }

    var upload: @Sendable (String) async throws -> Void

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      // listing: limit
      case .added(let files):
        return .merge(
          files.filter { state.unfinished.insert($0).inserted }.map { file in
            .run(id: "uploads", overlap: .enqueue(limit: 3, exclusive: true), input: file) { [upload] file, send in
              do {
                try await upload(file)
                send(.uploaded(file))
              } catch {
                send(.failed(file))
              }
              try await send.sleep(for: .seconds(1))                    // keeps the slot: at most three a second
            }
            .cancellable(id: file, overlap: .enqueue)
          })
      case .uploaded(let file), .failed(let file):
        state.unfinished.remove(file)
        return .none
      case .removed(let file):
        guard state.unfinished.remove(file) != nil else { return .none }  // it is done, and keeps its slot for the second
        return .cancel(id: file)                                        // active or waiting
      // end
      }
    }
  }

  @Test func `Three are uploaded at a time, and one that waits can be removed`() async {
    let upload = Mock<String, Void>()
    let store = TestStore(initialState: Uploads.State(), reducer: Uploads(upload: upload.callAsFunction))
    store.send(.added(["a", "b", "c", "d", "e"])) { $0.unfinished = ["a", "b", "c", "d", "e"] }
    #expect(upload.pending == ["a", "b", "c"])
    upload.answer()
    await store.receive(.uploaded("a")) { $0.unfinished.remove("a") }
    store.send(.removed("d")) { $0.unfinished.remove("d") }
    #expect(upload.pending == ["b", "c"])
    store.advance(by: .seconds(1))
    #expect(upload.pending == ["b", "c", "e"])
    store.send(.removed("b")) { $0.unfinished.remove("b") }
    #expect(upload.pending == ["c", "e"])
    store.send(.added(["f", "g", "c"])) { $0.unfinished.formUnion(["f", "g"]) }
    #expect(upload.pending == ["c", "e", "f"])
    upload.answer(throwing: Offline(), where: { $0 == "c" })
    await store.receive(.failed("c")) { $0.unfinished.remove("c") }
    #expect(upload.pending == ["e", "f"], "a failure keeps its slot for a second as well")
    store.advance(by: .seconds(1))
    #expect(upload.pending == ["e", "f", "g"])
    store.cancelInFlight()
    await store.finish()
  }

  @Test func `The removal of finished files lets no other begin before their second is over`() async {
    let upload = Mock<String, Void>()
    let store = TestStore(initialState: Uploads.State(), reducer: Uploads(upload: upload.callAsFunction))
    let files = (1...9).map { "\($0)" }
    store.send(.added(files)) { $0.unfinished = Set(files) }
    for file in files.prefix(3) {
      upload.answer()
      await store.receive(.uploaded(file)) { $0.unfinished.remove(file) }
      store.send(.removed(file))
    }
    #expect(upload.pending.isEmpty)
    store.send(.added(["1"])) { $0.unfinished.insert("1") }
    store.advance(by: .seconds(1))
    #expect(upload.pending == ["4", "5", "6"])
    for file in files.dropFirst(3) { store.send(.removed(file)) { $0.unfinished.remove(file) } }
    #expect(upload.pending == ["1"], "a file that is added again during its second waits, and is uploaded")
    store.cancelInFlight()
    await store.finish()
  }

  struct Export: Reducer {
    enum Progress: Equatable, Sendable { case waiting, done }
    struct State: Equatable, Sendable { var progress: Progress?; var failure: String? }
    enum Action: Equatable, Sendable { case started, received(Progress), failed(String), left }

    var progress: @Sendable () async throws -> Progress

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      // listing: polling
      case .started:
        return .run(id: "poll", overlap: .restart) { [progress] send in
          while true {
            let progress = try await progress()
            send(.received(progress))
            if progress == .done { return }
            try await send.sleep(for: .seconds(5))
          }
        } catch: { error, send in
          send(.failed("\(error)"))
        }
        .timeout(after: .seconds(600))
      case .left:
        return .cancel(id: "poll")
      // end
      case .received(let progress): state.progress = progress
      case .failed(let message): state.failure = message
      }
      return .none
    }
  }

  @Test func `Polling stops when the work is done, when the user leaves, and after the limit`() async {
    let progress = Mock<Void, Export.Progress>()
    let store = TestStore(initialState: Export.State(), reducer: Export(progress: progress.callAsFunction))
    store.send(.started)
    progress.answer(.waiting)
    await store.receive(.received(.waiting)) { $0.progress = .waiting }
    #expect(progress.pending.isEmpty)
    store.advance(by: .seconds(5))
    progress.answer(.done)
    await store.receive(.received(.done)) { $0.progress = .done }
    #expect(store.status("poll").isIdle)
    store.send(.started)
    store.send(.left)
    #expect(progress.pending.isEmpty)
    store.send(.started)
    store.advance(by: .seconds(600))
    await store.receive(.failed("timed out after 600.0 seconds")) { $0.failure = "timed out after 600.0 seconds" }
    await store.finish()
  }

  // listing: retry
  struct Busy: Error {
    var retryAfter: Duration?

    init(_ response: HTTPURLResponse) {                                 // thrown for the status codes 429 and 503
      retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap(Int.init).map { .seconds($0) }
    }
  }

  static let backoff = Backoff { error, attempt in
    switch error {
    case let busy as Busy: busy.retryAfter ?? .seconds(attempt)
    case is URLError, is EffectTimeout: .seconds(attempt)
    default: nil                                                        // gives up
    }
  }
  // end

  struct Prices: Reducer {
    enum Action: Equatable, Sendable { case appeared, loaded(Int), failed }

    var load: @Sendable () async throws -> Int

    func reduce(into price: inout Int?, action: Action) -> Effect<Action> {
      switch action {
      case .appeared:
        return .run(id: "load", overlap: .drop) { [load] send in
          send(.loaded(try await load()))
        } catch: { _, send in
          send(.failed)
        }
        .timeout(after: .seconds(10))
        .retry(attempts: 4, backoff: backoff)
      case .loaded(let loaded): price = loaded
      case .failed: price = nil
      }
      return .none
    }
  }

  @Test func `A retry waits as long as the server says, and other errors are final`() async throws {
    let url = try #require(URL(string: "https://swift.org"))
    let load = Mock<Void, Int>()
    func busy(_ headers: [String: String]) throws -> Busy {
      Busy(try #require(HTTPURLResponse(url: url, statusCode: 429, httpVersion: nil, headerFields: headers)))
    }
    let store = TestStore(initialState: Int?.none, reducer: Prices(load: load.callAsFunction))
    store.send(.appeared)
    load.answer(throwing: try busy(["Retry-After": "7"]))
    store.advance(by: .milliseconds(6999))
    #expect(load.pending.isEmpty)
    store.advance(by: .milliseconds(1))
    load.answer(throwing: try busy([:]))
    store.advance(by: .seconds(2))
    load.answer(throwing: URLError(.networkConnectionLost))
    store.advance(by: .seconds(3))
    load.answer(3)
    await store.receive(.loaded(3)) { $0 = 3 }
    store.send(.appeared)
    load.answer(throwing: Offline())
    await store.receive(.failed) { $0 = nil }
    await store.finish()
  }

  struct Chat: Reducer {
    struct State: Equatable, Sendable { var messages: [String] = []; var seed: UInt64 = 0 }
    enum Action: Equatable, Sendable { case appeared, received(String), left }

    var connect: @Sendable () -> AsyncThrowingStream<String, any Error>

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      // listing: socket
      case .appeared:
        let backoff = Backoff.exponential(from: .seconds(1), upTo: .seconds(30)).jittered(by: 1, seed: state.seed)
        return .stream(id: "socket", overlap: .drop, sequence: connect, transform: { .received($0) })
          .retry(attempts: .max, backoff: backoff)
      case .received(let message):
        state.messages.append(message)
        return .none
      case .left:
        return .cancel(id: "socket")
      // end
      }
    }
  }

  // listing: socket-live
  static func messages(from url: URL) -> AsyncThrowingStream<String, any Error> {
    let socket = URLSession.shared.webSocketTask(with: url)
    socket.resume()
    return AsyncThrowingStream { continuation in
      let reading = Task {
        do {
          while true {
            guard case .string(let text) = try await socket.receive() else { throw URLError(.cannotParseResponse) }
            continuation.yield(text)
          }
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in                                   // however it ends: no socket stays open
        reading.cancel()
        socket.cancel()
      }
    }
  }
  // end

  @Test func `A socket that is closed is opened again, until the user leaves`() async {
    let receive = Mock<Void, String>()
    let store = TestStore(
      initialState: Chat.State(), reducer: Chat(connect: { AsyncThrowingStream { try await receive(()) } }))
    store.send(.appeared)
    receive.answer("a")
    await store.receive(.received("a")) { $0.messages = ["a"] }
    receive.answer(throwing: Offline())
    store.advance(by: .seconds(1))
    receive.answer("b")
    await store.receive(.received("b")) { $0.messages = ["a", "b"] }
    store.send(.left)
    #expect(receive.pending.isEmpty)
    await store.finish()
  }

  struct Upload: Reducer {
    struct State: Equatable, Sendable { var progress: Double?; var failure: String? }
    enum Action: Equatable, Sendable { case uploadTapped(String), progressed(Double), uploaded, failed(String), cancelTapped }

    var upload: @Sendable (String, @escaping @Sendable (Double) -> Void) async throws -> Void

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      // listing: progress
      case .uploadTapped(let file):
        state.progress = 0
        return .run(id: "upload", overlap: .restart, input: file) { [upload] file, send in
          try await upload(file) { fraction in send(.progressed(fraction)) }  // called from any thread
          send(.uploaded)
        } catch: { error, send in
          send(.failed("\(error)"))
        }
      case .progressed(let fraction):
        state.progress = fraction
        return .none
      case .cancelTapped:
        state.progress = nil
        return .cancel(id: "upload")
      // end
      case .uploaded: state.progress = nil
      case .failed(let message): (state.progress, state.failure) = (nil, message)
      }
      return .none
    }
  }

  @Test func `Progress is shown, and none comes after a cancel`() async {
    let part = Mock<Void, Double>()
    let upload = Upload(upload: { _, progress in
      for _ in 1...2 { progress((try? await part(())) ?? 0.9) }         // ignores its cancellation
    })
    let store = TestStore(initialState: Upload.State(), reducer: upload)
    store.assertsDrops = true
    store.send(.uploadTapped("a")) { $0.progress = 0 }
    part.answer(0.5)
    await store.receive(.progressed(0.5)) { $0.progress = 0.5 }
    part.answer(1)
    await store.receive(.progressed(1)) { $0.progress = 1 }
    await store.receive(.uploaded) { $0.progress = nil }
    store.send(.uploadTapped("b")) { $0.progress = 0 }
    store.send(.cancelTapped) { $0.progress = nil }
    for _ in 1...2 { await store.expectDrop(.progressed(0.9)) }
    await store.expectDrop(.uploaded)
    await store.finish()
  }
}

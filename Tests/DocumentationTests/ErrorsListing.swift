// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Errors.md; `ErrorsTests.swift` compares the two.

import EffectTesting
import Testing

struct Offline: Error {}
struct Overloaded: Error { var retryAfter: Duration }

// listing: catch
struct Lookup: Reducer {
  struct State: Equatable, Sendable { var results: [String] = []; var failure: String? }
  enum Action: Equatable, Sendable { case asked(String), found([String]), failed(String) }

  var find: @Sendable (String) async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .asked(let query):
      state.failure = nil
      return .run(id: "lookup", overlap: .restart, input: query) { [find] query, send in
        send(.found(try await find(query)))
      } catch: { error, send in
        send(.failed("\(error)"))                                     // an error is an action like any other
      }
    case .found(let results): state.results = results
    case .failed(let message): state.failure = message
    }
    return .none
  }
}
// end

// listing: catch-test
@Test func anErrorIsShown() async {
  let store = TestStore(initialState: Lookup.State(), reducer: Lookup(find: { _ in throw Offline() }))

  store.send(.asked("swift"))
  await store.receive(.failed("Offline()")) { $0.failure = "Offline()" }
  await store.finish()
}
// end

// listing: uncaught
struct Marks: Reducer {
  struct State: Equatable, Sendable { var marked: [String] = [] }
  enum Action: Equatable, Sendable { case marked(String) }

  var save: @Sendable (String) async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .marked(let result):
      state.marked.append(result)
      return .run(id: "save", overlap: .enqueue, input: result, name: "save a mark") { [save] result, _ in
        try await save(result)                                        // no `catch` handles what this throws
      }
    }
  }
}
// end

enum ErrorsListing {
  static func onFailure(print: @escaping @Sendable (String) -> Void) async {
    // listing: onFailure
    let store = Store(initialState: Marks.State(), reducer: Marks(save: { _ in throw Offline() })) { failure in
      print("\(failure.error) by \(failure.run)")
    }
    await store.send(.marked("swift.org")).finish()
    // end
    _ = store
  }

  static func handled() async throws -> EffectOutcome? {
    let store = Store(initialState: Lookup.State(), reducer: Lookup(find: { _ in throw Offline() }))
    let outcome = try await store.request(.asked("swift")) { _, outcomes in
      outcomes.first?.outcome
    }
    return outcome
  }

  static func uncaught() async {
    // listing: uncaught-test
    let store = TestStore(initialState: Marks.State(), reducer: Marks(save: { _ in throw Offline() }))

    store.send(.marked("swift.org")) { $0.marked = ["swift.org"] }
    await store.finish()
    // end
  }

  static func request() async throws -> [String] {
    let store = Store(initialState: Lookup.State(), reducer: Lookup(find: { _ in throw Offline() }))
    // listing: request
    struct NotFound: Error { var why: String }

    let results = try await store.request(.asked("swift")) { state in
      if let failure = state.failure { throw NotFound(why: failure) }  // thrown by `request`
      return state.results
    }
    // end
    return results
  }

  struct NotSaved: Error { var why: String }

  static func outcomes() async throws -> String {
    let store = Store(
      initialState: Marks.State(), reducer: Marks(save: { _ in throw Offline() }), onFailure: { _ in })
    // listing: outcomes
    let version = try await store.request(.marked("swift.org")) { _, outcomes in
      guard outcomes.allFinished else { throw NotSaved(why: "\(outcomes)") }  // run("save"): failed: Offline()
      return "saved"
    }
    // end
    return version
  }
}

@Test func anErrorOfTheOldQueryIsIgnored() async {
  let store = TestStore(initialState: Lookup.State(), reducer: Lookup(find: { query in
    if query == "swift" { return ["swift.org"] }
    for await _ in AsyncStream<Never>.makeStream().stream {}           // hangs until it is cancelled,
    throw Offline()                                                   // and then throws
  }))

  store.send(.asked("sw"))
  store.send(.asked("swift"))                                         // cancels the first
  await store.receive(.found(["swift.org"])) { $0.results = ["swift.org"] }
  await store.finish()
}

// listing: attempts
extension Lookup {
  func patiently(_ query: String) -> Effect<Action> {
    .run(id: "lookup", overlap: .restart, input: query) { [find] query, send in
      send(.found(try await find(query)))
    } catch: { error, send in
      send(.failed("\(error)"))                                       // after the third attempt, or a lasting error
    }
    .timeout(after: .seconds(5))                                        // each attempt
    .retry(
      attempts: 3,
      backoff: Backoff { error, attempt in
        if let busy = error as? Overloaded { return busy.retryAfter }     // the server says when
        guard error is EffectTimeout || error is Offline else { return nil }
        return .seconds(attempt)
      })
    .timeout(after: .seconds(12))                                       // all attempts, and the waits between them
  }
}
// end

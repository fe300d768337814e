// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import EffectTesting
import TestSupport
import Testing

/// Retries as a feature writes them: limits of the whole run, waits that the error contains, streams, and what follows from
/// `catch`.
@Suite struct `Retries` {
  private enum Action: Equatable, Sendable { case go, got(Int), done, failed(String), again }

  private struct Feature: Reducer {
    struct State: Equatable, Sendable {
      var got: [Int] = []
      var failures: [String] = []
      var isDone = false
    }

    var effect: @Sendable () -> Effect<Action>

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .go: return effect()
      case .again: return effect()
      case .got(let number): state.got.append(number)
      case .done: state.isDone = true
      case .failed(let text): state.failures.append(text)
      }
      return .none
    }
  }

  private struct Down: Error {}
  private struct Busy: Error { var retryAfter: Duration }

  private func testStore(_ effect: @escaping @Sendable () -> Effect<Action>) -> TestStore<Feature> {
    TestStore(initialState: Feature.State(), reducer: Feature(effect: effect))
  }

  @Test func `A limit of the whole run counts the waits between attempts (C5)`() async {
    let store = testStore {
      .run(id: "request", overlap: .restart) { _ in
        throw Down()
      } catch: { error, send in
        send(.failed("\(error)"))
      }
      .retry(attempts: 100, backoff: .constant(.seconds(4)))
      .timeout(after: .seconds(10))
    }
    store.send(.go)
    store.advance(by: .seconds(10))
    await store.receive(.failed("timed out after 10.0 seconds")) { $0.failures = ["timed out after 10.0 seconds"] }
    await store.finish()
  }

  @Test func `The error says when to try again, or that it is final (C5)`() async {
    let times = Lock<[Duration]>([])
    let store = testStore {
      .run(id: "request", overlap: .restart) { send in
        times.withLock { $0.append(send.now) }
        guard send.now >= .seconds(7) else { throw Busy(retryAfter: .seconds(7)) }
        throw Down()
      } catch: { error, send in
        send(.failed("\(error)"))
      }
      .retry(attempts: 5, backoff: Backoff { error, _ in (error as? Busy)?.retryAfter })
    }
    store.send(.go)
    store.advance(by: .seconds(7))
    await store.receive(.failed("Down()")) { $0.failures = ["Down()"] }
    await store.finish()
    #expect(times.withLock { $0 } == [.zero, .seconds(7)])
  }

  // MARK: - Streams

  @Test func `A sequence is made when the run starts, and again for each attempt (C5)`() async {
    let calls = Lock(0)
    let store = Store(
      initialState: Feature.State(),
      reducer: Feature {
        .stream(
          id: "feed", overlap: .drop, input: 10,
          sequence: { first in
            let call = calls.withLock { count in
              count += 1
              return count
            }
            return AsyncThrowingStream<Int, any Error> { source in
              source.yield(first * call)
              source.finish(throwing: call < 3 ? Down() : nil)
            }
          }, transform: { .got($0) }
        )
        .retry(attempts: 5)
      })
    await store.send(.go).finish()
    #expect(await store.state == Feature.State(got: [10, 20, 30]))
  }

  @Test func `The sequence of a run that is dropped is not made (C5)`() async {
    let calls = Lock(0)
    let (values, source) = AsyncStream.makeStream(of: Int.self)
    let store = testStore {
      .stream(id: "feed", overlap: .drop) {
        calls.withLock { $0 += 1 }
        return values
      } transform: {
        .got($0)
      }
    }
    store.send(.go)
    store.send(.go)
    source.finish()
    await store.finish()
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `A sequence that can be read once is a failure when it is tried again (C5)`() async {
    let store = Store(
      initialState: Feature.State(),
      reducer: Feature {
        let values = AsyncThrowingStream<Int, any Error> {
          $0.yield(1)
          $0.finish(throwing: Down())
        }
        return .stream(
          id: "feed", overlap: .restart, sequence: { values }, transform: { .got($0) },
          catch: { error, send in send(.failed("\(error)")) }
        )
        .retry(attempts: 3)
      })
    await store.send(.go).finish()
    let state = await store.state
    #expect(state.got == [1])
    #expect(
      state.failures == [
        """
        the sequence had no element, and a run had read it before: it can be read once. Make a new one in the closure, as in `sequence: { client.updates() }`, instead of returning one that exists.
        """
      ])
  }

  @Test func `A stream that a run had read before, and that ends without an element, is a failure (C6)`() async {
    for isMapped in [false, true] {
      let (values, feed) = AsyncStream.makeStream(of: Int.self)
      let store = testStore {
        isMapped
          ? .stream(
            id: "feed", overlap: .restart, fileID: "App/Feed.swift", line: 4, sequence: { values.map { $0 } },
            transform: { .got($0) })
          : .stream(
            id: "feed", overlap: .restart, fileID: "App/Feed.swift", line: 4, sequence: { values },
            transform: { .got($0) })
      }
      store.send(.go)
      feed.yield(1)
      await store.receive(.got(1)) { $0.got = [1] }
      // Replaces the first run, whose cancel ends the stream.
      let found = await failures {
        store.send(.go)
        await store.settle()
      }
      let text = """
        A stream ended without an element, and a run had read its sequence before:

          run("feed", overlap: restart) at App/Feed.swift:4

        Such a sequence can be read once. Make a new one for each run, in the closure: `sequence: { client.updates() }`, \
        instead of returning one that exists.
        """
      #expect(found.map { $0.text.hasPrefix(text) } == [true], "\(found)")
      await store.finish()
    }
  }

  @Test func `One stream that two runs return is reported by a store, with the line of the second (C6)`() async {
    let values = AsyncStream<Int> {
      $0.yield(1)
      $0.finish()
    }
    let log = Recorder<String>()
    let store = Store(
      initialState: Feature.State(),
      reducer: Feature {
        .stream(
          id: "feed", overlap: .concurrent, fileID: "App/Feed.swift", line: 4, sequence: { values },
          transform: { .got($0) })
      }, onFailure: { log.record("\($0)") })
    await store.send(.go).finish()
    #expect(log.events == [])
    await store.send(.go).finish()
    #expect(await store.state.got == [1])
    #expect(
      log.events == [
        """
        App/Feed.swift:4: run("feed"): the sequence had no element, and a run had read it before: it can be read once. Make a \
        new one in the closure, as in `sequence: { client.updates() }`, instead of returning one that exists.
        """
      ])
  }

  @Test
  func `Streams that are made for each run, and copies of another sequence, are no failure without an element (C6)`()
    async
  {
    let log = Recorder<String>()
    let store = Store(
      initialState: Feature.State(),
      reducer: Feature {
        .stream(
          id: "feed", overlap: .concurrent, sequence: { AsyncStream<Int> { $0.finish() } }, transform: { .got($0) })
      }, onFailure: { log.record("\($0)") })
    // Objects of released streams are forgotten, and addresses are used again.
    for _ in 1...300 { await store.send(.go).finish() }
    #expect(log.events == [])
  }

  @Test func `A sequence without an element is no failure at the first attempt (C5)`() async {
    let store = testStore {
      Effect.stream(
        id: "feed", overlap: .restart, sequence: { AsyncStream<Int> { $0.finish() } }, transform: { .got($0) }
      )
      .retry(attempts: 3)
    }
    store.send(.go)
    await store.finish()
  }

  // MARK: - The slot before catch

  @Test func `A reconnect that is sent from catch starts under drop (C5)`() async {
    let attempts = Lock(0)
    let store = testStore {
      .run(id: "line", overlap: .drop) { send in
        let count = attempts.withLock { count in
          count += 1
          return count
        }
        if count < 3 { throw Down() }
        send(.done)
      } catch: { _, send in
        send(.again)
      }
    }
    store.send(.go)
    await store.receive(.again)
    await store.receive(.again)
    await store.receive(.done) { $0.isDone = true }
    await store.finish()
    #expect(attempts.withLock { $0 } == 3)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/HowTo.md; `HowToTests.swift` compares the two.

import EffectTesting
import Foundation
import Testing
import XCTest

struct Shelf: Reducer {
  struct State: Equatable, Sendable { var books: [String]?; var failure: String? }
  enum Action: Equatable, Sendable { case appeared, retryTapped, loaded([String]), failed(String), left }

  var load: @Sendable () async throws -> [String]

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    // listing: screen
    case .appeared, .retryTapped:
      guard state.books == nil else { return .none }
      state.failure = nil
      return .run(id: "load", overlap: .restart) { [load] send in
        send(.loaded(try await load()))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    case .loaded(let books):
      state.books = books
      return .none
    case .failed(let message):
      state.failure = message
      return .none
    case .left:
      return .cancel(id: "load")
    // end
    }
  }
}

// XCTest runs it, unless `--disable-xctest` is given.
// listing: xctest
final class ShelfTests: XCTestCase {
  func testAFailureIsShownUntilTheRetry() async {
    let load = Mock<Void, [String]>()
    let store = TestStore(initialState: Shelf.State(), reducer: Shelf(load: load.callAsFunction))
    store.send(.appeared)
    load.answer(throwing: URLError(.timedOut))
    await store.receive(Shelf.Action.failed) { $0.failure = "\(URLError(.timedOut))" }
    store.send(.retryTapped) { $0.failure = nil }
    load.answer(["Dune"])
    await store.receive(.loaded(["Dune"])) { $0.books = ["Dune"] }
    await store.finish()
  }
}
// end

@Suite struct `How to: loading` {
  // listing: cancelled
  @Test func leavingCancelsTheRequest() async {
    let load = Mock<Void, [String]>()
    let store = TestStore(initialState: Shelf.State(), reducer: Shelf(load: load.callAsFunction))
    store.send(.appeared)
    #expect(load.pending.count == 1)
    store.send(.left)
    #expect(load.pending.isEmpty)                                       // the call has thrown `CancellationError`
    store.assertEffects { _ in }                                        // nothing runs or waits
    await store.finish()
  }
  // end

  @Test func `A retry and an answer in any order leave no failure beside the books, and no screen without both`() async {
    let result = await explore(initialState: .init(), reducer: Shelf(load: { throw Offline() })) { script in
      script.send(.appeared)
      script.send(.retryTapped)
    } finally: { state in
      state.failure != nil
    }
    result.expectComplete()
  }

  struct Feed: Reducer {
    struct Page: Equatable, Sendable { var rows: [Int]; var next: Int? }
    struct State: Equatable, Sendable { var rows: [Int] = []; var next: Int?; var failure: String? }
    enum Action: Equatable, Sendable { case refreshed, rowAppeared(Int), loaded(Page), failed(String) }

    var page: @Sendable (Int) async throws -> Page

    // listing: pages
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .refreshed:                                                  // also sent when the screen appears
        (state.rows, state.next) = ([], nil)
        return .concatenate(.cancel(id: "page"), load(0))               // no page of the old list comes after this
      case .rowAppeared(let row):                                       // sent by each row; a retry, too
        guard row == state.rows.last, let next = state.next else { return .none }
        return load(next)
      case .loaded(let page):
        (state.rows, state.next, state.failure) = (state.rows + page.rows, page.next, nil)
        return .none
      case .failed(let message):
        state.failure = message
        return .none
      }
    }

    private func load(_ position: Int) -> Effect<Action> {
      .run(id: "page", overlap: .join, input: position) { [page] position, send in
        send(.loaded(try await page(position)))
      } catch: { error, send in
        send(.failed("\(error)"))
      }
    }
    // end
  }

  @Test func `The same page is loaded once, and a failed one again`() async {
    let page = Mock<Int, Feed.Page>()
    let store = TestStore(initialState: Feed.State(), reducer: Feed(page: page.callAsFunction))
    store.send(.refreshed)
    page.answer(.init(rows: [1, 2], next: 2))
    await store.receive(.loaded(.init(rows: [1, 2], next: 2))) { ($0.rows, $0.next) = ([1, 2], 2) }
    store.send(.rowAppeared(1))
    store.send(.rowAppeared(2))
    store.send(.rowAppeared(2))
    #expect(page.pending == [2])
    page.answer(throwing: Offline())
    await store.receive(.failed("Offline()")) { $0.failure = "Offline()" }
    store.send(.rowAppeared(2))
    page.answer(.init(rows: [3], next: nil))
    await store.receive(.loaded(.init(rows: [3], next: nil))) { ($0.rows, $0.next, $0.failure) = ([1, 2, 3], nil, nil) }
    store.send(.rowAppeared(3))
    await store.finish()
  }

  @Test func `In every order of pages and refreshes no row is missing or twice`() async {
    let page: @Sendable (Int) -> Feed.Page = { .init(rows: [$0 + 1, $0 + 2], next: $0 == 2 ? nil : $0 + 2) }
    let start = Feed.State(rows: [1, 2], next: 2)
    let result = await explore(initialState: start, reducer: Feed(page: page)) { script in
      script.send(.rowAppeared(2))
      script.send(.refreshed)
      script.send(.rowAppeared(2))
    } always: { state in
      state.rows == Array([1, 2, 3, 4].prefix(state.rows.count))
    }
    result.expectComplete()
  }

  struct Tool: Reducer {
    enum Action: Sendable { case started, ended }

    var work: @Sendable () async -> Void

    func reduce(into ends: inout Int, action: Action) -> Effect<Action> {
      switch action {
      case .started: return .run { [work] send in
        await work()
        send(.ended)
      }
      case .ended: ends += 1
      }
      return .none
    }
  }

  // listing: interrupted
  static func run(_ store: Store<Tool>, until number: Int32 = SIGINT) async {
    signal(number, SIG_IGN)                                             // it does not end the process any more
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler {
      Task { await store.shutdown(.draining(within: .seconds(2))) }     // nothing new starts; what runs has two seconds
    }
    await withCheckedContinuation { continuation in
      source.setRegistrationHandler { continuation.resume() }
      source.activate()
    }
    await store.send(.started).finish()                                 // all work has ended, by itself or by the signal
    await store.shutdown(.draining)
    source.cancel()
  }
  // end

  @Test func `A signal ends the work of a tool, and the tool`() async {
    let store = Store(
      initialState: 0,
      reducer: Tool(work: {
        kill(getpid(), SIGUSR2)
        for await _ in AsyncStream<Never>(unfolding: { try? await Task.sleep(for: .seconds(3600)); return nil }) {}
      }), clock: .immediate)
    await Self.run(store, until: SIGUSR2)
    #expect(store.send(.started).isRefused)
    #expect(await store.state == 0)
  }
}

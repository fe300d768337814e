// This source file is part of swift-effects. License: Apache-2.0.

// swift-format-ignore-file
// The code between `listing` and `end` is shown in Docs/Explorer.md and Docs/ExplorerReference.md; `ExplorerTests.swift`
// compares them.

import EffectTesting
import Testing

/// The common part of the two features, so that one script explores both.
protocol FeedReducer: Reducer where State == FeedListing.Feed.State, Action == FeedListing.Feed.Action {
  init(page: @escaping @Sendable (Int) async throws -> [Int])
}

enum FeedListing {
  // listing: feature
  struct Feed: Reducer {
    struct State: Equatable, Sendable { var items: [Int] = [] }
    enum Action: Equatable, Sendable { case refresh, more, refreshed([Int]), appended([Int]) }

    var page: @Sendable (Int) async throws -> [Int]                 // the two items after this many

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .refresh:
        return .run(id: "refresh", overlap: .restart) { [page] send in send(.refreshed(try await page(0))) }
      case .more:
        return .run(id: "more", overlap: .drop, input: state.items.count) { [page] count, send in
          send(.appended(try await page(count)))
        }
      case .refreshed(let items):
        state.items = items
        return .none
      case .appended(let items):
        state.items += items
        return .none
      }
    }
  }
  // end

  struct Fixed: FeedReducer {
    let page: @Sendable (Int) async throws -> [Int]

    func reduce(into state: inout Feed.State, action: Feed.Action) -> Effect<Feed.Action> {
      switch action {
      // listing: fixed
      case .refreshed(let items):
        state.items = items
        return .cancel(id: "more")                                    // it was requested for the old items
      // end
      default: return Feed(page: page).reduce(into: &state, action: action)
      }
    }
  }

  /// A common half fix: it cancels too early, so a request after it is not cancelled.
  struct HalfFixed: FeedReducer {
    let page: @Sendable (Int) async throws -> [Int]

    func reduce(into state: inout Feed.State, action: Feed.Action) -> Effect<Feed.Action> {
      let effect = Feed(page: page).reduce(into: &state, action: action)
      return action == .refresh ? .merge(.cancel(id: "more"), effect) : effect
    }
  }
}

extension FeedListing.Feed: FeedReducer {}

@Suite struct ExplorerListings {
  private typealias Feed = FeedListing.Feed

  @Test func `A feed is tested as always`() async {
    let store = TestStore(initialState: Feed.State(items: [1, 2, 3, 4]), reducer: Feed(page: { [$0 + 1, $0 + 2] }))

    store.send(.more)
    await store.receive(.appended([5, 6])) { $0.items = [1, 2, 3, 4, 5, 6] }
    store.send(.refresh)
    await store.receive(.refreshed([1, 2])) { $0.items = [1, 2] }
    await store.finish()
  }

  /// Explores one of the features, and returns the printed text.
  func orders<Feed: FeedReducer>(of _: Feed.Type) async -> String {
    var said = ""
    func print(_ value: some Any) { said = "\(value)" }
    // listing: explore
    let result = await explore(
      initialState: .init(items: [1, 2, 3, 4]), reducer: Feed(page: { [$0 + 1, $0 + 2] })
    ) { script in
      script.send(.more)
      script.send(.refresh)
    } always: { state in
      state.items == Array(1..<state.items.count + 1)                 // no gap, nothing twice
    }
    print(result)
    // end
    return said
  }

  func replay<Feed: FeedReducer>(of _: Feed.Type) async {
    await explore(
      initialState: .init(items: [1, 2, 3, 4]), reducer: Feed(page: { [$0 + 1, $0 + 2] }),
      replaying: "u u d d e1 e0 d d"
    ) { script in
      script.send(.more)
      script.send(.refresh)
    } always: { $0.items == Array(1..<$0.items.count + 1) }
  }

  @Test func `Requirements and faults are given beside the reducer`() async {
    typealias Feed = FeedListing.Loading
    // listing: faults
    let result = await explore(
      initialState: .init(), reducer: Feed(),
      requiring: [.isRunning("load", exactlyWhile: \.isLoading), .nothingRunsAtTheEnd],
      faults: .anyOne(of: .fail("load"), .hang("load"), .duplicate("load"))
    ) { script in
      script.send(.load)
    } finally: { state in
      !state.isLoading
    }
    // end
    #expect("\(result)" == "complete: answers (14 states), timers (27 states), deliveries (48 states), steps (78 states)")
  }

  @Test func `Values are generated`() async {
    typealias Feed = FeedListing.Fixed
    // listing: values
    await explore(initialState: .init(items: [1, 2]), reducer: Feed(page: { [$0 + 1, $0 + 2] })) { script in
      script.send(
        anyOf: [.refresh, .more], .values(0...3).map { Feed.Action.refreshed(Array(1..<$0 + 1)) }, upTo: 3)
    } always: { $0.items == Array(1..<$0.items.count + 1) }
    // end
  }

  @Test func `Named states must be reached`() async {
    typealias Feed = FeedListing.Fixed
    await explore(
      initialState: .init(items: [1, 2]), reducer: Feed(page: { [$0 + 1, $0 + 2] }),
      sometimes: ["a second page": { $0.items.count == 4 }, "one page again": { $0.items.count == 2 }]
    ) { script in
      script.send(.more)
      script.send(.refresh)
    } always: { $0.items == Array(1..<$0.items.count + 1) }
  }

  @Test func `The answer of a mock may be a choice, and each schedule has new mocks`() async {
    let result = await own()
    #expect(result.failure == nil)
    #expect(result.completeLevel == .steps)
  }

  /// Explores requests of two senders, one of which is answered from a stale copy.
  func senders() async {
    typealias Bank = FeedListing.Bank
    // listing: senders
    let answers = Exploration.Specification(of: Bank.self, from: 0) { balance, action in
      if case .deposit(let amount) = action { balance += amount }
      return action == .read ? balance : nil
    } answer: { state, action in
      action == .read ? state.shown : nil
    }

    await explore(initialState: .init(), reducer: Bank()) { script in
      script.sender("ann") { ann in
        ann.request(.deposit(5), as: answers)
        ann.request(.read, as: answers)
      }
      script.sender("bob") { bob in bob.request(.deposit(1), as: answers) }
    }
    // end
  }

  private func own() async -> Exploration {
    typealias Feed = FeedListing.Fixed
    // listing: own
    return await explore { schedule in
      let server = Server(isDown: schedule.choose(2) == 1)            // an actor that remembers: a new one each time
      let script = schedule.store(
        initialState: .init(items: [1, 2, 3, 4]), reducer: Feed(page: { count in await server.page(behind: count) }),
        requiring: [.noDeadlock()], always: { $0.items == Array(1..<$0.items.count + 1) })
      script.send(.more)
      script.advance(by: .seconds(1))                                    // at least; without it any time may pass
      script.send(.refresh)
    }
    // end
  }
}

private actor Server {
  private let isDown: Bool
  private var asked = 0

  init(isDown: Bool) { self.isDown = isDown }

  func page(behind count: Int) -> [Int] {
    asked += 1
    return isDown && asked == 1 ? [] : [count + 1, count + 2]
  }
}

extension FeedListing {
  /// Shows a copy of its balance, which may be stale when a deposit is answered.
  struct Bank: Reducer {
    struct State: Equatable, Sendable { var (balance, shown) = (0, 0) }
    enum Action: Equatable, Sendable { case deposit(Int), show(Int), read }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .deposit(let amount):
        state.balance += amount
        return .run(id: "show", overlap: .restart, input: state.balance) { balance, send in send(.show(balance)) }
      case .show(let balance):
        state.shown = balance
        return .none
      case .read:
        return .none
      }
    }
  }

  /// A load that reports its state and ends in time.
  struct Loading: Reducer {
    struct State: Equatable { var isLoading = false }
    enum Action: Equatable, Sendable { case load, loaded, failed }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.isLoading = action == .load
      guard action == .load else { return .none }
      return .run(id: "load", overlap: .concurrent) { send in
        send(.loaded)
      } catch: { _, send in
        send(.failed)
      }.timeout(after: .seconds(5))
    }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Foundation

/// One test with all typical causes of flaky tests: debounced queries, an actor, a stream and a timer. It is repeated
/// in parallel, a few hundred times by default. The number is read from the environment. With both cores kept busy by
/// other processes:
///
/// ```sh
/// for core in 1 2; do timeout 900 sh -c 'while :; do :; done' & done
/// REPEATS=100000 swift test -c release --filter 'Repeat'
/// ```
enum BusyDay {
  static let repeats = ProcessInfo.processInfo.environment["REPEATS"].flatMap { Int($0) } ?? 500

  struct State: Equatable {
    var query = ""
    var results: [String] = []
    var ticks = 0
    var news: [Int] = []
  }

  enum Action: Equatable, Sendable {
    case open, close
    case queryChanged(String)
    case found([String])
    case ticked(Int)
    case arrived(Int)
  }

  actor Api {
    private(set) var queries: [String] = []

    func find(_ query: String) async -> [String] {
      queries.append(query)
      // Other calls may come in between, as in an actor that waits for its network.
      async let count = self.count()
      return [query.uppercased(), "\(await count)"]
    }

    private func count() -> Int { queries.count }
  }

  struct Feature: Reducer {
    let api: Api
    let news: AsyncStream<Int>

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .open:
        return .merge(
          .timer(id: "clock", overlap: .restart, every: .milliseconds(250)) { .ticked($0) },
          .stream(id: "news", overlap: .restart, sequence: { [news] in news }) { .arrived($0) })
      case .close:
        return .cancel(.everything)
      case .queryChanged(let query):
        state.query = query
        state.results = []
        return .run(id: "search", overlap: .restart, input: query) { [api] query, send in
          send(.found(await api.find(query)))
        }
        .debounce(for: .milliseconds(300))
      case .found(let results): state.results = results
      case .ticked(let count): state.ticks = count
      case .arrived(let number): state.news.append(number)
      }
      return .none
    }
  }

  /// The test. All its work is under its control, so it never waits in real time.
  ///
  /// - Returns: the queries that reached the API: one, and not five.
  static func test() async -> [String] {
    let api = Api()
    let (news, source) = AsyncStream.makeStream(of: Int.self)
    let store = TestStore(initialState: State(), reducer: Feature(api: api, news: news))
    store.externalWait = .zero
    store.send(.open)
    for query in ["s", "sw", "swi"] {
      store.send(.queryChanged(query)) { $0.query = query }
      store.advance(by: .milliseconds(100))
    }
    await store.receive(.ticked(1)) { $0.ticks = 1 }
    source.yield(1)
    source.yield(2)
    await store.receive(.arrived(1)) { $0.news = [1] }
    await store.receive(.arrived(2)) { $0.news = [1, 2] }
    for query in ["swif", "swift"] {
      store.send(.queryChanged(query)) { $0.query = query }
      store.advance(by: .milliseconds(100))
    }
    await store.receive(.ticked(2)) { $0.ticks = 2 }
    store.advance(by: .milliseconds(250))
    await store.receive(.found(["SWIFT", "1"])) { $0.results = ["SWIFT", "1"] }
    await store.receive(.ticked(3)) { $0.ticks = 3 }
    store.assertEffects {
      $0["clock"] = EffectStatus(running: 1)
      $0["news"] = EffectStatus(running: 1)
    }
    store.send(.close)
    await store.finish()
    return await api.queries
  }
}

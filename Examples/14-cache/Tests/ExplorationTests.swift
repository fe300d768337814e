// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Testing

@testable import cache

/// Every order of taps, fetches, changes and answers.
@Suite struct `Explorations of the cache` {
  /// Photo 1 is liked while the feed is fetched, and then photo 2.
  private static func likes(
    _ send: (Change) -> Void, _ focus: () -> Void
  ) {
    focus()
    send(.like(1, true))
    send(.like(2, true))
  }

  private static func naive(cancelsFetch: Bool, refusing: Int? = nil) async -> Exploration {
    await explore { schedule in
      let memory = MemoryServer()
      var server = memory.server(schedule.clock)
      server.send = { change in
        if change.photo == refusing { throw MemoryServer.Refused() }
        memory.change(change)
      }
      let script = schedule.store(
        initialState: Watched.State(cache: NaiveCache.State(feed: memory.all)),
        reducer: Watched(NaiveCache(server: server, cancelsFetch: cancelsFetch)), always: \.showsAllLikes)
      likes({ script.send(.changed($0)) }, { script.send(.focused) })
    }
  }

  @Test func `An answer that was under way overwrites a like, if the recipe forgets to cancel it`() async {
    let failures = await reportedFailures {
      let result = await Self.naive(cancelsFetch: false)
      #expect(result.failure != nil)
    }
    #expect(failures.count == 1 && failures[0].contains("`always` does not hold"))
  }

  @Test func `With the cancel, the fetch after the first like overwrites the second like`() async {
    let failures = await reportedFailures {
      let result = await Self.naive(cancelsFetch: true)
      #expect(result.failure != nil)
    }
    #expect(failures.count == 1 && failures[0].contains("`always` does not hold"))
  }

  @Test func `In the cache a like is shown from the tap on, in every order, and then it is what the server has (E1)`()
    async
  {
    let result = await explore(options: .init(upTo: .deliveries)) { schedule in
      let memory = MemoryServer()
      let script = schedule.store(
        initialState: Watched.State(cache: Cache.State.feed(memory)),
        reducer: Watched(Cache(server: memory.server)),
        requiring: [.nothingRunsAtTheEnd], always: \.showsAllLikes,
        finally: { $0.cache.changes.isEmpty && $0.cache.photos(.feed) == memory.all })
      Self.likes({ script.send(.changed($0)) }, { script.send(.focused) })
    }
    result.expectComplete(.deliveries)
  }

  @Test func `Also if the answer of a fetch takes longer than anything else (E1)`() async {
    let result = await explore { schedule in
      let memory = MemoryServer()
      let script = schedule.store(
        initialState: Watched.State(cache: Cache.State.feed(memory)),
        reducer: Watched(Cache(server: memory.server(schedule.clock))), requiring: [.nothingRunsAtTheEnd],
        always: \.showsAllLikes,
        finally: { $0.cache.changes.isEmpty && $0.cache.photos(.feed) == memory.all })
      script.send(.focused)
      script.send(.changed(.like(1, true)))
    }
    #expect(
      "\(result)" == "complete: answers (27 states), timers (41 states), deliveries (92 states), steps (115 states)")
  }

  @Test func `A like before the first answer is shown as soon as there is something to show`() async {
    let result = await explore { schedule in
      let memory = MemoryServer()
      let script = schedule.store(
        initialState: Watched.State(cache: Cache.State()),
        reducer: Watched(Cache(server: memory.server(schedule.clock))),
        requiring: [.nothingRunsAtTheEnd],
        always: { $0.cache.photos(.feed).isEmpty || $0.showsAllLikes },
        finally: { $0.cache.changes.isEmpty && $0.cache.photos(.feed) == memory.all })
      script.send(.appeared(.feed))
      script.send(.changed(.like(1, true)))
    }
    #expect(
      "\(result)" == "complete: answers (27 states), timers (41 states), deliveries (92 states), steps (115 states)")
  }

  @Test func `A client that makes a task is explored as the others`() async {
    let result = await explore(options: .init(upTo: .timers)) { schedule in
      let memory = MemoryServer()
      let server = memory.server
      let script = schedule.store(
        initialState: Watched.State(cache: Cache.State()),
        reducer: Watched(
          Cache(
            server: Server(
              fetch: { query, first in try await Task { try await server.fetch(query, first) }.value },
              send: { change in try await Task { try await server.send(change) }.value }))),
        requiring: [.nothingRunsAtTheEnd],
        finally: { $0.cache.changes.isEmpty && $0.cache.photos(.feed) == memory.all })
      script.send(.appeared(.feed))
      script.send(.changed(.like(1, true)))
    }
    result.expectComplete(.timers)
  }

  @Test func `A like that is refused disappears, and the other one stays (O1)`() async {
    let result = await explore { schedule in
      let memory = MemoryServer()
      var server = memory.server
      server.send = { change in
        if change.photo == 1 { throw MemoryServer.Refused() }
        memory.change(change)
      }
      let script = schedule.store(
        initialState: Watched.State(cache: Cache.State.feed(memory)), reducer: Watched(Cache(server: server)),
        requiring: [.nothingRunsAtTheEnd], always: \.showsAllLikes,
        finally: { $0.cache.changes.isEmpty && $0.cache.photos(.feed) == memory.all && $0.liked == [2] })
      script.send(.changed(.like(1, true)))
      script.send(.changed(.like(2, true)))
    }
    #expect(
      "\(result)" == "complete: answers (45 states), timers (45 states), deliveries (270 states), steps (270 states)")
  }

  @Test func `The naive cache, when the first like is refused, takes back the second one as well`() async {
    let failures = await reportedFailures {
      let result = await Self.naive(cancelsFetch: true, refusing: 1)
      #expect(result.failure != nil)
    }
    #expect(failures.count == 1 && failures[0].contains("`always` does not hold"))
  }

  @Test func `Pages and a fetch never mix: no photo is missing or shown twice (E1, E3)`() async {
    let result = await explore { schedule in
      let memory = MemoryServer(5)
      let script = schedule.store(
        initialState: Cache.State.feed(memory), reducer: Cache(server: memory.server(schedule.clock)),
        requiring: [.nothingRunsAtTheEnd],
        sometimes: ["two pages": { $0.photos(.feed).map(\.id) == [2, 3, 4, 5] }],
        always: { state in
          let ids = state.photos(.feed).map(\.id)
          return ids == Array((ids.first ?? 0)..<(ids.first ?? 0) + ids.count)
        })
      script.send(.moreTapped(.feed))
      script.send(.changed(.delete(1)))
    }
    #expect(
      "\(result)" == "complete: answers (27 states), timers (43 states), deliveries (98 states), steps (121 states)")
  }
}

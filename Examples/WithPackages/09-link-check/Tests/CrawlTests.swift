// This source file is part of swift-effects. License: Apache-2.0.

import EffectTesting
import Synchronization
import Testing

@testable import link_check

/// What the crawl does, step by step.
@Suite struct CrawlTests {
  private static let pause = Duration.milliseconds(20)

  private func store(_ fetch: @escaping @Sendable (Page) async throws -> Answer) -> TestStore<Crawl> {
    TestStore(initialState: .init(), reducer: Crawl(fetch: fetch, hosts: ["here"]))
  }

  @Test func `The pages that a page links to are requested once, and the crawl is done when nothing runs`() async {
    let site = MemorySite.circles
    let store = store(site.fetch)
    store.send(.started(at: a)) { $0.pages = [a: .waiting()] }
    store.advance(by: Self.pause)
    await store.receive(.began(a)) { $0.pages[a] = .asked(tries: 1) }
    await store.receive(.answered(a, .page([b, c]), took: .zero)) {
      $0.pages = [a: .done(.page([b, c]), took: .zero), b: .waiting(), c: .waiting()]
    }
    for (next, links) in [(b, [c]), (c, [a, c])] {
      store.advance(by: Self.pause)
      await store.receive(.began(next)) { $0.pages[next] = .asked(tries: 1) }
      await store.receive(.answered(next, .page(links), took: .zero)) {
        $0.pages[next] = .done(.page(links), took: .zero)
      }
    }
    await store.finish()
    #expect(site.asked == [a, b, c])
  }

  @Test func `Two requests per host are open, and they begin at least a pause apart (O1)`() async {
    let times = Mutex<[Duration]>([])
    let store = store { _ in .status(404) }
    let clock = store.clock
    store.reducer.fetch = { page in
      times.withLock { $0.append(clock.now.offset) }
      guard page != a else { return .page([b, c, d, e, f]) }
      try await clock.sleep(for: .seconds(1))
      return .page([])
    }
    store.exhaustivity = .off
    store.send(.started(at: a))
    store.advance(by: .seconds(5))
    await store.finish()
    #expect(times.withLock { $0.map { $0 / .milliseconds(1) } } == [20, 40, 60, 1060, 1080, 2080])
  }

  @Test func `Four requests to all hosts are open (O1)`() async {
    let turnstile = Turnstile()
    let pages = ["here", "there", "elsewhere"].flatMap { [page("b", of: $0), page("c", of: $0), page("d", of: $0)] }
    let store = store { _ in .status(404) }
    let clock = store.clock
    store.reducer.fetch = { page in
      guard page != a else { return .page(pages) }
      turnstile.enter()
      defer { turnstile.leave() }
      try await clock.sleep(for: .seconds(1))
      return .page([])
    }
    store.exhaustivity = .off
    store.send(.started(at: a))
    store.advance(by: .seconds(10))
    await store.finish()
    #expect(turnstile.most == 4)
    #expect(store.state.pages.values.allSatisfy { if case .done = $0 { true } else { false } })
  }

  @Test func `A page that does not answer times out, and an unreachable page is reported (C5, E5)`() async {
    struct Refused: Error {}
    let store = store { _ in throw Refused() }
    let clock = store.clock
    store.reducer.fetch = { page in
      guard page == a else { throw Refused() }
      try await clock.sleep(for: .seconds(1000))
      return .page([])
    }
    for (page, answer) in [(a, Answer.silent), (b, .unreachable)] {
      store.send(.started(at: page)) { $0.pages[page] = .waiting() }
      store.advance(by: Self.pause)
      await store.receive(.began(page)) { $0.pages[page] = .asked(tries: 1) }
      if page == a { store.advance(by: store.reducer.patience) }
      await store.receive(.answered(page, answer, took: store.reducer.patience)) {
        $0.pages[page] = .done(answer, took: store.reducer.patience)
      }
    }
    await store.finish()
  }

  @Test(arguments: [2, 3])
  func `A busy page is requested again, after the others, up to three times`(times: Int) async {
    let asked = Mutex<[Page]>([])
    let store = store { page in
      asked.withLock { $0.append(page) }
      if page == a { return .page([b, c, d]) }
      return page == b && asked.withLock({ $0.count { $0 == b } }) <= times ? .busy : .page([])
    }
    store.exhaustivity = .off
    store.send(.started(at: a))
    store.advance(by: .seconds(1))
    await store.finish()
    #expect(asked.withLock { $0 } == [a, b, c, d, b, b])
    #expect(store.state.pages[b] == .done(times == 2 ? .page([]) : .busy, took: .zero))
  }

  @Test func `No more pages than the limit are visited`() async {
    let asked = Mutex<[Page]>([])
    let store = store { visited in
      asked.withLock { $0.append(visited) }
      return .page([page("\(asked.withLock(\.count))"), b])
    }
    store.reducer.mostPages = 5
    store.exhaustivity = .off
    store.send(.started(at: a))
    store.advance(by: .seconds(1))
    await store.finish()
    #expect(asked.withLock { Set($0) } == Set(store.state.pages.keys))
    #expect(store.state.pages.count == 5 && store.state.isFull)
  }

  @Test func `Links of other hosts are not followed, but redirects are`() async {
    let (other, target) = (page("b", of: "there"), page("c", of: "there"))
    let store = store { page in
      switch page {
      case a: .page([other])
      case other: .moved(to: target)
      default: .page([d])
      }
    }
    store.exhaustivity = .off
    store.send(.started(at: a))
    store.advance(by: .seconds(1))
    await store.finish()
    #expect(
      store.state.pages == [
        a: .done(.page([other]), took: .zero), other: .done(.moved(to: target), took: .zero),
        target: .done(.page([d]), took: .zero),
      ])
  }

  @Test func `After a stop, active requests finish, and waiting pages never begin (E3)`() async {
    let store = store { _ in .page([]) }
    let clock = store.clock
    store.reducer.fetch = { page in
      guard page != a else { return .page([b, c, d]) }
      try await clock.sleep(for: .seconds(1))
      return page == b ? .page([e]) : .busy
    }
    store.exhaustivity = .off
    store.send(.started(at: a))
    store.advance(by: Self.pause * 3)
    await store.receive(.began(c))
    store.exhaustivity = .on
    store.send(.stopped) { $0.isStopping = true }
    store.advance(by: .seconds(1))
    await store.receive(.answered(b, .page([e]), took: .seconds(1))) {
      $0.pages[b] = .done(.page([e]), took: .seconds(1))
      $0.pages[e] = .waiting()
    }
    await store.receive(.answered(c, .busy, took: .seconds(1))) { $0.pages[c] = .waiting(tries: 1) }
    await store.finish()
    #expect(Set(store.state.waiting) == [c, d, e])
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation
import HummingbirdCore
import LocalServer
import Synchronization
import Testing

@testable import link_check

/// The crawl, a real client and three real servers.
@Suite struct `A crawl over servers` {
  @Test func `Each page is requested once, except busy ones; two at a time per host, four from all`() async throws {
    try await Site.whileServed { client in
      let asked = Mutex<[Page: Int]>([:])
      let all = Turnstile()
      let hosts = Dictionary(uniqueKeysWithValues: client.places.keys.map { ($0, Turnstile()) })
      let crawl = Crawl(
        fetch: { page in
          asked.withLock { $0[page, default: 0] += 1 }
          let turnstiles = [all, hosts[page.host]].compactMap(\.self)
          for turnstile in turnstiles { turnstile.enter() }
          defer { for turnstile in turnstiles { turnstile.leave() } }
          return try await client.answer(page)
        }, hosts: Site.hosts, pause: .zero, patience: .seconds(10))
      let store = Store(initialState: .init(), reducer: crawl)
      await store.send(.started(at: Site.start)).finish()
      let state = await store.state

      #expect(state.pages.count == 18)
      #expect(
        asked.withLock { $0.filter { $0.value > 1 }.map { "\($0.key): \($0.value)" }.sorted() } == [
          "http://docs.example/news?fail=1: 2", "http://shop.example/stock?fail=9: 3",
        ])
      #expect(asked.withLock { Set($0.keys) } == Set(state.pages.keys))
      #expect(hosts.values.allSatisfy { $0.most <= 2 })
      #expect(all.most <= 4)
      #expect(Report(state, following: Site.hosts).status == 1)
      await store.shutdown(.draining)
    }
  }

  /// Addresses that no client can request. Some of them end the process in a library.
  private static let bad = [
    "http://127.0.0.1:65536/", "http://127.0.0.1:99999999999999999999/", "http://127.0.0.1:0/", "http://[::1]:70000/",
    "https://localhost:65537/", "http://a:65536/x",
  ]

  @Test func `A link or a redirect to a port that is none cannot be reached, and ends nothing`() async throws {
    try await LocalServer.whileRunning { request in
      guard let number = request.uri.path.split(separator: "/").first.flatMap({ Int($0) }) else {
        return Site.page(linkingTo: Self.bad + Self.bad.indices.map { "/\($0)" })
      }
      return Site.redirect(to: Self.bad[number])
    } _: { server in
      let start = Page(host: server.url.absoluteString, path: "/")
      let crawl = Crawl(fetch: { try await PageClient().answer($0) }, hosts: [start.host], pause: .zero)
      let store = Store(initialState: .init(), reducer: crawl)
      await store.send(.started(at: start)).finish()
      let pages = await store.state.pages
      for (number, address) in Self.bad.enumerated() {
        let page = try #require(Page(address))
        #expect(page.description == address)
        guard case .done(.unreachable, _) = pages[page],
          case .done(.moved(to: page), _) = pages[Page(host: start.host, path: "/\(number)")]
        else {
          Issue.record("\(page): \(pages)")
          continue
        }
      }
    }
  }

  @Test func `A server that does not run cannot be reached`() async throws {
    // The address of a server that has stopped, so no server listens there.
    let place = try await Site.whileServed { client in client.places["http://docs.example"] }
    let client = PageClient(places: ["http://docs.example": try #require(place)])
    let store = Store(initialState: .init(), reducer: Crawl(fetch: { try await client.answer($0) }, hosts: []))
    await store.send(.started(at: Site.start)).finish()
    guard case .done(.unreachable, _) = await store.state.pages[Site.start] else {
      Issue.record("\(await store.state)")
      return
    }
  }
}

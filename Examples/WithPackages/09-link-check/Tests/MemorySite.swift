// This source file is part of swift-effects. License: Apache-2.0.

import Synchronization

@testable import link_check

let (a, b, c, d, e, f) = (page("a"), page("b"), page("c"), page("d"), page("e"), page("f"))

func page(_ name: String, of host: String = "here") -> Page {
  Page(host: host, path: "/\(name)")
}

/// A site in memory: which page links to which. It records which pages were requested.
final class MemorySite: Sendable {
  private let links: [Page: [Page]]
  private let log = Mutex<[Page]>([])

  init(_ links: [Page: [Page]]) {
    self.links = links
  }

  var asked: [Page] { log.withLock { $0 } }

  var isAskedTwice: Bool { asked.count > Set(asked).count }

  @Sendable func fetch(_ page: Page) -> Answer {
    log.withLock { $0.append(page) }
    return links[page].map(Answer.page) ?? .status(404)
  }

  /// Two ways to `c`, and from there back to `a` and to itself.
  static var circles: MemorySite {
    MemorySite([a: [b, c], b: [c], c: [a, c]])
  }
}

/// Counts how many runs are between its two calls.
final class Turnstile: Sendable {
  private let count = Mutex((inside: 0, most: 0))

  var most: Int { count.withLock { $0.most } }

  func enter() {
    count.withLock { count in
      count.inside += 1
      count.most = max(count.most, count.inside)
    }
  }

  func leave() {
    count.withLock { $0.inside -= 1 }
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// Where a page is: `http://docs.example` and `/guide?delay=100`.
struct Page: Hashable, Sendable, CustomStringConvertible {
  let host: String
  let path: String

  /// As the report, traces and failing tests print it.
  var description: String { host + path }
}

/// What comes back when a page is asked for.
enum Answer: Equatable, Sendable {
  /// It is there, and links to these.
  case page([Page])
  case moved(to: Page)
  /// Status 503: not now.
  case busy
  case status(Int)
  /// Nothing in time.
  case silent
  case unreachable
}

extension Answer {
  /// Where it leads. A redirect is followed wherever it goes.
  func leads(following: Bool) -> [Page] {
    switch self {
    case .page(let links): following ? links : []
    case .moved(let page): [page]
    case .busy, .status, .silent, .unreachable: []
    }
  }

  /// Why a link to this is broken, if it is.
  var problem: String? {
    switch self {
    case .page, .moved: nil
    case .busy: "status 503, again and again"
    case .status(let code): "status \(code)"
    case .silent: "no answer in time"
    case .unreachable: "cannot be reached"
    }
  }
}

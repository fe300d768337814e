// This source file is part of swift-effects. License: Apache-2.0.

/// The address of a page: `http://docs.example` and `/guide?delay=100`.
struct Page: Hashable, Sendable, CustomStringConvertible {
  let host: String
  let path: String

  /// As the report, traces and failing tests print it.
  var description: String { host + path }
}

/// The answer to a request for a page.
enum Answer: Equatable, Sendable {
  /// The page exists, and links to these pages.
  case page([Page])
  case moved(to: Page)
  /// Status 503: try again later.
  case busy
  case status(Int)
  /// No answer in time.
  case silent
  case unreachable
}

extension Answer {
  /// The pages that it leads to. A redirect is always followed, also to other hosts.
  func leads(following: Bool) -> [Page] {
    switch self {
    case .page(let links): following ? links : []
    case .moved(let page): [page]
    case .busy, .status, .silent, .unreachable: []
    }
  }

  /// Why a link to this page is broken, if it is.
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

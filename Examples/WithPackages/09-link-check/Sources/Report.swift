// This source file is part of swift-effects. License: Apache-2.0.

/// What a crawl has found, in an order that does not depend on the order of the answers.
struct Report {
  private let answers: [Page: Answer]
  private let left: [Page]
  private let slowest: (page: Page, took: Duration)?
  private let isStopped, isFull: Bool
  /// Which pages link to a page.
  private var links: [Page: Set<Page>] = [:]
  /// The pages that are moved, and whose targets lead back to them.
  private let circles: Set<Page>

  init(_ state: Crawl.State, following hosts: Set<String>) {
    var answers: [Page: Answer] = [:]
    var times: [(page: Page, took: Duration)] = []
    for (page, visit) in state.pages {
      guard case .done(let answer, let took) = visit else { continue }
      answers[page] = answer
      if answer != .silent, answer != .unreachable { times.append((page, took)) }
      for target in answer.leads(following: hosts.contains(page.host)) { links[target, default: []].insert(page) }
    }
    self.answers = answers
    left = state.pages.keys.filter { answers[$0] == nil }.inOrder
    slowest = times.max { $0.took < $1.took }
    (isStopped, isFull) = (state.isStopping, state.isFull)
    circles = Self.circles(answers)
  }

  /// The exit status: 130 after Ctrl-C, 1 if a link is broken or there are too many pages, otherwise 0.
  var status: Int32 {
    isStopped ? 130 : broken.isEmpty && !isFull ? 0 : 1
  }

  func text(showingTimes: Bool = false) -> String {
    var lines: [String] = []
    for (host, pages) in Dictionary(grouping: answers.keys, by: \.host).sorted(by: { $0.key < $1.key }) {
      lines.append("\(host): \(counted(pages.count, "page"))")
    }
    lines.append(heading("broken", broken.count))
    for (page, problem) in broken {
      lines.append("  \(page): \(problem)")
      lines += (links[page] ?? []).inOrder.map { "    from \($0)" }
    }
    if let slowest {
      let time = showingTimes ? ", \(Int(slowest.took / .milliseconds(1))) ms" : ""
      lines.append("slowest: \(slowest.page)\(time)")
    }
    if isStopped {
      lines.append(heading("not visited", left.count))
      lines += left.map { "  \($0)" }
    }
    if isFull { lines.append("too many pages: some were found and not visited") }
    let moved = answers.values.count { if case .moved = $0 { true } else { false } }
    let silent = answers.values.count { $0 == .silent }
    lines.append(
      "\(counted(answers.count, "page")): \(moved) moved, \(broken.count) broken, \(silent) of them without an answer in time"
    )
    return lines.joined(separator: "\n")
  }

  private var broken: [(page: Page, problem: String)] {
    answers.keys.inOrder.compactMap { page in problem(of: page).map { (page, $0) } }
  }

  /// A moved page has no problem of its own: its target is reported. Only a page that leads to itself is reported here.
  private func problem(of page: Page) -> String? {
    circles.contains(page) ? "moved in a circle" : answers[page]?.problem
  }

  /// Follows each page once.
  private static func circles(_ answers: [Page: Answer]) -> Set<Page> {
    var (circles, followed): (Set<Page>, Set<Page>) = ([], [])
    for page in answers.keys {
      var (way, next): ([Page], Page?) = ([], page)
      while let page = next, followed.insert(page).inserted {
        way.append(page)
        next = if case .moved(let target) = answers[page] { target } else { nil }
      }
      if let start = way.firstIndex(where: { $0 == next }) { circles.formUnion(way[start...]) }
    }
    return circles
  }
}

extension Sequence<Page> {
  fileprivate var inOrder: [Page] { sorted { $0.description < $1.description } }
}

private func heading(_ name: String, _ count: Int) -> String {
  count == 0 ? "\(name): none" : "\(name):"
}

private func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

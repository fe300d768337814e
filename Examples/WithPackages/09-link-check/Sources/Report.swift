// This source file is part of swift-effects. License: Apache-2.0.

/// What a crawl has found, in an order that does not depend on the order of the answers.
struct Report {
  private let answers: [Page: Answer]
  private let left: [Page]
  private let slowest: (page: Page, took: Duration)?
  private let isStopped: Bool
  /// Which pages link to a page.
  private var links: [Page: Set<Page>] = [:]

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
    isStopped = state.isStopping
  }

  /// The exit status: 130 after Ctrl-C, 1 if a link is broken, otherwise 0.
  var status: Int32 {
    isStopped ? 130 : broken.isEmpty ? 0 : 1
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
    var next = page
    for _ in 0..<answers.count {
      guard case .moved(let target) = answers[next] else { break }
      if target == page { return "moved in a circle" }
      next = target
    }
    return answers[page]?.problem
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

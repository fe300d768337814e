// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import link_check

/// The report of a crawl, and how links are read.
@Suite struct ReportTests {
  private static let state = Crawl.State(pages: [
    a: .done(.page([b, c, d, e, page("x", of: "there")]), took: .milliseconds(3)),
    b: .done(.moved(to: c), took: .milliseconds(40)),
    c: .done(.moved(to: b), took: .zero),
    d: .done(.status(404), took: .zero),
    e: .done(.moved(to: d), took: .zero),
    f: .waiting(),
    page("x", of: "there"): .done(.page([d]), took: .zero),
    page("y", of: "there"): .done(.silent, took: .seconds(10)),
  ])

  @Test func `The report shows what is broken and where it is linked, and for a moved page where it leads`() {
    let text = """
      here: 5 pages
      there: 2 pages
      broken:
        here/b: moved in a circle
          from here/a
          from here/c
        here/c: moved in a circle
          from here/a
          from here/b
        here/d: status 404
          from here/a
          from here/e
        there/y: no answer in time
      slowest: here/b, 40 ms
      7 pages: 3 moved, 4 broken, 1 of them without an answer in time
      """
    let report = Report(Self.state, following: ["here"])
    #expect(report.text(showingTimes: true) == text)
    #expect(report.status == 1)
  }

  @Test func `A stopped crawl reports what it has not visited, and a crawl that finds no problem has status 0`() {
    let text = """
      here: 1 page
      broken: none
      slowest: here/a
      not visited:
        here/b
        here/c
      1 page: 0 moved, 0 broken, 0 of them without an answer in time
      """
    var state = Crawl.State(pages: [a: .done(.page([b, c]), took: .zero), b: .waiting(tries: 1), c: .asked(tries: 1)])
    #expect(Report(state, following: ["here"]).status == 0)
    state.isStopping = true
    #expect(Report(state, following: ["here"]).text() == text)
    #expect(Report(state, following: ["here"]).status == 130)
  }

  @Test func `The progress is one line, drawn over the previous one`() {
    var state = Self.state
    state.pages[f] = .asked(tries: 1)
    state.isStopping = true
    #expect(state.progress == "7 of 8 pages, 1 asked for, 2 broken, stopping")
    #expect(redrawn("x") == "\r\u{1B}[2Kx")
  }

  @Test func `A long way of moved pages is followed once, and only its circle is reported`() {
    let count = 20_000
    var state = Crawl.State()
    for number in 0..<count {
      let target = number == count - 1 ? page("\(count - 2)") : page("\(number + 1)")
      state.pages[page("\(number)")] = .done(.moved(to: target), took: .zero)
    }
    #expect(Report(state, following: []).text().matches(of: /moved in a circle/).count == 2)
  }

  @Test func `More pages than the limit are reported`() {
    let state = Crawl.State(pages: [a: .done(.page([b]), took: .zero)], isFull: true)
    let report = Report(state, following: ["here"])
    #expect(report.text().contains("\ntoo many pages: some were found and not visited\n"))
    #expect(report.status == 1)
  }

  @Test func `Attributes are read as a browser reads them`() throws {
    for (tag, expected) in [
      (#"<a class="x>y" href="/1">"#, ["/1"]), ("<A HREF='/1'>", ["/1"]), ("<a\nhref = /1>", ["/1"]),
      (#"<a data-href="/2" href="/1" href="/3">"#, ["/1"]), (#"<a title='href="/2"' href="/1">"#, ["/1"]),
      (#"<a =href="/2" x href="/1">"#, ["/1"]), (#"<a name="x">"#, []), (#"<abbr href="/1">"#, []),
      (#"<a href="/1"#, []),
      (#"<a href="/1""#, []), ("<a href>", []), ("<a href=>", []), ("<a", []), ("<a ", []), ("<", []), ("", []),
      (#"<<a href="/1"><a href="/2">"#, ["/1", "/2"]),
    ] {
      let found = try links(in: tag, on: Page(host: "http://docs.example", path: "/"))
      #expect(found.map(\.path) == expected, "\(tag)")
    }
  }

  @Test(
    .timeLimit(.minutes(1)), arguments: ["<a ", "<a href", "<a href=\"", "<a '", "<a =", "<a \t", "<", "<a x=\"\" "])
  func `A page of open tags is read in one pass`(tag: String) throws {
    let html = String(repeating: tag, count: 100_000)
    #expect(try links(in: html, on: a).isEmpty)
  }

  @Test func `Who reads a long page ends when it is cancelled`() async {
    let (gate, opener) = AsyncStream<Never>.makeStream()
    let reading = Task {
      // Until it is cancelled.
      for await _ in gate {}
      return try links(in: #"<a href="/1">"#, on: a)
    }
    reading.cancel()
    await #expect(throws: CancellationError.self) { _ = try await reading.value }
    opener.finish()
  }

  @Test func `A page has one name, however it is linked`() throws {
    let html = """
      <a href="/guide">1</a> <a class="x" href="guide#top">2</a> <a href="HTTP://Docs.example/guide">3</a>
      <a href="?q=a%20b">4</a> <a href="http://shop.example">5</a> <a href="../..">6</a>
      <a href="mailto:me@docs.example">no page</a> <link href="style.css"> <a href="https://shop.example:8443/x">7</a>
      """
    #expect(
      try links(in: html, on: Page(host: "http://docs.example", path: "/start")).map(\.description) == [
        "http://docs.example/guide", "http://docs.example/start?q=a%20b", "http://shop.example/",
        "http://docs.example/", "https://shop.example:8443/x",
      ])
    #expect(Page("no page") == nil)
    for (link, name) in [
      ("HTTP://User:Word@Docs.Example:/a", "http://docs.example/a"), ("http://[::1]:8080", "http://[::1]:8080/"),
      ("http://docs.example:065/", "http://docs.example:065/"), ("//shop.example?q#x", "http://shop.example/?q"),
    ] {
      #expect(Page(link, on: Page(host: "http://docs.example", path: "/"))?.description == name, "\(link)")
    }
  }
}

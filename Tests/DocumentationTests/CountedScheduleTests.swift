// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

/// Each documented number of schedules is the number that a model of the feature counts. The model is not a part of the
/// explorer. The tests whose expectations are read here, and `ExplorerCountTests`, check that the explorer counts the
/// same.
@Suite struct `Documented numbers of schedules` {
  struct Documented: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Files, each with the beginning of the line that contains the number.
    let places: [(file: String, line: String)]
    let count: @Sendable () -> Int

    init(_ title: String, _ places: (file: String, line: String)..., count: @escaping @Sendable () -> Int) {
      testDescription = title
      self.places = places
      self.count = count
    }
  }

  private static let result = #"#expect("\(result)" == "complete at grain "#
  private static let tutorial = "Docs/Explorer.md"
  private static let reference = "Docs/ExplorerReference.md"
  private static let proofs = "Docs/ExplorerProofs.md"
  private static let login = "Examples/03-login/"
  private static let profile = "Examples/04-profile/"
  private static let app = "Examples/10-app/"
  private static let articles = "Examples/WithPackages/05-articles/"
  private static let downloads = "Examples/WithPackages/06-downloads/"
  private static let chat = "Examples/WithPackages/08-chat/"
  private static let links = "Examples/WithPackages/09-link-check/"
  private static let explorations = "Tests/ExplorationTests.swift"
  private static let page = "README.md"

  static let pages = [
    Documented(
      "more and refresh", (tutorial, "complete at grain everyJob: "), (tutorial, "`complete at grain everyJob: "),
      (reference, "| `complete at grain everyJob: "),
      count: { CountedPages.feed() }),
    Documented(
      "a tab is closed", ("Docs/Composition.md", result), ("Tests/DocumentationTests/CompositionListing.swift", result),
      count: { CountedPages.closedTab() }),
    Documented(
      "any of three faults", ("Tests/DocumentationTests/ExplorerListing.swift", result), count: CountedPages.faults),
    Documented("three queries", (reference, "| `complete at grain descend: ")) {
      CountedPages.queries(3, isEager: false, descends: true)
    },
    Documented(
      "live search", ("Examples/02-live-search/" + page, "in all "),
      ("Examples/02-live-search/" + explorations, result), count: CountedExamples.liveSearch),
    Documented("login, two taps", (login + page, "| two taps"), (login + explorations, result)) {
      CountedExamples.login([.tap, .tap], isRight: true, mayFail: true)
    },
    Documented("login, another password", (login + page, "| tap, another"), (login + explorations, result)) {
      CountedExamples.login([.tap, .typed, .tap], isRight: false)
    },
    Documented("profile, cancelled", (profile + page, "| appear, cancel"), (profile + explorations, result)) {
      CountedExamples.profile([.load, .cancel, .load])
    },
    Documented("profile, left", (profile + page, "| appear, reload, leave"), (profile + explorations, result)) {
      CountedExamples.profile([.load, .load, .leave], mayHang: true)
    },
    Documented("a row is deleted", (app + page, "| two rows"), (app + "Tests/DeletionTests.swift", result)) {
      CountedExamples.rows(descends: false)
    },
    Documented("likewise at the grain descend", (app + page, "| two rows")) {
      CountedExamples.rows(descends: true)
    },
    Documented("a detail is closed", (app + page, "| a detail"), (app + "Tests/DeletionTests.swift", result)) {
      CountedExamples.detail([.opened(1), .shareTapped, .sendTapped, .closed], reachesLinks: true)
    },
    Documented("another detail", (app + page, "| another detail"), (app + "Tests/DeletionTests.swift", result)) {
      CountedExamples.detail([.opened(1), .appeared, .opened(2)])
    },
    Documented("a sheet closes itself", (app + page, "| a sheet"), (app + "Tests/DeletionTests.swift", result)) {
      CountedExamples.detail([.sendTapped, .appeared, .appeared], reachesLinks: true)
    },
    Documented(
      "race, restart", ("Examples/WithPackages/race-lab/" + page, "With `restart` all "),
      ("Examples/WithPackages/race-lab/" + explorations, result)
    ) { CountedExamples.race(.restart) },
    Documented("race, enqueue", ("Examples/WithPackages/race-lab/" + explorations, result)) {
      CountedExamples.race(.enqueue)
    },
    Documented("race, join", ("Examples/WithPackages/race-lab/" + explorations, result)) {
      CountedExamples.race(.join)
    },
    Documented(
      "articles, one may fail", (articles + page, "| end reached, category"), (articles + explorations, result)
    ) { CountedExamples.articles([.end, .question, .question], mayFail: true) },
    Documented(
      "articles, refresh", (articles + page, "| end reached, refresh |"),
      (articles + explorations, "@Test(arguments: zip(orders, [")
    ) { CountedExamples.articles([.end, .refresh]) },
    Documented(
      "articles, refresh first", (articles + page, "| refresh, end reached |"),
      (articles + explorations, "@Test(arguments: zip(orders, [")
    ) { CountedExamples.articles([.refresh, .end]) },
    Documented("download", (downloads + page, "| resume, pause"), (downloads + explorations, result)) {
      CountedExamples.download()
    },
    Documented("two downloads, one place", (downloads + page, "| two files"), (downloads + explorations, result)) {
      CountedExamples.onePlace()
    },
    Documented("crawl", (links + page, "| three pages in circles"), (links + explorations, result)) {
      CountedExamples.crawl([.start])
    },
    Documented("crawl, stopped", (links + page, "| the same, and stopped"), (links + explorations, result)) {
      CountedExamples.crawl([.start, .stop])
    },
    Documented("crawl, one place", (links + page, "| three pages, one slot"), (links + explorations, result)) {
      CountedExamples.crawlWithOnePlace()
    },
    Documented("chat, one is in the outbox", (chat + page, "| join, write; one"), (chat + explorations, result)) {
      CountedChat.schedules([.joined, .sendTapped], from: .init(outbox: [1]))
    },
    Documented("chat, joined twice", (chat + page, "| join, join"), (chat + explorations, result)) {
      CountedChat.schedules([.joined, .joined], from: .init(room: [1]))
    },
    Documented("chat, left", (chat + page, "| join, leave"), (chat + explorations, result)) {
      CountedChat.schedules([.joined, .left], from: .init(), isEager: false)
    },
  ]

  @Test(arguments: pages)
  func `A documented number of schedules is the number that the model counts`(documented: Documented) throws {
    let number = documented.count().formatted(with: ",")
    for (file, start) in documented.places {
      let lines = try Listings().lines(of: file).map { $0.trimmingCharacters(in: .whitespaces) }
      let numbers = lines.filter { $0.hasPrefix(start) }.flatMap { line in
        line.dropFirst(start.count).split { !$0.isNumber && $0 != "," }.map {
          $0.trimmingCharacters(in: .punctuationCharacters)
        }
      }
      #expect(numbers.contains(number), "\(file): \(numbers)")
    }
  }

  @Test func `The numbers of a chat whose line breaks are the numbers that the model counts`() throws {
    let writes = CountedChat.Trouble.allCases.map {
      CountedChat.schedules([.joined, .sendTapped], from: .init(trouble: $0))
    }
    let outboxes = CountedChat.Trouble.allCases.map {
      CountedChat.schedules([.joined], from: .init(outbox: [1, 2], trouble: $0))
    }
    let page = try Listings().lines(of: Self.chat + Self.page)
    let tests = try Listings().lines(of: Self.chat + Self.explorations)
    for (row, counts) in [("| join, write |", writes), ("| join; two are in the outbox |", outboxes)] {
      let cells = counts.map { " \($0.formatted(with: ",")) |" }.joined()
      #expect(page.contains { $0.hasPrefix(row + cells) }, "\(row)\(cells)")
      #expect(tests.contains { $0.contains("zip(MemoryLink.Break.allCases, \(counts))") }, "\(counts)")
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `The table of budgets has the numbers that the model counts`(isEager: Bool, descends: Bool) throws {
    let title = "| `.\(isEager ? "eager" : "anyTime")`, `.\(descends ? "descend" : "everyJob")` |"
    let line = try #require(try Listings().lines(of: Self.proofs).first { $0.hasPrefix(title) })
    let counts = line.dropFirst(title.count).split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    for (queries, count) in zip(1..., counts) where !count.isEmpty {
      // The recurrence of `ExplorerCounts` counts these faster.
      if !isEager, descends, queries > 3 { continue }
      #expect(CountedPages.queries(queries, isEager: isEager, descends: descends).formatted(with: ",") == count)
    }
  }

  /// The rows of the table of sums, each with the model of its feature.
  private static let sums: [(feature: String, count: @Sendable (CountedChoices) -> Int)] = [
    ("[the fixed feed](Explorer.md#the-fix)", { CountedPages.feed($0) }),
    ("[a closed tab](Composition.md)", { CountedPages.closedTab($0) }),
    (
      "[articles](../Examples/WithPackages/05-articles): end reached, refresh",
      { CountedExamples.articles([.end, .refresh], $0) }
    ),
    ("articles: refresh, end reached", { CountedExamples.articles([.refresh, .end], $0) }),
    ("[race lab](../Examples/WithPackages/race-lab): restart", { CountedExamples.race(.restart, $0) }),
    ("race lab: enqueue", { CountedExamples.race(.enqueue, $0) }),
  ]

  @Test func `The sums on the page are the numbers that the model counts`() throws {
    let rows = try Listings().rows(in: Self.proofs)
    for (feature, count) in Self.sums {
      let (orders, called, all) = (count([]), count(.calls), count(.all))
      let row = [feature] + [orders, called - orders, all - called, all].map { "\($0)" }
      #expect(rows.contains(row), "\(row)")
    }
    let table = try Listings().lines(of: Self.proofs).drop { !$0.hasPrefix("| feature |") }.dropFirst(2)
    #expect(table.prefix { $0.hasPrefix("|") }.count == Self.sums.count)
  }
}

extension Int {
  fileprivate func formatted(with separator: Character) -> String {
    var text = "\(self)"
    for place in stride(from: text.count - 3, to: 0, by: -3) {
      text.insert(separator, at: text.index(text.startIndex, offsetBy: place))
    }
    return text
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import Foundation
import Testing

@Suite struct `How-to page` {
  @Test func `The how-to page shows the code that was compiled and run`() throws {
    try Listings().check(
      "Docs/HowTo.md",
      against: [
        "HowToRequests.swift", "HowToWork.swift", "HowToApps.swift", "HowToScreens.swift", "HowToLoading.swift",
      ])
  }

  @Test func `Its index leads to each recipe once`() throws {
    let lines = try Listings().lines(of: "Docs/HowTo.md")
    let titles = lines.filter { $0.hasPrefix("## ") && $0 != "## Next" }.map { String($0.dropFirst(3)) }
    let index = lines.filter { $0.hasPrefix("| ") }.flatMap { $0.matches(of: /\[([^\]]+)\]\(#/).map { String($0.1) } }
    #expect(titles.count > 20)
    #expect(index == titles)
  }
}

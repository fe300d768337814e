// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Foundation

/// The program: checks the links of the built-in site, or of the one it is given.
@main
enum Main {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let link = arguments.first else {
      let status = try await Site.whileServed { client in
        await check(
          from: Site.start, Crawl(fetch: { try await client.answer($0) }, hosts: Site.hosts, patience: .seconds(2)))
      }
      exit(status)
    }
    guard arguments.count == 1, let page = Page(link) else {
      complain("usage: link-check [http://...]\n")
      exit(64)
    }
    exit(await check(from: page, Crawl(fetch: { try await PageClient().answer($0) }, hosts: [page.host])))
  }

  /// Crawls, prints the report, and returns the exit status of the program.
  private static func check(from page: Page, _ crawl: Crawl) async -> Int32 {
    let store = Store(initialState: .init(), reducer: crawl)
    let screen = Task { await showProgress(store) }
    let interrupts = await whenInterrupted {
      store.send(.stopped)
      Task { await store.shutdown(.draining(within: .seconds(2))) }
      complain("\nCtrl-C: two seconds for what has been asked for; once more ends at once\n")
    }
    let visits = store.send(.started(at: page))
    // A crawl is done when everything that its first action caused has ended: the visits, and the visits they led to.
    await visits.finish()
    await store.shutdown(.draining)
    interrupts.cancel()
    await screen.value
    let report = Report(await store.state, following: crawl.hosts)
    print(report.text(showingTimes: isatty(1) != 0))
    return report.status
  }

  private static func showProgress(_ store: Store<Crawl>) async {
    guard isatty(2) != 0 else { return }
    for await line in store.values(\.progress) { complain(redrawn(line)) }
    complain(redrawn(""))
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}

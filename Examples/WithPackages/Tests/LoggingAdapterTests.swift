// This source file is part of swift-effects. License: Apache-2.0.

import Adapters
import EffectRuntime
import InMemoryLogging
import Logging
import Testing

@Suite struct LoggingAdapterTests {
  private func entries(level: Logger.Level) async -> [InMemoryLogHandler.Entry] {
    let handler = InMemoryLogHandler()
    var logger = Logger(label: "download", factory: { _ in handler })
    logger.logLevel = level
    let store = Download.store()
    store.trace.log(to: logger)
    await store.session()
    return handler.entries
  }

  @Test func `A run that ends is logged with id, input, number, duration and outcome`() async throws {
    let ends = await entries(level: .debug).filter { $0.metadata["outcome"] != nil }
      // A run ends after the run that its action starts may have ended.
      .sorted { ($0.metadata["run"]?.description ?? "") < ($1.metadata["run"]?.description ?? "") }
    #expect(
      ends.map { entry in
        ["run", "id", "input", "name", "outcome"].map { entry.metadata[$0]?.description ?? "-" }.joined(separator: " ")
      } == [
        #"1 "fetch" page - finished"#,
        #"2 "parse" - parser finished"#,
        #"3 "fetch" nowhere - failed: Unreachable()"#,
        #"4 "fetch" slow - cancelled: byEffect"#,
      ])
    #expect(ends.allSatisfy { $0.metadata["duration"] != nil })
    #expect(ends.map(\.level) == [.debug, .debug, .error, .debug])
  }

  @Test func `Actions are logged with their causes`() async throws {
    let entries = await entries(level: .debug)
    let fetched = try #require(entries.first { $0.message.description.hasPrefix("reduced .fetched") })
    #expect(fetched.message == "reduced .fetched(4) from run 1")
    #expect(fetched.metadata["run"] == "1")
    let parse = try #require(entries.first { $0.metadata["name"] == "parser" })
    #expect(parse.metadata["cause"] == fetched.metadata["event"])
  }

  @Test func `At a higher level only what went wrong is logged`() async {
    let entries = await entries(level: .warning)
    let lines = entries.map { "\($0.level): \($0.message)" }
    #expect(lines == ["error: run 3 failed: Unreachable()", "warning: refused .stop at App/View.swift:3"])
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import Foundation
import TestSupport
import Testing

@testable import EffectTesting

@Suite struct `A timeline as a page` {
  /// What would end the script, begin a comment, close an attribute or break a line of script.
  private static let hostile =
    "</script><script>window.hacked = 1</script><!-- <script> <img src=x onerror=\"window.hacked = 1\"> "
    + "\u{2028}\u{2029} \\u003c \\\" ' & ]]> \u{202E} \0"

  private static func hostilePage() -> String {
    var script = TraceScript()
    script.send(.typed(hostile))
    let run = script.make(EffectID(hostile), input: hostile, name: hostile)
    script.run(run, .registered(.starting))
    script.run(run, .attemptFailed(Hostile(), .recovery))
    script.end(run, .failed(Hostile()))
    return Timeline.html(script.events, title: hostile)
  }

  private struct Hostile: Error, CustomStringConvertible {
    var description: String { hostile }
  }

  private func count(_ text: String, in page: String) -> Int { page.components(separatedBy: text).count - 1 }

  /// The text between the tags of the data.
  private func data(of page: String) throws -> Substring {
    let start = try #require(page.range(of: #"<script type="application/json" id="events">"#))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    return page[start.upperBound..<end.lowerBound]
  }

  @Test func `It contains events as JSON, one on each line`() throws {
    var script = TraceScript()
    script.send(.typed("s"))
    let run = script.start("search", input: "s", .restart)
    script.deliver(.found("S"), from: run)
    script.end(run)
    let data = try data(of: Timeline.html(script.events))
    #expect(data == "[\n" + script.events.map(\.json).joined(separator: ",\n") + "]")
    let read = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [[String: Any]]
    #expect(read?.compactMap { $0["number"] as? Int } == Array(1...script.events.count))
  }

  @Test func `An empty trace is a page with no events`() throws {
    let page = Timeline.html([TraceEvent<TraceScript.Action>]())
    #expect(try data(of: page) == "[]")
    #expect(page.contains("This trace is empty"))
    #expect(page.utf8.count < 94_000, "the documentation says 91 KB")
    #expect(page.contains("<title>Timeline</title>"))
  }

  @Test func `The same events make the same page`() {
    #expect(Self.hostilePage() == Self.hostilePage())
  }

  @Test func `Any text in an action, an id, an error or the title stays text`() throws {
    let plain = Timeline.html([TraceEvent<TraceScript.Action>]())
    let page = Self.hostilePage()
    for tag in ["<script", "</script", "<!--", "<img", "\0"] {
      #expect(count(tag, in: page) == count(tag, in: plain), "\(tag.debugDescription)")
    }
    let data = try data(of: page)
    #expect(!data.unicodeScalars.contains { ["<", "\u{2028}", "\u{2029}"].contains($0) })
    let read = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [[String: Any]])
    #expect(((read[2]["run"] as? [String: Any])?["name"] as? String) == Self.hostile)
  }

  @Test func `It loads nothing else, and may not`() {
    let page = Timeline.html([TraceEvent<TraceScript.Action>]())
    for text in ["http:", "https:", "src=", "url(", "@import", "XMLHttpRequest", "WebSocket", "import("] {
      #expect(!page.contains(text), "\(text)")
    }
    let policy =
      "default-src 'none'; script-src 'nonce-viewer'; style-src 'nonce-viewer'; img-src data:; base-uri 'none'; "
      + "form-action 'none'"
    #expect(page.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"))
    #expect(count("nonce=\"viewer\"", in: page) == 2)
  }

  /// The folder of the page's sources, which the library embeds.
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/EffectTesting/Timeline/Page").standardizedFileURL

  private func source(_ name: String) throws -> String {
    try String(contentsOf: Self.sources.appending(path: name), encoding: .utf8)
  }

  @Test func `It contains its style and scripts word for word`() throws {
    let page = Timeline.html([TraceEvent<TraceScript.Action>]())
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
      .filter { !$0.hasSuffix(".html") }
    #expect(names.count > 10)
    for name in names { #expect(count(try source(name), in: page) == 1, "\(name)") }
    #expect(page.hasSuffix("</html>\n"))
  }

  @Test func `Its script makes no markup out of text`() throws {
    let page = Timeline.html([TraceEvent<TraceScript.Action>]())
    for text in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "setAttribute",
    ] {
      #expect(!page.contains(text), "\(text)")
    }
    let style = try source("timeline.css")
    #expect(!style.contains("transition") && !style.contains("animation"))
  }

  @Test func `It handles every kind of event`() throws {
    let words = try source("words.js")
    var script = TraceScript()
    script.send(.tick)
    script.note(.dropped(.tick, .followUp))
    script.note(.refused(.tick, nil))
    let run = script.make("search")
    for event: TraceRun.Event in [
      .registered(.queued), .joined(run), .started(attempt: 1), .attemptFailed(Hostile(), .recovery),
      .sleeping(until: .zero), .ended(.finished), .returned,
    ] {
      script.run(run, event)
    }
    for kind: TraceEvent<TraceScript.Action>.Kind in [
      .status("search", EffectStatus()), .unmatched(UnmatchedCancel(["serach"])), .dispatchCancelled(1),
      .turnSuspended(actions: 1), .budgetExceeded(steps: 1),
      .shutdown(.ended), .lost(1),
    ] {
      script.note(kind)
    }
    for event in script.events {
      let read = try #require(try JSONSerialization.jsonObject(with: Data(event.json.utf8)) as? [String: Any])
      let kind = try #require(read["kind"] as? String)
      #expect(words.contains("case \"\(kind)\": return"), "\(kind)")
    }
  }

  /// `.ci/run browser` sets `TIMELINE_PAGES` to get these pages, and opens them.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["TIMELINE_PAGES"] != nil))
  func `Pages are written for the browser`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["TIMELINE_PAGES"])
    var files = [
      "empty.html": Timeline.html([TraceEvent<TraceScript.Action>]()), "hostile.html": Self.hostilePage(),
      "everything.html": everything(), "large.html": Timeline.html(runs(1_000), title: "Large"),
    ]
    // The page opens these and exports them.
    var traces = Dictionary(uniqueKeysWithValues: (UInt64(0)..<25).map { ("soup-\($0)", Soup(seed: $0).events(200)) })
    traces["fragment"] = Scripts.fragment()
    for (name, script) in [
      "safe": Scripts.safe(), "queue": Scripts.queue(), "retry": Scripts.retry(), "debounce": Scripts.debounce(),
      "deaf": Scripts.deaf(), "join": Scripts.join(), "tree": Scripts.tree(), "many": Scripts.many(),
      "instant": Scripts.instant(), "texts": Scripts.texts(),
    ] { traces[name] = script.events }
    for (name, events) in traces { files["\(name).jsonl"] = events.map(\.json).joined(separator: "\n") }
    for (name, text) in files { try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
  }

  /// One of each, beginning in the middle.
  private func everything() -> String {
    var script = TraceScript()
    script.send(.cleared)
    let early = script.start("early")
    script.at(10)
    script.send(.typed("s"))
    let first = script.make("search", input: "s", .restart)
    script.run(first, .registered(.waiting(until: .milliseconds(310))))
    script.at(200)
    script.send(.typed("sw"))
    script.end(first, .dropped)
    let second = script.make("search", input: "sw", .restart, name: "find")
    script.run(second, .registered(.waiting(until: .milliseconds(500))))
    script.at(500)
    script.run(second, .started(attempt: 1))
    script.run(second, .sleeping(until: .milliseconds(600)))
    script.at(700)
    script.run(second, .attemptFailed(CancellationError(), .retry(at: .milliseconds(900))))
    script.deliver(.found("sw"), from: early)
    script.followUp(.tick)
    script.at(900)
    script.run(second, .started(attempt: 2))
    script.note(.lost(12))
    let save = script.start("save", input: 1, .enqueue)
    let next = script.make("save", input: 2, .enqueue)
    script.run(next, .registered(.queued))
    let other = script.make("search", input: "sw", .join)
    script.run(other, .joined(second))
    script.at(1_000)
    script.send(.cleared)
    script.end(second, .cancelled(.byEffect))
    script.drop(.found("late"), from: second)
    // A closure that ignores its cancellation may fall asleep.
    script.run(second, .sleeping(until: .milliseconds(1_100)))
    script.note(.status("search", EffectStatus(cancelling: 1)))
    script.end(save, .failed(CancellationError()))
    script.run(next, .started(attempt: 1))
    script.note(.dispatchCancelled(2))
    script.at(1_200)
    script.note(.shutdown(.cancelling))
    script.note(.refused(.tick, nil))
    return Timeline.html(script.events.dropFirst(4), title: "Everything")
  }

  /// Runs with ten events each; every fifth is cancelled.
  private func runs(_ count: Int) -> [TraceEvent<TraceScript.Action>] {
    var script = TraceScript()
    for number in 1...count {
      script.at(number * 10)
      script.send(.typed("\(number)"))
      let run = script.start("search", input: number, .restart)
      script.at(number * 10 + 3)
      script.run(run, .sleeping(until: .milliseconds(number * 10 + 6)))
      script.at(number * 10 + 8)
      script.deliver(.found("\(number)"), from: run)
      script.end(run, number.isMultiple(of: 5) ? .cancelled(.byEffect) : .finished)
      script.at(number * 10 + 9)
      script.followUp(.tick)
    }
    return script.events
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectRuntime

private struct Broken: Error, CustomStringConvertible { let description: String }

@Suite struct `Events as JSON` {
  private static let site = CallSite(fileID: "App/View.swift", line: 12)
  private static let run = TraceRun(
    number: 2,
    description: EffectRun(
      id: "search", overlap: .restart, input: "s", name: "find", fileID: "App/Search.swift", line: 14))
  private static let bare = TraceRun(
    number: 3, description: EffectRun(fileID: "App/Search.swift", line: 20), isTree: true)
  private static let runText =
    #"{"number":2,"id":"\"search\"","input":"\"s\"","name":"find","overlap":"restart","#
    + #""site":"App/Search.swift:14","tree":false}"#
  private static let bareText =
    #"{"number":3,"id":null,"input":null,"name":null,"overlap":"concurrent","site":"App/Search.swift:20","tree":true}"#

  private func json(_ kind: TraceEvent<TraceScript.Action>.Kind) -> String {
    TraceEvent(number: 7, time: .milliseconds(300), cause: 6, kind: kind).json
  }

  private func rest(_ text: String) -> String { #"{"number":7,"time":300000000,"cause":6,"# + text + "}" }

  @Test func `Actions contain their source`() {
    #expect(
      json(.accepted(.typed("s"), .user(dispatch: 3, Self.site)))
        == rest(
          #""kind":"accepted","action":".typed(\"s\")","source":{"kind":"user","dispatch":3,"site":"App/View.swift:12"}"#
        ))
    #expect(
      json(.reduced(.tick, .user(dispatch: 4, nil)))
        == rest(#""kind":"reduced","action":".tick","source":{"kind":"user","dispatch":4,"site":null}"#))
    #expect(
      json(.reduced(.found("s"), .run(Self.run)))
        == rest(#""kind":"reduced","action":".found(\"s\")","source":{"kind":"run","run":"# + Self.runText + "}"))
    #expect(
      json(.dropped(.tick, .run(nil))) == rest(#""kind":"dropped","action":".tick","source":{"kind":"run","run":null}"#)
    )
    #expect(
      json(.dropped(.tick, .followUp)) == rest(#""kind":"dropped","action":".tick","source":{"kind":"followUp"}"#))
    #expect(
      json(.refused(.tick, Self.site)) == rest(#""kind":"refused","action":".tick","site":"App/View.swift:12""#))
    #expect(json(.refused(.tick, nil)) == rest(#""kind":"refused","action":".tick","site":null"#))
  }

  @Test func `Runs are named in full by each of their events`() {
    let run = #""run":"# + Self.runText
    let cases: [(TraceRun.Event, String)] = [
      (.registered(.starting), #""kind":"registered",\#(run),"place":"starting","until":null"#),
      (.registered(.queued), #""kind":"registered",\#(run),"place":"queued","until":null"#),
      (
        .registered(.waiting(until: .microseconds(1_500))),
        #""kind":"registered",\#(run),"place":"waiting","until":1500000"#
      ),
      (.joined(Self.bare), #""kind":"joined",\#(run),"other":\#(Self.bareText)"#),
      (.started(attempt: 2), #""kind":"started",\#(run),"attempt":2"#),
      (
        .attemptFailed(Broken(description: "a \"b\""), .recovery),
        #""kind":"attemptFailed",\#(run),"error":"a \"b\"","next":"recovery","until":null"#
      ),
      (
        .attemptFailed(Broken(description: "x"), .retry(at: .seconds(2))),
        #""kind":"attemptFailed",\#(run),"error":"x","next":"retry","until":2000000000"#
      ),
      (.sleeping(until: .seconds(1)), #""kind":"sleeping",\#(run),"until":1000000000"#),
      (
        .ended(.finished), #""kind":"ended",\#(run),"outcome":{"kind":"finished","error":null,"reason":null}"#
      ),
      (
        .ended(.handled(Broken(description: "x"))),
        #""kind":"ended",\#(run),"outcome":{"kind":"handled","error":"x","reason":null}"#
      ),
      (
        .ended(.failed(Broken(description: "x"))),
        #""kind":"ended",\#(run),"outcome":{"kind":"failed","error":"x","reason":null}"#
      ),
      (
        .ended(.cancelled(.byEffect)),
        #""kind":"ended",\#(run),"outcome":{"kind":"cancelled","error":null,"reason":"byEffect"}"#
      ),
      (
        .ended(.cancelled(.byDispatch)),
        #""kind":"ended",\#(run),"outcome":{"kind":"cancelled","error":null,"reason":"byDispatch"}"#
      ),
      (
        .ended(.cancelled(.replaced)),
        #""kind":"ended",\#(run),"outcome":{"kind":"cancelled","error":null,"reason":"replaced"}"#
      ),
      (
        .ended(.cancelled(.shutdown)),
        #""kind":"ended",\#(run),"outcome":{"kind":"cancelled","error":null,"reason":"shutdown"}"#
      ),
      (.ended(.dropped), #""kind":"ended",\#(run),"outcome":{"kind":"dropped","error":null,"reason":null}"#),
      (.returned, #""kind":"returned",\#(run)"#),
    ]
    for (event, text) in cases { #expect(json(.run(Self.run, event)) == rest(text)) }
  }

  @Test func `Events that are not about an action or a run contain their numbers`() {
    let full = EffectStatus(running: 1, queued: 2, cancelling: 3, attempt: 4, input: "s")
    let cases: [(TraceEvent<TraceScript.Action>.Kind, String)] = [
      (
        .status("search", full),
        #""kind":"status","id":"\"search\"","status":{"running":1,"queued":2,"cancelling":3,"attempt":4,"#
          + #""input":"\"s\""}"#
      ),
      (
        .status("search", EffectStatus()),
        #""kind":"status","id":"\"search\"","status":{"running":0,"queued":0,"cancelling":0,"attempt":0,"#
          + #""input":null}"#
      ),
      (.dispatchCancelled(9), #""kind":"dispatchCancelled","dispatch":9"#),
      (
        .unmatched(UnmatchedCancel(["serach", "load"])),
        #""kind":"unmatched","ids":"\"load\", \"serach\"""#
      ),
      (.turnSuspended(actions: 1_000_000), #""kind":"turnSuspended","actions":1000000"#),
      (.budgetExceeded(steps: 500), #""kind":"budgetExceeded","steps":500"#),
      (.shutdown(.cancelling), #""kind":"shutdown","stage":"cancelling""#),
      (.shutdown(.draining), #""kind":"shutdown","stage":"draining""#),
      (.shutdown(.ended), #""kind":"shutdown","stage":"ended""#),
      (.lost(12), #""kind":"lost","count":12"#),
    ]
    for (kind, text) in cases { #expect(json(kind) == rest(text)) }
  }

  @Test func `An event without a cause has null, and times are whole nanoseconds`() {
    let event = TraceEvent<TraceScript.Action>(
      number: 1, time: Duration(secondsComponent: 20_000_000_000, attosecondsComponent: 1_999_999_999), cause: nil,
      kind: .lost(1))
    #expect(event.json == #"{"number":1,"time":20000000000000000001,"cause":null,"kind":"lost","count":1}"#)
  }

  @Test func `Long actions, inputs and errors are cut`() {
    let long = String(repeating: "x", count: 5_000)
    let run = TraceRun(number: 1, description: EffectRun(input: [long]))
    #expect(json(.reduced(.typed(long), .run(run))).utf8.count < 2_500)
    #expect(json(.run(Self.bare, .ended(.failed(Broken(description: long))))).utf8.count < 1_500)
    #expect(json(.run(Self.bare, .ended(.failed(Broken(description: long))))).contains("xxx…\""))
  }
}

@Suite struct `JSON text` {
  @Test func `Quotes, backslashes, controls and what ends a script are escaped`() {
    #expect(JSONText.quoted("a\"b\\c/d") == #""a\"b\\c/d""#)
    #expect(JSONText.quoted("\n\r\t\0\u{8}\u{1F}") == #""\n\r\t\u0000\u0008\u001F""#)
    #expect(JSONText.quoted("\u{7F}\u{85}\u{9F}\u{A0}") == "\"\\u007F\\u0085\\u009F\u{A0}\"")
    #expect(JSONText.quoted("</script><!--") == #""\u003C/script>\u003C!--""#)
    #expect(JSONText.quoted("\u{2028}\u{2029}") == #""\u2028\u2029""#)
    #expect(JSONText.quoted("é👩‍👩‍👧\u{10FFFF}\u{FEFF}") == "\"é👩‍👩‍👧\u{10FFFF}\u{FEFF}\"")
  }

  @Test func `Only the scalars that must be are escaped, each to four digits`() {
    for value in UInt32(0)...0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // Scalar by scalar: a combining mark and the quote before it are one character.
      let text = String(JSONText.quoted(String(Character(scalar))).unicodeScalars.dropFirst().dropLast())
      let mustEscape =
        value < 0x20 || (0x7F...0x9F).contains(value) || [0x22, 0x3C, 0x5C, 0x2028, 0x2029].contains(value)
      if mustEscape {
        #expect(text.hasPrefix("\\") && text.allSatisfy { $0.isASCII && !$0.isNewline })
      } else {
        #expect(text == String(Character(scalar)))
      }
    }
  }

  @Test func `There are commas between members, and nowhere else`() {
    let text = JSONText.object { json in
      json.object("a") { _ in }
      json.object("b") { inner in
        inner.member("c", true)
        inner.member("d", Int?.none)
      }
      json.member("e", "f")
    }
    #expect(text == #"{"a":{},"b":{"c":true,"d":null},"e":"f"}"#)
  }
}

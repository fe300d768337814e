// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import EffectRuntime
import TestSupport

@testable import EffectTesting

struct TimedOut: Error, CustomStringConvertible { let description = "timedOut" }

/// The traces that several timelines are tested with.
enum Scripts {
  static let queries = ["s", "sw", "swi", "swif", "swift"]
  /// In the order in which the answers come back.
  static let answers = [1, 4, 2, 0, 3]

  /// Five queries, whose answers come back in another order, and all are shown.
  static func naive() -> TraceScript {
    var trace = TraceScript()
    var runs: [TraceRun] = []
    for (index, query) in queries.enumerated() {
      trace.at(100 * index)
      trace.send(.typed(query))
      runs.append(trace.start("search", input: query))
    }
    for (index, answer) in answers.enumerated() {
      trace.at(500 + 50 * index)
      trace.deliver(.found(queries[answer]), from: runs[answer])
      trace.end(runs[answer])
    }
    return trace
  }

  /// The same, where a new query replaces the one before.
  static func safe() -> TraceScript {
    var trace = TraceScript()
    var runs: [TraceRun] = []
    for (index, query) in queries.enumerated() {
      trace.at(100 * index)
      trace.send(.typed(query))
      if let last = runs.last { trace.end(last, .cancelled(.replaced)) }
      runs.append(trace.start("search", input: query, .restart))
    }
    for (index, answer) in answers.enumerated() {
      trace.at(500 + 50 * index)
      if answer == 4 {
        trace.deliver(.found(queries[answer]), from: runs[answer])
        trace.end(runs[answer])
      } else {
        trace.drop(.found(queries[answer]), from: runs[answer])
        trace.run(runs[answer], .returned)
      }
    }
    return trace
  }

  /// At most two at a time; others wait.
  static func queue() -> TraceScript {
    var trace = TraceScript()
    var runs: [TraceRun] = []
    for (index, file) in ["a", "b", "c", "d"].enumerated() {
      trace.at(10 * index)
      trace.send(.typed(file), line: 30)
      let run = trace.make("upload", input: file, .enqueue(limit: 2, capacity: 1))
      runs.append(run)
      switch index {
      case 0, 1:
        trace.run(run, .registered(.starting))
        trace.run(run, .started(attempt: 1))
      case 2: trace.run(run, .registered(.queued))
      default: trace.end(run, .dropped)
      }
    }
    trace.at(200)
    trace.deliver(.found("a"), from: runs[0])
    let end = trace.note(.run(runs[0], .ended(.finished)))
    trace.note(.run(runs[2], .started(attempt: 1)), after: end)
    trace.at(300)
    trace.end(runs[1])
    trace.at(400)
    trace.deliver(.found("c"), from: runs[2])
    trace.end(runs[2])
    return trace
  }

  /// An attempt that throws, one out of time whose closure goes on, one that works.
  static func retry() -> TraceScript {
    var trace = TraceScript()
    trace.send(.typed("report"))
    let run = trace.start("load", input: "report", name: "load")
    trace.at(80)
    trace.run(run, .attemptFailed(TimedOut(), .retry(at: .milliseconds(180))))
    trace.at(180)
    trace.run(run, .started(attempt: 2))
    trace.at(1_180)
    trace.run(run, .attemptFailed(EffectTimeout(limit: .seconds(1)), .retry(at: .milliseconds(1_380))))
    trace.at(1_380)
    trace.run(run, .started(attempt: 3))
    trace.at(1_400)
    trace.run(run, .returned)
    trace.at(1_500)
    trace.deliver(.found("report"), from: run)
    trace.end(run)
    return trace
  }

  /// One run waits for its time and is dropped when a newer one comes; the newer one sleeps, too.
  static func debounce() -> TraceScript {
    var trace = TraceScript()
    trace.send(.typed("s"))
    let first = trace.make("search", input: "s", .restart)
    trace.run(first, .registered(.waiting(until: .milliseconds(300))))
    trace.at(200)
    trace.send(.typed("sw"))
    let second = trace.make("search", input: "sw", .restart)
    trace.end(first, .dropped)
    trace.run(second, .registered(.waiting(until: .milliseconds(500))))
    trace.at(400)
    trace.send(.tick)
    trace.at(500)
    trace.note(.run(second, .started(attempt: 1)), after: .some(nil))
    trace.run(second, .sleeping(until: .milliseconds(800)))
    trace.at(800)
    trace.deliver(.found("sw"), from: second)
    trace.end(second)
    return trace
  }

  /// Cancelled, but its closure goes on, sleeps, and sends; another has sent before it was cancelled.
  static func deaf() -> TraceScript {
    var trace = TraceScript()
    trace.send(.typed("a"))
    let deaf = trace.start("deaf", input: "a")
    let quick = trace.start("quick", input: "a")
    trace.at(10)
    trace.run(deaf, .sleeping(until: .milliseconds(400)))
    trace.at(20)
    trace.send(.cleared)
    trace.end(deaf, .cancelled(.byEffect))
    trace.end(quick, .cancelled(.byEffect))
    trace.run(quick, .returned)
    trace.drop(.found("quick"), from: quick, sentAt: 15)
    trace.at(200)
    trace.send(.tick)
    trace.at(400)
    trace.drop(.found("deaf"), from: deaf)
    trace.at(450)
    trace.run(deaf, .returned)
    return trace
  }

  /// A second and a third run join work that is active; one of them is cancelled by the sender of its action.
  static func join() -> TraceScript {
    var trace = TraceScript()
    trace.send(.typed("s"))
    let run = trace.start("search", input: "s", .join)
    for milliseconds in [50, 60] {
      trace.at(milliseconds)
      trace.send(.typed("s"), line: 20)
      let other = trace.make("search", input: "s", .join)
      trace.run(other, .joined(run))
    }
    trace.at(70)
    trace.note(.dispatchCancelled(3), after: .some(nil))
    trace.at(100)
    trace.deliver(.found("s"), from: run)
    trace.end(run)
    return trace
  }

  /// A tree of two runs is cancelled as one; its last send is dropped with it.
  static func tree() -> TraceScript {
    var trace = TraceScript()
    trace.send(.typed("page"))
    let tree = trace.make("page", .restart, isTree: true, line: 40)
    trace.run(tree, .registered(.starting))
    let left = trace.start("text", input: 1)
    let right = trace.start("image", input: 2)
    trace.at(20)
    trace.deliver(.found("text"), from: left)
    trace.end(left)
    trace.at(30)
    let cancel = trace.note(.dispatchCancelled(1), after: .some(nil))
    trace.note(.run(tree, .ended(.cancelled(.byDispatch))), after: cancel)
    trace.note(.run(right, .ended(.cancelled(.byDispatch))), after: cancel)
    trace.note(.dropped(.cleared, .followUp), after: cancel)
    trace.run(right, .returned)
    return trace
  }

  /// Forty runs, of which three fail.
  static func many() -> TraceScript {
    var trace = TraceScript()
    for number in 1...40 {
      trace.at(10 * number)
      trace.send(.typed("\(number)"))
      let run = trace.start("save", input: number)
      if number % 15 == 0 {
        trace.end(run, .failed(TimedOut()))
      } else if number < 40 {
        trace.deliver(.tick, from: run)
        trace.end(run)
      }
    }
    return trace
  }

  /// The thousandth run and its neighbours, microseconds after each other; rows in between.
  static func instant() -> TraceScript {
    var trace = TraceScript()
    trace.skipRuns(997)
    var runs: [TraceRun] = []
    for microseconds in [100, 250, 251] {
      trace.at(.microseconds(microseconds))
      trace.send(.typed("x"))
      runs.append(trace.start("save"))
    }
    for count in 1...400 {
      trace.at(.microseconds(300 + count))
      trace.send(.tick)
    }
    for run in runs { trace.end(run) }
    return trace
  }

  /// All that is not about runs, in a trace that begins in the middle and has a gap.
  static func fragment() -> [TraceEvent<TraceScript.Action>] {
    var trace = TraceScript()
    trace.send(.typed("lost"))
    let early = trace.start("early")
    let late = trace.start("late")
    trace.at(5)
    trace.send(.cleared)
    trace.followUp(.tick)
    trace.note(.lost(7), after: .some(nil))
    trace.end(early, .failed(TimedOut()))
    trace.note(.turnSuspended(actions: 1_000))
    trace.note(.budgetExceeded(steps: 500))
    trace.run(late, .attemptFailed(TimedOut(), .recovery))
    trace.deliver(.failed("timedOut"), from: late)
    trace.at(6)
    trace.note(.shutdown(.draining), after: .some(nil))
    trace.note(.refused(.tick, CallSite(fileID: "App/View.swift", line: 50)), after: .some(nil))
    trace.note(.shutdown(.cancelling), after: .some(nil))
    trace.end(late, .cancelled(.shutdown))
    trace.run(late, .returned)
    trace.note(.shutdown(.ended), after: .some(nil))
    trace.note(.status("late", EffectStatus()))
    return Array(trace.events.dropFirst(5))
  }

  /// Texts that would break a drawing if they were written as they are.
  static func texts() -> TraceScript {
    var trace = TraceScript()
    trace.send(.typed("a\nb\t\u{1B}[31m"))
    _ = trace.start("日本語の検索", input: "東京タワー 👩‍👩‍👧 x")
    _ = trace.start(EffectID(Odd()), input: Odd(), name: "two\nlines")
    trace.at(10)
    trace.send(.found("end; #1 \"q\" <br> \u{202E}abc %%{init}%% $$x$$ \\n"))
    trace.at(20)
    trace.send(.typed(String(repeating: "long ", count: 100)))
    return trace
  }
}

/// Describes itself on two lines.
struct Odd: Hashable, Sendable, CustomStringConvertible { let description = "odd\r\nvalue" }

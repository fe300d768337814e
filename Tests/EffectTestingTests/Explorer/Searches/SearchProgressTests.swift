// This source file is part of swift-effects. License: Apache-2.0.

import EffectRuntime
import Testing

@testable import EffectTesting

/// The line that a terminal shows of a long search, without a terminal and without real time.
struct SearchProgressTests {
  @Test func `A search of two seconds shows nothing, and has nothing to erase`() {
    var progress = SearchProgress(.schedules(10_000))
    progress.add(500, at: .steps)
    #expect(progress.text(at: .zero) == nil)
    #expect(progress.text(at: .seconds(2)) == nil)
    #expect(progress.ending() == nil)
  }

  @Test func `The line tells the count, the rate, the level and the schedules that are left`() {
    var progress = SearchProgress(.schedules(100_000))
    progress.add(10_000, at: .steps)
    progress.add(2_345, at: .timers)
    #expect(
      progress.text(at: .seconds(3))
        == "\rexploring: 12,345 schedules, 4,115 per second, level timers, 87,655 left")
  }

  @Test func `Of a limit of time the line tells the remaining seconds`() {
    var progress = SearchProgress(.duration(.seconds(60)))
    progress.add(1, at: .answers)
    #expect(
      progress.text(at: .milliseconds(4_500)) == "\rexploring: 1 schedule, 0 per second, level answers, 56 seconds left"
    )
    #expect(progress.text(at: .seconds(61))?.contains(" 0 seconds left") == true, "the last schedule takes longer")
  }

  @Test func `The line is written at most twice in a second`() {
    var progress = SearchProgress(.schedules(10_000))
    let texts = (0..<1_000).compactMap { progress.text(at: .milliseconds($0 * 10)) }
    // From 2.01 to 9.99 seconds.
    #expect(texts.count == 16)
  }

  @Test func `An explorer tells what it has done at most twice in a second`() {
    let beginning = ContinuousClock.now
    var pace = ProgressPace(from: beginning)
    let due = (1...20).filter { pace.isDue(beginning + .milliseconds($0 * 100)) }
    #expect(due == [5, 10, 15, 20])
  }

  @Test func `A shorter line covers the longer one, and the end erases it`() {
    var progress = SearchProgress(.schedules(10_000))
    progress.add(5_000, at: .deliveries)
    let long = progress.text(at: .seconds(3)) ?? ""
    progress.add(-4_500, at: .steps)
    let short = progress.text(at: .seconds(4)) ?? ""
    #expect(short.count == long.count && short.hasSuffix(" left         "), "\(short)")
    #expect(progress.ending() == "\r" + String(repeating: " ", count: short.count - 1 - 9) + "\r")
    #expect(progress.ending() == nil)
  }

  @Test func `No more than the budget is left if parts beyond it are run`() {
    var progress = SearchProgress(.schedules(100))
    progress.add(150, at: .steps)
    #expect(progress.text(at: .seconds(3))?.hasSuffix(", 0 left") == true)
  }

  @Test func `A search takes the line when it is due, and shows nothing while another search has it`() {
    var progress = SearchProgress(.schedules(10_000))
    progress.add(500, at: .steps)
    var asked = 0
    var isFree = true
    let take = {
      asked += 1
      return isFree
    }
    let early = progress.text(at: .seconds(2), taking: take)
    #expect(early == nil && asked == 0)
    isFree = false
    let other = progress.text(at: .seconds(3), taking: take)
    #expect(other == nil && asked == 1)
    isFree = true
    let first = progress.text(at: .seconds(4), taking: take)
    #expect(first?.hasPrefix("\rexploring: 500 schedules") == true && asked == 2)
    let second = progress.text(at: .seconds(5), taking: take)
    #expect(second != nil && asked == 2, "it has the line already")
    let hadLine = [progress.leaveLine(), progress.leaveLine()]
    #expect(hadLine == [true, false])
  }

  @Test func `Without a terminal there are lines below each other, after 10, 20, 40 seconds`() {
    var progress = SearchProgress(.schedules(100_000), at: "AppTests/FeedTests.swift:12")
    progress.add(5_000, at: .timers)
    var lines: [String] = []
    for second in 1...100 {
      if let line = progress.text(at: .seconds(second), taking: { false }) { lines.append(line) }
    }
    #expect(
      lines.first
        == "explore at AppTests/FeedTests.swift:12, 10 seconds: 5,000 schedules, 500 per second, level timers, 95,000 left\n"
    )
    #expect(lines.count == 4)
    #expect(progress.ending() == nil && !progress.leaveLine())
  }
}

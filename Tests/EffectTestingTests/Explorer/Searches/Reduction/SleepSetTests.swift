// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport
import Testing

@testable import EffectTesting

/// The reduction as a value, without tasks and stores, compared with all schedules of small programs.
struct SleepSetTests {
  /// The classes of all schedules, and how often the reduced search has completed a schedule of each.
  private func compare(_ model: StepModel, forgotten: Int? = nil) -> (classes: Int, missing: Int, twice: Int, all: Int)
  {
    let all = model.schedules(DepthFirst()).complete
    let classes = Set(all.map(model.order))
    let reduced = model.schedules(SleepSets(), forgotten: forgotten).complete.map(model.order)
    let found = Set(reduced)
    return (classes.count, classes.subtracting(found).count, reduced.count - found.count, all.count)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `Of each class of the schedules of small programs one schedule is completed`(part: UInt64) {
    var (schedules, classes, exact) = (0, 0, 0)
    for seed in 0..<TestSize.of(500, short: 100) {
      let model = StepModel(seed: part &* 1_000 &+ UInt64(seed))
      let found = compare(model)
      #expect(found.missing == 0, "\(model)")
      // A step in which a number is chosen sleeps with all that it may touch. With one of its numbers it may touch less.
      if !model.hasChoices {
        #expect(found.twice == 0, "\(model)")
        exact += 1
      }
      schedules += found.all
      classes += found.classes
    }
    #expect(classes * 3 < schedules)
    #expect(exact > TestSize.of(100, short: 20))
  }

  @Test(arguments: 0..<3) func `A variable that is forgotten makes the search miss classes`(variable: Int) {
    let programs = (0..<100 as Range<UInt64>).map(StepModel.init(seed:))
    #expect(programs.contains { compare($0, forgotten: variable).missing > 0 })
  }

  /// Three steps: the first is independent of both others.
  private let options = (0..<3).map {
    ScheduleOption(step: ScheduleStep(kind: .job, index: $0), agent: 4 + $0, job: $0)
  }

  @Test func `A step sleeps until a step is taken that conflicts with it`() {
    var search = SleepSets()
    _ = search.begin()
    #expect(search.choose(among: options, last: -1) == 0)
    search.note(StepRecord(footprint: .store))
    _ = search.begin()
    #expect(search.choose(among: options, last: -1) == 1)
    search.note(StepRecord(footprint: .jobs))
    #expect(search.isRedundant([options[0]]))
    #expect(!search.isRedundant([options[0], options[2]]))
    #expect(search.choose(among: [options[0], options[2]], last: -1) == 1)
    search.note(StepRecord(footprint: .everything))
    #expect(!search.isRedundant([options[0]]))
  }

  @Test func `A step that was never over is independent of nothing`() {
    var search = SleepSets()
    _ = search.begin()
    _ = search.choose(among: options, last: -1)
    _ = search.begin()
    _ = search.choose(among: options, last: -1)
    search.note(StepRecord(footprint: .jobs))
    #expect(!search.isRedundant([options[0]]))
  }

  @Test func `It detects that a position offers other options than before`() {
    var search = SleepSets()
    _ = search.begin()
    _ = search.choose(among: options, last: -1)
    search.note(StepRecord(footprint: .store))
    _ = search.begin()
    _ = search.choose(among: Array(options.dropLast()), last: -1)
    #expect(search.finding == .diverged(at: 0))
  }
}

extension StepModel {
  fileprivate var hasChoices: Bool {
    threads.joined().contains { if case .choose = $0 { true } else { false } }
  }
}

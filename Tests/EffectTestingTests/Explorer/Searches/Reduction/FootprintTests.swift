// This source file is part of swift-effects. License: Apache-2.0.

import Testing

@testable import EffectTesting

/// What a step conflicts with, from what was noticed while it was executed.
struct FootprintTests {
  private func footprint(_ kind: ScheduleStep.Kind, _ change: (inout StepFacts) -> Void = { _ in }) -> Footprint {
    var facts = StepFacts(kind: kind)
    change(&facts)
    return facts.footprint()
  }

  @Test func `A line of the script posts, and is independent of turns and of jobs that post nothing`() {
    #expect(footprint(.script) == .posts)
    #expect(footprint(.script).isIndependent(of: footprint(.delivery)))
    #expect(footprint(.script).isIndependent(of: footprint(.job)))
    #expect(!footprint(.script).isIndependent(of: footprint(.job) { $0.hasPosted = true }))
    #expect(!footprint(.script).isIndependent(of: footprint(.delivery) { $0.hasPosted = true }))
  }

  @Test func `Jobs conflict with each other, and with turns that cancel, wake or set deadlines`() {
    #expect(!footprint(.job).isIndependent(of: footprint(.job)))
    #expect(footprint(.job).isIndependent(of: footprint(.delivery)))
    #expect(!footprint(.job).isIndependent(of: footprint(.delivery) { $0.hasCancelled = true }))
    #expect(!footprint(.job).isIndependent(of: footprint(.delivery) { $0.hasWoken = true }))
    #expect(!footprint(.job).isIndependent(of: footprint(.delivery) { $0.hasAlarms = true }))
    #expect(!footprint(.job) { $0.hasFaults = true }.isIndependent(of: footprint(.delivery)))
  }

  @Test(arguments: [ScheduleStep.Kind.end, .deadline, .choice, .omission])
  func `Ends and deadlines conflict with everything`(kind: ScheduleStep.Kind) {
    #expect(footprint(kind) == .everything)
  }

  @Test func `An advance and what is not known conflict with everything`() {
    #expect(footprint(.script) { $0.isOpaque = true } == .everything)
    #expect(footprint(.job) { $0.isUnknown = true } == .everything)
  }

  @Test func `With eager delivery a step that posts includes a turn`() {
    #expect(footprint(.job) { $0.isEager = true } == .jobs)
    #expect(footprint(.job) { ($0.isEager, $0.hasPosted) = (true, true) } == [.jobs, .posts, .store])
    #expect(footprint(.script) { ($0.isEager, $0.hasPosted) = (true, true) } == [.posts, .store])
    #expect(
      footprint(.script) { ($0.isEager, $0.hasPosted, $0.hasCancelled) = (true, true, true) } == [
        .posts, .store, .jobs,
      ])
  }

  /// Each rule, with facts that only this rule makes a conflict of.
  @Test(arguments: StepFacts.Rule.allCases) func `A rule that is left out makes a footprint smaller`(
    rule: StepFacts.Rule
  ) {
    var facts = StepFacts(kind: .delivery)
    switch rule {
    case .scriptPosts: facts.kind = .script
    case .jobsPost: (facts.kind, facts.hasPosted) = (.job, true)
    case .turnsPost: facts.hasPosted = true
    case .jobsShareMemory: facts.kind = .job
    case .turnsCancel: facts.hasCancelled = true
    case .turnsWake: facts.hasWoken = true
    case .turnsUseStore: break
    case .endsAreVisible: facts.kind = .end
    case .deadlinesAreVisible: facts.kind = .deadline
    case .timePasses: (facts.kind, facts.isOpaque) = (.script, true)
    case .eagerTurns: (facts.kind, facts.isEager, facts.hasPosted) = (.job, true, true)
    case .alarmsAreNumbered: facts.hasAlarms = true
    case .faultsUseStore: (facts.kind, facts.hasFaults) = (.job, true)
    }
    #expect(facts.footprint(without: rule).isStrictSubset(of: facts.footprint()))
  }

  @Test func `A turn has posted if there are more messages than before it without the one that it takes`() {
    func record(_ kind: ScheduleStep.Kind, _ before: Int, _ after: Int, started: Int = 0, ready: Int32 = 0)
      -> StepRecord?
    {
      var recorder = StepRecorder()
      recorder.begin(StepFacts(kind: kind), messages: before, jobs: 3, starts: 1)
      recorder.noteMessages(after)
      return recorder.end(hasCancelled: false, hasAlarms: false, jobs: 3 + ready, starts: 1 + started)
    }
    #expect(record(.delivery, 2, 1)?.footprint == .store)
    #expect(record(.delivery, 2, 2)?.footprint == [.store, .posts])
    #expect(record(.job, 2, 2)?.footprint == .jobs)
    #expect(record(.job, 2, 3)?.footprint == [.jobs, .posts])
    #expect(record(.delivery, 2, 1, started: 2, ready: 2)?.footprint == .store)
    #expect(record(.delivery, 2, 1, started: 1, ready: 2) == StepRecord(footprint: [.store, .jobs], jobs: 3..<5))
  }

  @Test func `A step that has not begun is not recorded`() {
    var recorder = StepRecorder()
    #expect(recorder.end(hasCancelled: false, hasAlarms: false, jobs: 0, starts: 0) == nil)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

/// A step that was executed.
struct StepRecord: Equatable {
  var footprint: Footprint
  /// The numbers of the jobs that became ready in it.
  var jobs: Range<Int32> = 0..<0
}

/// Notices what a step does: holds what was so before it, until it is over.
struct StepRecorder {
  private var facts = StepFacts(kind: .omission)
  private var jobs: Int32 = 0
  private var starts = 0
  private var messages = 0
  private var isOpen = false
  /// For tests: a rule that is left out.
  var forgotten: StepFacts.Rule?

  /// A step begins.
  ///
  /// - Parameters:
  ///   - facts: what is known before it.
  ///   - messages: how many messages wait in the mailbox.
  ///   - jobs: how many jobs have become ready in the schedule.
  ///   - starts: how many runs were started.
  mutating func begin(_ facts: StepFacts, messages: Int, jobs: Int32, starts: Int) {
    self.facts = facts
    self.jobs = jobs
    self.starts = starts
    // A turn takes one message out.
    self.messages = facts.kind == .delivery ? messages - 1 : messages
    isOpen = true
  }

  /// A schedule begins. The last step of the one before may not be over.
  mutating func reset() { isOpen = false }

  /// The step itself is over. Ends may still be taken that belong to it, and below the level `deliveries` turns.
  mutating func noteMessages(_ count: Int) { facts.hasPosted = count > messages }

  /// Something has happened in the step that the explorer does not control.
  mutating func noteUnknown() { facts.isUnknown = true }

  /// Everything that belongs to the step is over; `nil` if no step has begun.
  mutating func end(hasCancelled: Bool, hasAlarms: Bool, jobs: Int32, starts: Int) -> StepRecord? {
    guard isOpen else { return nil }
    isOpen = false
    facts.hasCancelled = hasCancelled
    if hasAlarms { facts.hasAlarms = true }
    // Each run that starts makes one job ready.
    facts.hasWoken = Int(jobs - self.jobs) != starts - self.starts
    return StepRecord(footprint: facts.footprint(without: forgotten), jobs: self.jobs..<jobs)
  }
}

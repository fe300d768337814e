// This source file is part of swift-effects. License: Apache-2.0.

internal import EffectCore

/// What must happen in at least one schedule of a search so that its properties and requirements are tested, and how much of
/// it has happened.
struct SearchEvidence {
  /// The named states that were reached.
  var sometimes = Sometimes()
  /// What must happen so that the requirements are tested.
  var tested = TestedRequirements()
  /// The ids of faults for which some run was started.
  var metFaults: Set<EffectID> = []
  /// Which of the faults have been injected.
  var struckFaults: Set<Int> = []
  /// The faults that were chosen for a run. A fault that comes later may still not be injected.
  var chosenFaults: Set<Int> = []
  /// The ids of each `cancel` of a script, and whether it has matched anything.
  var scriptCancels: [Set<EffectID>: Bool] = [:]
  /// What is known of the properties of the end.
  var ends = Explorer.Ends()
  /// Whether code without a store is explored.
  var isPlain = false
  /// Whether work has left the control of the search, in any schedule, so that what waits may still come back.
  var hasLeft = false
  /// Whether tasks that it makes may wait for ever.
  var tasksMayWait = false
  /// Whether any schedule reduced an action of the script, or made a choice.
  var hasExplored = false
}

/// What schedules have shown about the runs of a feature, for the schedules that follow.
struct SearchKnowledge {
  /// Runs that did not come back while the explorer waited for them, and so wait for something inside.
  var waitsInside: Set<String> = []
  /// The lines of runs whose jobs must be able to stop before they post a message. Known from schedules that had to be repeated.
  var stoppingLines: Set<Int> = []
  /// The lines of runs that a cancel can reach behind an action that they have sent. Each of their jobs is executed up to the
  /// first action that it sends, and then from there. Lines of different files are not told apart, so more jobs may stop than must.
  var reachedLines: Set<Int> = []
  /// Whether there is more of this than before. Then what can happen in a schedule is not what could happen before, or states that
  /// counted as the same are not.
  var hasReachedMore = false
  /// What closures share.
  private(set) var memory = RunHistories.Memory.none
  /// Whether closures capture the state in which they were made, so that it is a part of their names.
  private(set) var capturesState = false
  /// Whether anything has read the time, so that the time itself is a part of a state.
  private(set) var readsTime = false

  /// Closures share more than was known.
  mutating func noteMemory(_ more: RunHistories.Memory) {
    guard more > memory else { return }
    memory = more
    hasReachedMore = true
  }

  /// Closures that seemed to be the same have done different things: they capture the state, or share memory.
  mutating func noteDifference() {
    guard capturesState else {
      (capturesState, hasReachedMore) = (true, true)
      return
    }
    hasSurprise = true
    noteMemory(memory == .none ? .shared : .unknown)
  }

  /// Whether closures share memory in a way that nothing has shown before they did different things.
  private(set) var hasSurprise = false

  /// Something has read the time.
  mutating func noteReader() {
    if readsTime { return }
    readsTime = true
    hasReachedMore = true
  }
}

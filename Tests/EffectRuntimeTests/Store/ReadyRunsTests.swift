// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Testing

@testable import EffectRuntime

/// When a store hands over what its turns have made due, decided without a store and without a task.
@Suite struct ReadyRunsTests {
  private typealias Ready = ReadyRuns<Int>

  private func run(_ priority: TaskPriority? = nil) -> RunBody<Int> {
    guard case .run(let operation) = Effect<Int>.run(priority: priority, { _ in }) else { fatalError("a run is a run") }
    return RunBody(
      operation, token: Token(slot: 0, generation: 0), mailbox: Mailbox(time: TimeSource(ContinuousClock())))
  }

  private func ready(_ runs: RunBody<Int>...) -> Ready {
    var ready = Ready()
    for run in runs { ready.add(run) }
    return ready
  }

  private let moments: [Ready.Moment] = [
    .turnEnd(hasMessages: false), .turnEnd(hasMessages: true), .goesOn, .drained,
  ]

  private func decisions(_ ready: Ready, isInTaskOfRun: Bool) -> [Ready.Decision] {
    moments.map { ready.decision(at: $0, isInTaskOfRun: isInTaskOfRun) }
  }

  @Test(arguments: [false, true])
  func `With no run there is nothing to hand over`(isInTaskOfRun: Bool) {
    #expect(decisions(Ready(), isInTaskOfRun: isInTaskOfRun) == [.keep, .keep, .keep, .keep])
  }

  @Test func `A drain hands runs over at the end of the turn, whatever comes next (E8)`() {
    #expect(decisions(ready(run()), isInTaskOfRun: false) == [.start, .start, .start, .start])
  }

  @Test
  func `The task of a run keeps runs while it knows of nothing else to do, and calls them when it has drained (E8)`() {
    #expect(decisions(ready(run()), isInTaskOfRun: true) == [.keep, .start, .start, .leave])
  }

  @Test func `The task of a run does not keep runs of which one has a priority`() {
    #expect(decisions(ready(run(), run(.high)), isInTaskOfRun: true) == [.start, .start, .start, .start])
  }

  @Test func `Runs with a priority are taken out, in order, and the others stay in order`() {
    let bodies = [run(), run(.high), run(), run(.low)]
    var ready = Ready()
    for body in bodies { ready.add(body) }
    #expect(ready.hasPriorities)
    #expect(ready.takePrioritised().map(ObjectIdentifier.init) == [bodies[1], bodies[3]].map(ObjectIdentifier.init))
    #expect(
      ready.runs.compactMap(\.self).map(ObjectIdentifier.init) == [bodies[0], bodies[2]].map(ObjectIdentifier.init))
    #expect(!ready.hasPriorities)
    #expect(ready.takePrioritised().isEmpty && ready.runs.count == 2)
  }

  @Test func `Runs without a priority need no task of their own`() {
    var ready = ready(run(), run())
    #expect(!ready.hasPriorities)
    #expect(ready.takePrioritised().isEmpty && ready.runs.count == 2)
  }

  @Test func `Tasks to cancel are kept beside the runs, and are no reason to hand runs over`() async {
    var ready = ready(run())
    for body in [run(), run()] {
      // The task of this test, which is not cancelled.
      #expect(body.begin())
      if let task = body.takeToCancel() { ready.cancel(task) }
      #expect(!body.end())
    }
    #expect(ready.cancelled.count == 2 && ready.runs.count == 1)
    let alone = self.ready(run())
    #expect(!alone.isEmpty)
    ready.runs = []
    #expect(!ready.isEmpty && ready.decision(at: .goesOn, isInTaskOfRun: false) == .keep)
    ready.cancelled = []
    #expect(ready.isEmpty)
  }
}

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

  @Test func `With no run there is nothing to hand over`() {
    for moment in [Ready.Moment.turnEnd(hasMessages: true), .refill, .sliceEnd(hasDrained: true)] {
      for isInTaskOfRun in [false, true] {
        #expect(Ready().decision(at: moment, isInTaskOfRun: isInTaskOfRun) == .keep)
      }
    }
  }

  @Test(arguments: [false, true])
  func `A drain hands runs over when the turn ends, with or without further messages (E8)`(more: Bool) {
    #expect(ready(run()).decision(at: .turnEnd(hasMessages: more), isInTaskOfRun: false) == .start)
  }

  @Test func `The task of a run keeps runs only while it knows of no further message (E8)`() {
    let ready = ready(run())
    #expect(ready.decision(at: .turnEnd(hasMessages: true), isInTaskOfRun: true) == .start)
    #expect(ready.decision(at: .turnEnd(hasMessages: false), isInTaskOfRun: true) == .keep)
    #expect(ready.decision(at: .refill, isInTaskOfRun: true) == .start)
  }

  @Test func `The task of a run calls closures itself only if it has drained`() {
    let ready = ready(run())
    #expect(ready.decision(at: .sliceEnd(hasDrained: true), isInTaskOfRun: true) == .leave)
    #expect(ready.decision(at: .sliceEnd(hasDrained: false), isInTaskOfRun: true) == .start)
    #expect(ready.decision(at: .sliceEnd(hasDrained: true), isInTaskOfRun: false) == .start)
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
    var tasks: [RunTask.Handle] = []
    for body in [run(), run()] {
      let task = await Task {
        _ = body.begin()
        let task = body.takeToCancel()
        _ = body.end()
        return task
      }.value
      if let task { tasks.append(task) }
    }
    for task in tasks { ready.cancel(task) }
    #expect(ready.cancelled.count == 2 && ready.runs.count == 1 && tasks.count == 2)
    let alone = self.ready(run())
    #expect(!alone.isEmpty)
    ready.runs = []
    #expect(!ready.isEmpty && ready.decision(at: .refill, isInTaskOfRun: false) == .keep)
    ready.cancelled = []
    #expect(ready.isEmpty)
  }
}

// This source file is part of swift-effects. License: Apache-2.0.

import TestSupport

@testable import EffectRuntime
@testable import EffectTesting

/// A program in a test store, all of whose received actions are skipped at once.
final class FuzzTestStore {
  private let kit = FuzzKit()
  private let jobs: CapturedJobs
  private let store: TestStore<FuzzFeature>
  private let ids: [String]

  init(_ program: FuzzProgram, ids: [String], _ jobs: CapturedJobs) {
    (self.ids, self.jobs) = (ids, jobs)
    store = TestStore(initialState: [], reducer: FuzzFeature(program: program, kit: kit))
    store.externalWait = .zero
    store.exhaustivity = .off
    kit.now = { [clock = store.clock] in clock.now.offset }
  }

  func take(_ input: FuzzInput) -> FuzzSight {
    kit.hearingReports {
      switch input {
      case .send(let action), .sendRefusing(let action): store.send(action) { _ in }
      case .request(let action):
        store.send(action) { _ in }
        run()
        wait(for: store.engine.taken)
      case .open(let name): kit.open(name)
      case .advance(let duration): store.advance(by: duration)
      case .cancelDispatch(let number), .cancelWaiters(let number):
        SentAction(store: store, number: number).cancel()
      case .watch(let number): wait(for: number)
      case .shutdown: break
      }
      run()
    }
    var sight = kit.look()
    for id in ids { sight.statuses[id] = store.scheduler.status(of: Plan.id(id)) }
    let effects = store.scheduler.effects(.everything)
    (sight.unnamed, sight.unnamedQueued) = (effects.unnamed, effects.unnamedQueued)
    sight.dropped = store.scheduler.droppedActions
    return sight
  }

  private func wait(for number: UInt64) {
    let waiter = Waiter()
    store.handle(.watch(number, waiter, from: .none))
    Task { [kit] in
      _ = await waiter.wait()
      kit.sight.ends.append("finish \(number)")
    }
  }

  private func run() {
    while true {
      store.goOn()
      if store.held != nil { store.skipReceived() }
      if !jobs.runAll(limit: 100_000) { kit.sight.complaints.append("the test store never rests") }
      if store.held == nil { return }
    }
  }

  /// Ends everything, and returns the rest.
  func leftovers() -> [String] {
    kit.hearingReports {
      store.cancelAll()
      run()
      var left = 1_000
      while let name = kit.openGate, left > 0 {
        left -= 1
        kit.open(name)
        run()
      }
      var found = store.engine.leftovers
      if !kit.living.isEmpty { found.append("closures: \(kit.living)") }
      if !store.clock.sleepers.isEmpty { found.append("sleepers: \(store.clock.sleepers)") }
      store.isFinished = true
      return found + kit.sight.complaints
    }
  }
}

extension FuzzKit {
  /// Collects what a test store reports.
  fileprivate func hearingReports<Result>(_ body: () -> Result) -> Result {
    let diversion = Reporter.Diversion { text, _ in
      self.failed(text)
      return true
    }
    // A program may cancel work that has not begun. A test store notes that, and the model does not.
    let notes = Reporter.NoteDiversion { _ in }
    return Reporter.$noteDiversion.withValue(notes) { Reporter.$diversion.withValue(diversion, operation: body) }
  }

  /// What a test store reports.
  fileprivate func failed(_ text: String) {
    let isMisuse = [
      "Two overlaps under one id", "Work inside a tree of its id", "The run that causes it holds the slot",
      "A tree cannot be joined", "A `cancel` reached a tree",
    ].contains { text.hasPrefix($0) }
    if isMisuse { return }
    guard text.contains("and has no `catch`:") || text.contains("has no id, and was not started")
    else { return sight.complaints.append(text) }
    sight.failures.append(
      text.split(separator: "name: \"").dropFirst().first?.split(separator: "\"").first.map(String.init) ?? "?")
  }
}

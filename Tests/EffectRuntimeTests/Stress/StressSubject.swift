// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport

@testable import EffectRuntime

/// One store under stress: how it is made, used and ended.
final class StressSubject: Sendable {
  typealias Feature = StressFeature

  enum Place: CaseIterable { case own, main, queue }
  enum Ending: CaseIterable { case cancelling, draining, drainingWithin, hurried, waiterCancelled, release }

  struct Config: Sendable {
    let place: Place
    let ending: Ending
    /// Every run ends by itself.
    let isFinite: Bool
    let isTraced: Bool
    let followUpLimit: Int
    let drainBudget: Int
    /// How many actions it is sent until it ends.
    let quota: Int

    init(_ place: Place, _ numbers: inout Numbers) {
      self.place = place
      ending = Ending.allCases.randomElement(using: &numbers) ?? .release
      isFinite = ending == .draining
      isTraced = Int.random(in: 0..<3, using: &numbers) == 0
      followUpLimit = Int.random(in: 0..<4, using: &numbers) == 0 ? 2 : 1_000_000
      drainBudget = [256, 256, 16, 3].randomElement(using: &numbers) ?? 256
      quota = 20 << Int.random(in: 0..<8, using: &numbers)
    }
  }

  private struct Door {
    var store: Store<Feature>?
    var sent = 0
    var visits = 0
    /// No thread begins to use it any more.
    var isClosed = false
    /// Tasks that keep the store while they wait.
    var waiting: [(task: Task<Void, Never>, cause: Cause)] = []
    var isLeft = false
    var ending: Task<Void, Never>?
  }

  let config: Config
  let journal: StressJournal
  let clock: ManualClock?
  private let sleeps = Sleeps()
  private let door: Lock<Door>
  private let visitsOver = Tally()
  private let storeReleased = Tally()
  private weak let weakStore: Store<Feature>?

  var findings: Findings { journal.findings }

  init(_ config: Config, seed: UInt64, _ findings: Findings, _ calls: CallCount) {
    self.config = config
    let journal = StressJournal(findings, calls, hasLongTurns: config.followUpLimit > 2)
    self.journal = journal
    let isolation: any Actor =
      switch config.place {
      case .own: OwnIsolation()
      case .main: MainActor.shared
      case .queue: QueueIsolation()
      }
    let manual = ManualClock()
    let isManual = seed % 2 == 0
    clock = isManual ? manual : nil
    let clock: any Clock<Duration> =
      isManual ? CountedClock(base: manual, sleeps: sleeps) : CountedClock(base: ContinuousClock(), sleeps: sleeps)
    let store = Store(
      initialState: StressState(), reducer: Feature(journal: journal, life: Counted(storeReleased)),
      isolation: isolation, clock: clock, onFailure: { _ in journal.failures.withLock { $0 += 1 } },
      followUpLimit: config.followUpLimit, drainBudget: config.drainBudget)
    if config.isTraced {
      store.trace.listen(timed: seed % 3 == 0) { event in
        if let finding = journal.told.hear(event) { journal.findings.add(finding) }
      }
    }
    journal.reference.store = store
    weakStore = store
    door = Lock(Door(store: store))
  }

  // MARK: - Using it

  /// The store, to be used until `leave()`; `nil` if it is about to end.
  func enter() -> Store<Feature>? {
    door.withLock { door in
      guard !door.isClosed, let store = door.store else { return nil }
      door.visits += 1
      return store
    }
  }

  /// Whether it is about to end.
  var isClosed: Bool { door.withLock { $0.isClosed } }

  /// `true` if it has been used enough, and the caller is to end it.
  func leave(having sent: Int) -> Bool {
    let isLast = door.withLock { door in
      door.sent += sent
      guard !door.isClosed, door.sent >= config.quota else { return false }
      door.isClosed = true
      return true
    }
    visitsOver.increment()
    return isLast
  }

  /// A task that waits for what an action causes. It keeps the store, and so it is cancelled when the store must be
  /// released.
  func add(waiting task: Task<Void, Never>, for cause: Cause) {
    journal.add(task)
    let isLeft = door.withLock { door in
      if !door.isLeft { door.waiting.append((task, cause)) }
      return door.isLeft
    }
    if isLeft { cancel(task, cause) }
  }

  func cancel(_ task: Task<Void, Never>, _ cause: Cause) {
    cause.isCancelled = true
    task.cancel()
  }

  // MARK: - Ending it

  /// Begins to end it, whatever other threads do with it. Safe from any thread.
  func end() {
    let store = door.withLock { door in
      door.isClosed = true
      return door.store
    }
    guard let store else { return }
    switch config.ending {
    case .release: return letGo()
    case .cancelling: end { await store.shutdown(.cancelling) }
    case .draining: end { await store.shutdown(.draining) }
    case .drainingWithin:
      end { await store.shutdown(.draining(cancelling: [0, 2], within: .milliseconds(3))) }
    case .hurried:
      end {
        async let first = store.shutdown(.draining)
        async let second = store.shutdown(.cancelling)
        let (left, right) = await (first, second)
        if left != right {
          self.findings.add("two shutdowns answer differently (L4)")
        }
        return left
      }
    case .waiterCancelled:
      end {
        let task = Task { await store.shutdown(.draining) }
        task.cancel()
        return await task.value
      }
    }
  }

  private func end(_ body: @escaping @Sendable () async -> [EffectRun]) {
    let task = Task.detached { _ = await body() }
    door.withLock { $0.ending = task }
  }

  /// Releases the store, and cancels the waiting tasks, so that none of them keeps it.
  private func letGo() {
    let (store, waiting) = door.withLock { door in
      defer { (door.store, door.waiting, door.isLeft) = (nil, [], true) }
      return (door.store, door.waiting)
    }
    for (task, cause) in waiting { cancel(task, cause) }
    withExtendedLifetime(store) {}
  }

  /// Waits until it is over, and checks that everything is as it should be.
  func autopsy() async -> StressCounts {
    await visitsOver.reaches(door.withLock { $0.visits })
    await door.withLock { $0.ending }?.value
    await tasksAreOver()
    if let store = door.withLock({ $0.store }) {
      await journal.released.reaches(journal.records.count)
      await store.look(for: self)
    }
    letGo()
    await storeReleased.reaches(1)
    await journal.released.reaches(journal.records.count)
    // Some closures may have continued until now, and have left tasks behind.
    await tasksAreOver()
    await sleeps.areOver()
    if let clock, clock.sleeperCount > 0 { findings.add("\(clock.sleeperCount) sleep (C1)") }
    if weakStore != nil { findings.add("the store is kept (E7)") }
    return audit()
  }

  private func tasksAreOver() async {
    while true {
      let tasks = journal.tasks.withLock { tasks in
        defer { tasks = [] }
        return tasks
      }
      if tasks.isEmpty { return }
      for task in tasks { await task.value }
    }
  }

  var description: String {
    let waiting = door.withLock { ($0.visits, $0.ending != nil, $0.store != nil) }
    return
      "\(config), visits \(visitsOver.value) of \(waiting.0), ending \(waiting.1), kept \(waiting.2), closures released "
      + "\(journal.released.value)"
  }
}

extension Store where R == StressFeature {
  /// Checks a store that has been shut down.
  fileprivate func look(for subject: StressSubject) {
    func check(_ isRight: Bool, _ text: String) {
      if !isRight { subject.findings.add("\(text); \(subject.description)") }
    }
    // A throttle keeps its id until the window is over (C2).
    let time = scheduler.time
    let windows = time.placesOfWindows
    let isOpen = windows.allSatisfy { time.throttle(at: $0) != nil && time.throttled(at: $0) == nil }
    check(isOpen && windows.allSatisfy { time.debounced(at: $0) == nil }, "a run waits (C2)")
    check(
      isEmpty || scheduler.workTree.count == 0 && scheduler.waits.isEmpty && !windows.isEmpty,
      "\(scheduler.workTree.count) live, \(scheduler.names.count) names, \(scheduler.waits.count) wait (E2)")
    check(scheduler.nextAlarm == nil && activity.value.timer == nil, "a timer is set (C2)")
    check(core.value.running.elements.allSatisfy { $0 == nil }, "closures are kept (E2)")
    check(core.value.ready.isEmpty, "cancels or starts are due (E8)")
    check(runs.queue.withLock { $0.isEmpty }, "runs are ready (E2)")
    check(core.value.engine.suspended.isEmpty && core.value.engine.delivering == nil, "a turn is open (T5)")
    check(observers.isEmpty && observers.statuses.isEmpty, "observers are kept (E7)")
    check(!mailbox.isTraced, "a listener is left (V2)")
    let lastSeen = subject.journal.lastSeen.withLock { $0 }
    check(lastSeen.allSatisfy { $0 == present.results }, "of \(present.results) was shown last: \(lastSeen) (L4)")
    check(effects.isEmpty, "effects: \(effects) (S1)")
    check(send(StressAction(what: .probe(nil))).isRefused, "an action is accepted (L4)")
  }
}

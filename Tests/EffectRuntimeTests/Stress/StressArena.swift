// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import Foundation
import TestSupport

@testable import EffectRuntime

/// Several stores at once, a new one for each that has ended, and threads that use them.
final class StressArena: Sendable {
  private struct Stage {
    var subjects: [StressSubject]
    var numbers: Numbers
    var autopsies: [Task<Void, Never>] = []
    /// The stores that have not ended.
    var alive: [ObjectIdentifier: StressSubject] = [:]
    var counts = StressCounts()
    var progress = 0
    var isOver = false
  }

  private static let places: [StressSubject.Place] = [.own, .main, .queue, .own, .main, .queue]

  let findings = Findings()
  private let calls = CallCount()
  private let plan: StressPlan
  private let stage: Lock<Stage>
  /// Limits the number of stores that have not been checked.
  private let room = DispatchSemaphore(value: 24)

  init(_ plan: StressPlan, round: Int) {
    self.plan = plan
    var numbers = Numbers(seed: plan.seed &* 1_000 &+ UInt64(round))
    let subjects = Self.places.map { [findings, calls] place in
      StressSubject(.init(place, &numbers), seed: numbers.next(), findings, calls)
    }
    stage = Lock(Stage(subjects: subjects, numbers: numbers))
    stage.withLock { stage in for subject in subjects { stage.alive[ObjectIdentifier(subject)] = subject } }
  }

  /// Uses stores until so many runs have been called, and waits until all is over.
  func run(round: Int) async -> StressCounts {
    let threadsOver = Tally()
    for number in 0..<plan.threads {
      let thread = Thread { [self] in
        work(seed: plan.seed &* 7_919 &+ UInt64(round * 64 + number))
        threadsOver.increment()
      }
      thread.start()
    }
    let keeper = Thread { [self] in
      keepTime()
      threadsOver.increment()
    }
    keeper.start()
    await threadsOver.reaches(plan.threads)
    for place in Self.places.indices { replace(place, byAnother: false) }
    for autopsy in stage.withLock({ $0.autopsies }) { await autopsy.value }
    stage.withLock { $0.isOver = true }
    await threadsOver.reaches(plan.threads + 1)
    return stage.withLock { $0.counts }
  }

  private func work(seed: UInt64) {
    var sender = StressSender(seed: seed)
    while true {
      let place = Int.random(in: 0..<Self.places.count, using: &sender.numbers)
      if calls.value >= plan.runs / plan.rounds { break }
      let subject = stage.withLock { $0.subjects[place] }
      sender.visit(subject)
      let isClosed = subject.isClosed
      stage.withLock { $0.progress += 1 }
      if isClosed { replace(place, subject) }
    }
    stage.withLock { [counts = sender.counts] in $0.counts.add(counts) }
  }

  /// Replaces a store that is about to end, and checks the old one when it has ended.
  private func replace(_ place: Int, _ old: StressSubject? = nil, byAnother: Bool = true) {
    if byAnother { room.wait() }
    let (former, isNew): (StressSubject?, Bool) = stage.withLock { stage in
      let former = stage.subjects[place]
      if let old, former !== old { return (nil, false) }
      if byAnother {
        let config = StressSubject.Config(Self.places[place], &stage.numbers)
        let new = StressSubject(config, seed: stage.numbers.next(), findings, calls)
        stage.subjects[place] = new
        stage.alive[ObjectIdentifier(new)] = new
      }
      return (former, byAnother)
    }
    guard let former else {
      // Another thread was faster.
      if byAnother { room.signal() }
      return
    }
    if !byAnother { former.end() }
    let autopsy = Task.detached { [self] in
      let counts = await former.autopsy()
      stage.withLock { stage in
        stage.counts.add(counts)
        stage.progress += 1
        stage.alive[ObjectIdentifier(former)] = nil
      }
      if isNew { room.signal() }
    }
    stage.withLock { $0.autopsies.append(autopsy) }
  }

  // MARK: - Time

  /// Moves the clocks that do not move by themselves, and reports the state if nothing moves any more.
  private func keepTime() {
    var (progress, idle) = (-1, 0)
    while true {
      Thread.sleep(forTimeInterval: 0.001)
      let (now, alive, isOver) = stage.withLock { ($0.progress, Array($0.alive.values), $0.isOver) }
      if isOver { return }
      for subject in alive { subject.clock?.advance(by: .milliseconds(1)) }
      idle = now == progress ? idle + 1 : 0
      progress = now
      // Among all other tests, whose tasks come first, that may take minutes.
      if idle > (plan.isAlone ? 60_000 : 900_000) {
        let texts = alive.map(\.description) + findings.texts
        fatalError("Stress: nothing happens any more\n" + texts.joined(separator: "\n"))
      }
    }
  }
}

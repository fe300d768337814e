// This source file is part of swift-effects. License: Apache-2.0.

import EffectCore
import TestSupport
import Testing

@testable import EffectRuntime

/// Which code drains when a run has ended.
@Suite(.timeLimit(.minutes(5))) struct MailboxDrainTests {
  private let mailbox = Mailbox<Int>(time: TimeSource(ContinuousClock()))
  private let end = Message<Int>.ended(Token(slot: 0, generation: 0), nil)

  /// Empties the mailbox; the last `take` finds nothing.
  private func empty() {
    var batch: [Message<Int>] = []
    while mailbox.take(into: &batch) { batch = [] }
  }

  @Test func `Of several runs that end while there is no drain, the first one drains, until the mailbox is empty`() {
    #expect(mailbox.postEnd(end))
    #expect(!mailbox.postEnd(end))
    #expect(!mailbox.post(1).mustSchedule)
    empty()
    #expect(mailbox.postEnd(end))
    empty()
    #expect(mailbox.post(1).mustSchedule)
  }

  @Test func `A drain that runs ahead of a scheduled one leaves that one scheduled`() {
    #expect(mailbox.post(1).mustSchedule)
    #expect(mailbox.postEnd(end))
    #expect(!mailbox.postEnd(end))
    empty()
    #expect(!mailbox.post(2).mustSchedule)
    #expect(mailbox.postEnd(end))
    empty()
    #expect(mailbox.drainBegins())
    #expect(!mailbox.postEnd(end))
    empty()
    #expect(mailbox.post(3).mustSchedule)
  }

  @Test func `A scheduled drain ends as soon as it begins, if the task of a run drains (E7)`() {
    #expect(mailbox.post(1).mustSchedule)
    #expect(mailbox.postEnd(end))
    #expect(!mailbox.drainBegins())
    // The drain that is running takes these.
    #expect(!mailbox.post(2).mustSchedule)
    #expect(!mailbox.postEnd(end))
    empty()
    #expect(mailbox.post(3).mustSchedule)
  }

  @Test func `A drain that is put off is followed by a scheduled one`() {
    for isAhead in [false, true] {
      #expect(mailbox.post(1).mustSchedule)
      #expect(isAhead ? mailbox.postEnd(end) : mailbox.drainBegins())
      mailbox.putOffDrain()
      #expect(!mailbox.post(2).mustSchedule)
      #expect(mailbox.drainBegins())
      empty()
    }
  }

  @Test func `Code that takes messages beside the drains changes nothing for them`() {
    #expect(mailbox.post(1).mustSchedule)
    empty()
    #expect(!mailbox.post(2).mustSchedule)
    #expect(mailbox.drainBegins())
  }

  @Test func `A closed mailbox requests no drain`() {
    _ = mailbox.close()
    #expect(!mailbox.postEnd(end))
  }

  @Test func `What a store reduces in the task of a run is reduced as if no run had used that task (L6, E1)`() async {
    // Each part ends while there is no drain, so the task of the one before starts most of them.
    let seen = Recorder<String>()
    let store = Store(
      initialState: 0,
      reducer: Reduce<Int, Int> { state, action in
        guard action < 0 else {
          state += action
          seen.record("\(Bound.value) \(Task.isCancelled) \(CurrentRun.identity == nil)")
          return .none
        }
        return .concatenate(
          (0..<300).map { _ in
            .run { send in Bound.$value.withValue(1) { _ = send(1) } }
          })
      })
    await store.send(-1).finish()
    #expect(await store.state == 300)
    #expect(Set(seen.events) == ["0 false true"])
    #expect(await store.isEmpty)
  }

  @Test func `A store that is released while the task of a run drains is freed (E7)`() async {
    weak var gone: Store<Reduce<Int, Int>>?
    let runs = Tally()
    do {
      let store = Store(
        initialState: 0,
        reducer: Reduce<Int, Int> { state, action in
          // A cycle of runs that would never end, and never suspend.
          .run { send in
            runs.increment()
            send(action)
          }
        })
      gone = store
      store.send(0)
      await runs.reaches(100)
    }
    // The drain at this moment holds it for one slice more; the sequence ends with the store.
    if let values = gone?.values(\.self) { for await _ in values {} }
    #expect(gone == nil)
  }
}

private enum Bound {
  @TaskLocal static var value = 0
}
